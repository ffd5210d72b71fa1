#pragma once
// Tables of the window as text for papers and other programs (core/views/table_text.h).
#include <QTableView>

#include "core/base/table.h"

namespace plastiscope {

// Role of a model with the 95 % interval of a number: a list of its low and high end; empty without one.
inline constexpr int kIntervalRole = Qt::UserRole + 20;

// The visible columns and the rows as shown. Columns of numbers have all digits of the model's sort role
// (Qt::UserRole), and the columns X_low and X_high where it has intervals.
Table shownTable(const QTableView& view);
// Adds to the menu of the table: Copy (Ctrl+C) with the selected rows as tab-separated text, "Copy table as"
// and "Save table as" with the whole table as CSV, LaTeX and Markdown.
void offerTable(QTableView& view);

}  // namespace plastiscope
