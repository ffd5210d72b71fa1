// Analysing a capture with other settings from the window: form, suggested name, refusals, the new tab.
#include <gtest/gtest.h>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/analysis_file.h"
#include "gui/window_fixture.h"
#include "widgets/analysis/analysis_dialog.h"
#include "widgets/pages/model_page.h"

namespace plastiscope {
namespace {

using test::waitFor;

class AnalysisDialogTest : public test::WindowFixture {
 protected:
  AnalysisDialogTest() {
    renew();
    window->openPaths({provide("grouped.h5", "study.h5")});
    EXPECT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
    dialog = dialogOf<AnalysisDialog>("actionAnalyse");
  }
  template <typename Widget>
  Widget& find(const char* name) {
    return *dialog->findChild<Widget*>(QString::fromLatin1(name));
  }
  void type(const char* setting, const QString& text) {
    auto& line = find<QLineEdit>(setting);
    line.setFocus();
    line.selectAll();
    QTest::keyClicks(&line, text);
  }
  QString command() { return find<QPlainTextEdit>("commandLine").toPlainText(); }
  QString hint() { return find<QLabel>("analysisHint").text(); }
  QPushButton& start() { return find<QPushButton>("analysisStart"); }

  AnalysisDialog* dialog = nullptr;
};

TEST_F(AnalysisDialogTest, EverySettingHasAFieldWithItsValue) {
  const SettingTexts standard = settingTexts(AnalysisSettings());
  for (const SettingInfo& info : settingList()) {
    const QString name = QStringLiteral("setting-") + QString::fromStdString(info.name);
    const auto* box = dialog->findChild<QComboBox*>(name);
    const auto* line = dialog->findChild<QLineEdit*>(name);
    ASSERT_NE(box != nullptr, line != nullptr) << info.name;
    const QString value = line                ? line->text()
                          : box->isEditable() ? box->currentText()
                                              : box->currentData().toString();
    EXPECT_EQ(value.toStdString(), standard.at(info.name)) << info.name;
    if (box && !box->isEditable()) {
      EXPECT_FALSE(box->currentText().contains(QLatin1Char('_'))) << info.name << " is shown in words";
    }
  }
  EXPECT_TRUE(start().isEnabled()) << hint().toStdString();
}

TEST_F(AnalysisDialogTest, ShowsTheExpectedDuration) {
  const QString heads = QStringLiteral(" for 8 heads ");
  EXPECT_TRUE(waitFor([&] { return hint().startsWith(QStringLiteral("About ")); })) << hint().toStdString();
  EXPECT_TRUE(hint().contains(heads)) << hint().toStdString();
  type("setting-bootstrap", QStringLiteral("x"));
  EXPECT_FALSE(hint().contains(heads)) << "no duration for an invalid setting";
  type("setting-bootstrap", QStringLiteral("2"));
  EXPECT_TRUE(waitFor([&] { return hint().contains(heads); })) << hint().toStdString();
}

TEST_F(AnalysisDialogTest, ShowsTheCommandAndTheOutputName) {
  type("setting-bootstrap", QStringLiteral("20"));
  find<QComboBox>("setting-pairs").setCurrentText(QStringLiteral("all"));
  EXPECT_TRUE(command().contains(QStringLiteral("--pairs all"))) << command().toStdString();
  EXPECT_TRUE(command().contains(QStringLiteral("--bootstrap 20")));
  EXPECT_TRUE(
      find<QLineEdit>("outFile").text().endsWith(QStringLiteral("study.pairs-all.bootstrap-20.analysis.h5")));
  find<QComboBox>("settingPreset").setCurrentIndex(2);
  EXPECT_EQ(find<QLineEdit>("setting-bootstrap").text(), QStringLiteral("0"));
  EXPECT_TRUE(command().contains(QStringLiteral("--preset author"))) << command().toStdString();
  EXPECT_FALSE(command().contains(QStringLiteral("--pairs")));
}

TEST_F(AnalysisDialogTest, RefusesInvalidSettingsAndOutputs) {
  type("setting-min_queries", QStringLiteral("1"));
  EXPECT_FALSE(start().isEnabled());
  EXPECT_TRUE(hint().contains(QStringLiteral("min_queries: expected at least 2, found 1")))
      << hint().toStdString();
  type("setting-min_queries", QStringLiteral("some"));
  EXPECT_FALSE(start().isEnabled());
  type("setting-min_queries", QStringLiteral("20"));
  EXPECT_TRUE(start().isEnabled());
  auto& out = find<QLineEdit>("outFile");
  for (const auto& [name, reason] : {std::pair("study.h5", "already exists"), {"none/x.h5", "no folder"}}) {
    out.setText(QString::fromStdString((folder / name).string()));
    Q_EMIT out.textEdited({});
    EXPECT_FALSE(start().isEnabled());
    EXPECT_TRUE(hint().contains(QString::fromLatin1(reason))) << hint().toStdString();
  }
}

TEST_F(AnalysisDialogTest, ComputesAFileAndShowsItInATabOfItsOwn) {
  const std::string capture = readFile(folder / "study.h5");
  window->currentPage()->selection().setHead({1, 0});
  type("setting-bootstrap", QStringLiteral("20"));
  QTest::mouseClick(&start(), Qt::LeftButton);
  const std::filesystem::path out = folder / "study.bootstrap-20.analysis.h5";
  ASSERT_TRUE(waitFor([&] { return tabs().count() == 3 && window->settled(); }));
  EXPECT_EQ(window->currentPage()->file(), folder / "study.h5") << "a finished job does not change the tab";
  showFinished();
  ASSERT_EQ(window->currentPage()->file(), out);
  EXPECT_EQ(tabs().count(), 3);  // welcome, capture, analysis
  EXPECT_NE(window->currentPage()->study().capture, nullptr);
  EXPECT_TRUE(window->currentPage()->findChild<QCheckBox*>(QStringLiteral("profileIntervals"))->isVisible());
  EXPECT_EQ(readAnalysis(out).provenance.settings["bootstrap"], 20);
  EXPECT_EQ(readFile(folder / "study.h5"), capture);
}

}  // namespace
}  // namespace plastiscope
