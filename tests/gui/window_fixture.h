#pragma once
// The main window with settings and captures of its own, operated through its controls.
#include <gtest/gtest.h>

#include <QAction>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <filesystem>
#include <memory>

#include "app/desktop/main_window.h"
#include "app/desktop/session.h"
#include "core/compare/published_figures.h"
#include "gui/wait_for.h"
#include "support/temporary_folder.h"
#include "widgets/pages/message_bar.h"

namespace plastiscope::test {

class WindowFixture : public testing::Test {
 protected:
  WindowFixture() {
    // Hides the user's own models and captures.
    for (const char* name : {"HOME", "HF_HOME", "XDG_CACHE_HOME", "XDG_DOCUMENTS_DIR"})
      qputenv(name, folder.path().c_str());
  }
  // Copies a capture of the test data into the folder.
  std::filesystem::path provide(const char* capture, const std::string& name) {
    const std::filesystem::path data = std::filesystem::path(PLASTISCOPE_TEST_DATA) / "analysis" / capture;
    std::filesystem::copy_file(data, folder / name);
    return folder / name;
  }
  // Closes the program and starts it again.
  void renew() {
    window.reset();
    session.reset();
    session = std::make_unique<Session>(folder / "settings");
    session->state.settings().captureFolder = folder / "captures";
    session->state.settings().intervals = intervals;
    window = std::make_unique<MainWindow>(*session);
    window->resize(1400, 860);
    window->show();
  }
  void settle() {
    EXPECT_TRUE(waitFor([this] { return window->settled(); }));
    settleEvents();
  }
  // Opens a compare tab of captures in the folder, named without ".h5", and of published models.
  ComparePage* compare(const std::vector<std::string>& names, const CompareChoices& choices = {}) {
    SessionTab start;
    start.compare = choices;
    for (const std::string& name : names)
      start.compared.push_back(publishedIdOf(name) ? std::filesystem::path(name) : folder / (name + ".h5"));
    window->openComparison(start);
    settle();
    return window->currentCompare();
  }
  ComparePage* compareInCharts(const std::vector<std::string>& names, CompareChoices choices = {}) {
    choices.charts = true;
    return compare(names, choices);
  }
  // The dialog that the action opens.
  template <typename Dialog>
  Dialog* dialogOf(const char* action) {
    window->findChild<QAction*>(QString::fromLatin1(action))->trigger();
    return window->findChild<Dialog*>();
  }
  // The command that the export dialog of the current tab prints.
  QString exportCommand() {
    window->exports().exportCurrent();
    auto* dialog = window->findChild<ExportDialog*>();
    EXPECT_NE(dialog, nullptr);
    QString command;
    for (const QLineEdit* line : dialog->findChildren<QLineEdit*>()) {
      if (line->text().startsWith(QStringLiteral("plastiscope render"))) command = line->text();
    }
    dialog->close();
    return command;
  }
  // A job that finished opens its tab behind the one in front; the button of its message shows it.
  void showFinished() {
    QWidget* front = tabs().currentWidget();
    auto* button = message().findChild<QPushButton*>(QStringLiteral("messageAction"));
    ASSERT_TRUE(waitFor(
        [&] { return button->isVisible() && button->text() == QStringLiteral("Show") && window->settled(); },
        120000))
        << message().text().toStdString();
    EXPECT_EQ(tabs().currentWidget(), front) << "a finished job does not change the tab";
    button->click();
    settle();
  }
  QTabWidget& tabs() { return *window->findChild<QTabWidget*>(QStringLiteral("tabs")); }
  MessageBar& message() { return *window->findChild<MessageBar*>(); }

  bool intervals = false;  // off: background jobs would change plots and job counts
  TemporaryFolder folder;
  std::unique_ptr<Session> session;
  std::unique_ptr<MainWindow> window;
};

}  // namespace plastiscope::test
