#include "app/desktop/help_dialogs.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>

#include "core/base/version.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

QString translatedHelp(const char* text) {
  return QCoreApplication::translate("HelpDialogs", text);
}

// Adds a menu's shortcuts and descriptions as rows to a column of the sheet.
void addShortcuts(QGridLayout& column, const ShortcutGroup& group, QWidget* page) {
  if (group.rows.empty()) return;
  int row = column.rowCount();
  if (row > 1) column.setRowMinimumHeight(row++, 8);
  column.addWidget(styledLabel(group.title, "strong", page), row++, 0, 1, 2);
  for (const auto& [keys, text] : group.rows) {
    column.addWidget(styledLabel(keys, "key", page), row, 0, Qt::AlignLeft | Qt::AlignVCenter);
    column.addWidget(styledLabel(text, nullptr, page), row++, 1);
  }
}

}  // namespace

void showShortcutSheet(QWidget& window, const std::vector<ShortcutGroup>& first,
                       const std::vector<ShortcutGroup>& second) {
  QDialog sheet(&window);
  sheet.setObjectName(QStringLiteral("shortcutSheet"));
  sheet.setWindowTitle(translatedHelp("Shortcuts"));
  auto* page = new QWidget;
  auto *left = new QGridLayout, *right = new QGridLayout;
  for (QGridLayout* column : {left, right}) {
    column->setHorizontalSpacing(14);
    column->setVerticalSpacing(3);
    column->setColumnStretch(1, 1);
  }
  for (const ShortcutGroup& group : first) addShortcuts(*left, group, page);
  for (const ShortcutGroup& group : second) addShortcuts(*right, group, page);
  addShortcuts(
      *left,
      {translatedHelp("In the views"),
       {{translatedHelp("Arrows, Home, End"),
         translatedHelp("Move through heads in the grid, rows in the table")},
        {translatedHelp("Shift and drag"), translatedHelp("Select rows of the plane by drawing around them")},
        {translatedHelp("Wheel, drag"), translatedHelp("Zoom and pan in the plane and the profile")},
        {translatedHelp("Ctrl and wheel, drag"),
         translatedHelp("The same in a matrix, for all columns of the row")},
        {translatedHelp("Double click"), translatedHelp("Show a whole picture again")}}},
      page);
  for (QGridLayout* column : {left, right}) column->setRowStretch(column->rowCount(), 1);
  rowIn(page, {left, Gap{36}, right}, {.margins = {}, .spacing = 0});
  auto* area = new QScrollArea(&sheet);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setWidget(page);
  area->viewport()->setAutoFillBackground(false);
  page->setAutoFillBackground(false);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &sheet);
  buttons->button(QDialogButtonBox::Close)->setIcon({});
  QObject::connect(buttons, &QDialogButtonBox::rejected, &sheet, &QDialog::reject);
  columnIn(&sheet, {{area, 1}, buttons}, {.margins = {20, 16, 20, 14}, .spacing = 14});
  const QSize around(20 + 20 + 16, 16 + 14 + 14 + buttons->sizeHint().height() + 4);
  resizeOnScreen(sheet, page->sizeHint() + around);
  sheet.exec();
}

void showAbout(QWidget& window) {
  QMessageBox box(&window);
  box.setWindowTitle(translatedHelp("About Plastiscope"));
  box.setIconPixmap(window.windowIcon().pixmap(QSize(64, 64), window.devicePixelRatioF()));
  box.setText(
      translatedHelp(
          "<qt><h3>Plastiscope %1</h3>"
          "<p>A desktop microscope for the attention heads of language models: captures queries and keys "
          "over long texts, and shows how plastic each head's attention still is.</p>"
          "<p>Licence: GNU General Public License, version 3.</p>"
          "<p>Built on Qt %2 (LGPL 3), QCustomPlot (GPL 3), VTK (BSD), HDF5 (BSD), Eigen (MPL 2), ICU "
          "(Unicode licence), OpenSSL (Apache 2), CLI11 (BSD), nlohmann/json (MIT); captures run on libtorch "
          "(BSD).</p></qt>")
          .arg(QString::fromLatin1(kVersion), QString::fromLatin1(qVersion())));
  box.exec();
}

}  // namespace plastiscope
