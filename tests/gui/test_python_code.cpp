// "Copy as Python": the copied code, run by Python, writes the same figure as the command of the export
// dialog.
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QPlainTextEdit>
#include <QProcess>

#include "core/base/files.h"
#include "gui/window_fixture.h"
#include "support/run_program.h"
#include "widgets/analysis/analysis_dialog.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;
using test::runProgram;

class PythonCode : public test::WindowFixture {
 protected:
  void SetUp() override {
    if (runProgram(PLASTISCOPE_TEST_PYTHON, {"-c", "import h5py, numpy"}).exitCode != 0)
      GTEST_SKIP() << "no Python with h5py and NumPy: " << PLASTISCOPE_TEST_PYTHON;
    for (const char* name : {"grouped.h5", "small.h5"}) provide(name, name);
    for (const char* part : {"python", "command"}) fs::create_directory(folder / part);
    renew();
  }
  test::ProgramResult runCode(const QString& code) {
    return runProgram(PLASTISCOPE_TEST_PYTHON, {"-c", code.toStdString()},
                      {.workingFolder = (folder / "python").string(),
                       .environment = {"PYTHONPATH=" PLASTISCOPE_PACKAGE, "PYTHONDONTWRITEBYTECODE=1",
                                       "PLASTISCOPE_CLI=" PLASTISCOPE_BIN "/plastiscope-cli"}});
  }
  QString copied() {
    QApplication::clipboard()->clear();
    window->findChild<QAction*>(QStringLiteral("actionPython"))->trigger();
    return QApplication::clipboard()->text();
  }
  // The figure of the current view: by Python, and by the command of the export dialog.
  void expectSameFigure(const QString& figure) {
    QString code = copied();
    ASSERT_TRUE(code.contains(QStringLiteral("figure=\"%1\"").arg(figure))) << code.toStdString();
    const QString name = code.section(QStringLiteral("out=\""), 1).section(QLatin1Char('"'), 0, 0);
    code.replace(QStringLiteral("out=\""), QStringLiteral("fixed_date=True, out=\""));
    const auto ran = runCode(code);
    ASSERT_EQ(ran.exitCode, 0) << code.toStdString() << ran.err;
    const QString printed = exportCommand();
    const QStringList command = QProcess::splitCommand(printed);
    test::settleEvents();
    std::vector<std::string> arguments;
    for (const QString& each : command.mid(1)) arguments.push_back(each.toStdString());
    const auto out = std::ranges::find(arguments, "--out");
    ASSERT_NE(out, arguments.end());
    *(out + 1) = name.toStdString();
    if (const auto size = std::ranges::find(arguments, "--font-size"); size != arguments.end())
      arguments.erase(size, size + 2);  // the dialog names the default
    arguments.emplace_back("--fixed-date");
    const auto drawn = runProgram("plastiscope", arguments, {.workingFolder = (folder / "command").string()});
    ASSERT_EQ(drawn.exitCode, 0) << drawn.err;
    for (const char* extension : {".pdf", ".csv"}) {
      const fs::path file = fs::path(name.toStdString()).replace_extension(extension);
      EXPECT_EQ(readFile(folder / "python" / file) == readFile(folder / "command" / file), true)
          << file << code.toStdString() << printed.toStdString();
    }
  }
};

TEST_F(PythonCode, DrawsTheFiguresOfAStudy) {
  window->openPaths({folder / "grouped.h5"});
  settle();
  ModelPage& page = *window->currentPage();
  page.selection().setHead({1, 2});
  page.selection().setMetric("bias_window");
  settle();
  for (const auto& [dock, figure] :
       {std::pair("headGridDock", "head-grid"), std::pair("planeDock", "ab-scatter"),
        std::pair("mapDock", "map"), std::pair("profileDock", "profile-quintiles"),
        std::pair("headMetricsDock", "head-metrics")}) {
    page.active().enter(page.findChild<PanelDock*>(QLatin1String(dock)));
    expectSameFigure(QLatin1String(figure));
  }
}

TEST_F(PythonCode, DrawsTheFiguresOfAComparison) {
  ComparePage& page = *compareInCharts({"grouped", "small"});
  page.panels().active().enter(page.findChild<PanelDock*>(QStringLiteral("compareProfilesDock")));
  expectSameFigure(QStringLiteral("compare"));
}

TEST_F(PythonCode, AnalysesAsTheDialogDoes) {
  window->openPaths({folder / "grouped.h5"});
  settle();
  auto* dialog = dialogOf<AnalysisDialog>("actionAnalyse");
  dialog->findChild<QAbstractButton*>(QStringLiteral("copyPython"))->click();
  const QString code = QApplication::clipboard()->text();
  const QString command = dialog->findChild<QPlainTextEdit*>(QStringLiteral("commandLine"))->toPlainText();
  const fs::path out =
      code.section(QStringLiteral("out=\""), 1).section(QLatin1Char('"'), 0, 0).toStdString();
  ASSERT_TRUE(command.contains(QString::fromStdString(out.string()))) << code.toStdString();
  const auto ran = runCode(code);
  ASSERT_EQ(ran.exitCode, 0) << code.toStdString() << ran.err;
  EXPECT_TRUE(fs::exists(out));
}

}  // namespace
}  // namespace plastiscope
