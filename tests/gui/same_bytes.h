#pragma once
// Checks that the window and `plastiscope render` write the same bytes.
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/desktop/main_window.h"
#include "core/base/files.h"
#include "gui/wait_for.h"
#include "support/run_program.h"
#include "widgets/export/export_dialog.h"

namespace plastiscope::test {

// Exports the current tab with the dialog and with the command that it prints. `folder` contains no figures;
// `choose` changes settings of the dialog first.
inline void expectTheCommandWritesTheSame(MainWindow& window, const std::filesystem::path& folder,
                                          const std::function<void(ExportDialog&)>& choose = {}) {
  window.exports().exportCurrent();
  auto* dialog = window.findChild<ExportDialog*>();
  ASSERT_NE(dialog, nullptr);
  if (choose) choose(*dialog);
  QLineEdit *place = nullptr, *command = nullptr;
  for (QLineEdit* line : dialog->findChildren<QLineEdit*>()) {
    if (line->isReadOnly())
      command = line;
    else if (line->text().contains(QLatin1Char('/')))
      place = line;
  }
  ASSERT_TRUE(place != nullptr && command != nullptr);
  place->setText(QString::fromStdString((folder / "").string()));
  for (QCheckBox* box : dialog->findChildren<QCheckBox*>()) {
    if (box->text().contains(QStringLiteral("date"))) box->setChecked(true);
  }
  QPushButton* write = nullptr;
  for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
    if (button->isDefault()) write = button;
  }
  ASSERT_NE(write, nullptr);
  ASSERT_TRUE(waitFor([&] { return write->isEnabled(); }));
  QStringList words = QProcess::splitCommand(command->text());
  ASSERT_TRUE(words.contains(QStringLiteral("--fixed-date"))) << command->text().toStdString();
  QSignalSpy exported(dialog, &ExportDialog::exported);
  write->click();
  ASSERT_EQ(exported.count(), 1)
      << dialog->findChild<QLabel*>(QStringLiteral("exportProblem"))->text().toStdString();
  const qsizetype out = words.indexOf(QStringLiteral("--out")) + 1;
  const std::string written = words[out].toStdString();
  ASSERT_TRUE(exported.first().first().toStringList().contains(words[out])) << written;
  words[out] = QString::fromStdString((folder / "again.pdf").string());
  std::vector<std::string> arguments;
  for (const QString& word : words.mid(1)) arguments.push_back(word.toStdString());
  const auto ended = runProgram("plastiscope", arguments);
  ASSERT_EQ(ended.exitCode, 0) << ended.err;
  EXPECT_EQ(readFile(folder / "again.pdf"), readFile(written));
}

}  // namespace plastiscope::test
