#include "widgets/state/table_copy.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QStandardPaths>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/parsed_number.h"
#include "core/views/table_text.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

struct FormatTitle {
  TableFormat format;
  const char* title;
};
constexpr FormatTitle kFormats[] = {
    {TableFormat::Csv, "CSV"}, {TableFormat::Latex, "LaTeX"}, {TableFormat::Markdown, "Markdown"}};

bool isMissing(const QString& text) {
  return text.isEmpty() || text == QStringLiteral("\u2013");
}

// "−1,234.5" as a number.
std::optional<double> numberIn(QString text) {
  text.replace(QChar(0x2212), QLatin1Char('-')).remove(QLatin1Char(','));
  return parsedFinite(text.toStdString());
}

// The number of a cell with all digits, where the model has it; nothing for a text.
std::optional<double> numberOf(const QModelIndex& cell) {
  const QString shown = cell.data().toString();
  if (isMissing(shown)) return kMissing;
  const auto number = numberIn(shown);
  const QVariant exact = cell.data(Qt::UserRole);
  if (!number || exact.typeId() != QMetaType::Double) return number;
  const bool same = std::fabs(exact.toDouble() - *number) <= 0.02 * std::fabs(*number) + 0.005;
  return same ? exact.toDouble() : number;
}

// Column `column` of the view; as numbers if all its cells are numbers or missing.
void addColumn(Table& table, const QTableView& view, int column) {
  const QAbstractItemModel& model = *view.model();
  const std::string name = model.headerData(column, Qt::Horizontal).toString().toStdString();
  std::vector<std::string> texts;
  std::vector<double> numbers, low, high;
  bool numeric = false, intervals = false, blank = true;
  for (int row = 0; row < model.rowCount(); ++row) {
    const QModelIndex cell = model.index(row, column);
    const QString shown = cell.data().toString();
    texts.push_back(shown.toStdString());
    blank = blank && shown.isEmpty();
    const auto number = numbers.size() == texts.size() - 1 ? numberOf(cell) : std::nullopt;
    if (!number) continue;  // a text: numbers stay shorter
    numbers.push_back(*number);
    numeric = numeric || std::isfinite(*number);
    const QVariantList ends = cell.data(kIntervalRole).toList();
    intervals = intervals || ends.size() == 2;
    low.push_back(ends.size() == 2 ? ends[0].toDouble() : kMissing);
    high.push_back(ends.size() == 2 ? ends[1].toDouble() : kMissing);
  }
  if (blank && model.rowCount() > 0) return;  // icons
  if (!numeric || numbers.size() < texts.size()) {
    table.columns.push_back({name, texts});
    return;
  }
  table.columns.push_back({name, numbers});
  if (!intervals) return;
  table.columns.push_back({name + "_low", low});
  table.columns.push_back({name + "_high", high});
}

void copySelected(const QTableView& view) {
  const QAbstractItemModel& model = *view.model();
  QModelIndexList chosen = view.selectionModel()->selectedRows();
  if (chosen.isEmpty() && view.currentIndex().isValid()) chosen = {view.currentIndex()};
  std::sort(chosen.begin(), chosen.end());
  QStringList lines, titles;
  for (int column = 0; column < model.columnCount(); ++column)
    titles.append(model.headerData(column, Qt::Horizontal).toString());
  lines.append(titles.join(QLatin1Char('\t')));
  for (const QModelIndex& row : chosen) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
      cells.append(row.siblingAtColumn(column).data().toString());
    lines.append(cells.join(QLatin1Char('\t')));
  }
  QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void saveTable(QTableView& view, TableFormat format) {
  const QString extension = QString::fromLatin1(extensionOf(format));
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  const QString file =
      QFileDialog::getSaveFileName(view.window(), QObject::tr("Save table"),
                                   folder + "/" + view.objectName() + "." + extension, "*." + extension);
  if (file.isEmpty()) return;
  try {
    writeFileAtomically(fileOfText(file), tableText(shownTable(view), format));
  } catch (const Error& error) {
    QMessageBox::warning(view.window(), QObject::tr("Save table"), sanitizedText(error.what()));
  }
}

// Submenu with an entry for each format.
template <typename Use>
void addFormats(QTableView& view, const QString& title, const char* name, const Use& use) {
  auto* menu = named(name, new QMenu(title, &view));
  for (const FormatTitle& format : kFormats) {
    QAction* action = menu->addAction(QLatin1String(format.title));
    QObject::connect(action, &QAction::triggered, &view, [&view, use, of = format.format] { use(view, of); });
  }
  view.addAction(menu->menuAction());
}

}  // namespace

Table shownTable(const QTableView& view) {
  Table table{view.objectName().toStdString(), {}};
  for (int column = 0; column < view.model()->columnCount(); ++column) {
    if (!view.isColumnHidden(column)) addColumn(table, view, column);
  }
  return table;
}

void offerTable(QTableView& view) {
  auto* copying = new QAction(QObject::tr("Copy"), &view);
  copying->setShortcut(QKeySequence::Copy);
  copying->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(copying, &QAction::triggered, &view, [&view] { copySelected(view); });
  view.addAction(copying);
  addFormats(view, QObject::tr("Copy table as"), "copyTable", [](QTableView& of, TableFormat format) {
    QApplication::clipboard()->setText(QString::fromStdString(tableText(shownTable(of), format)));
  });
  addFormats(view, QObject::tr("Save table as"), "saveTable", saveTable);
  openMenuOnRightClick(view);
}

}  // namespace plastiscope
