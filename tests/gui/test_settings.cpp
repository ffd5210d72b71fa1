// The settings dialog: changes apply at once, are saved, and are reverted by Cancel.
#include <gtest/gtest.h>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <semaphore>

#include "core/base/error.h"
#include "core/base/json.h"
#include "gui/window_fixture.h"
#include "widgets/capture/capture_dialog.h"
#include "widgets/pages/settings_dialog.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/theme.h"

namespace plastiscope {
namespace {

class SettingsTest : public test::WindowFixture {
 protected:
  SettingsTest() { renew(); }
  ~SettingsTest() override {
    applyTheme(*qApp, QStringLiteral("light"));
    setScreenColours(QStringLiteral("viridis"), QStringLiteral("magma"));
  }
  SettingsDialog* open() {
    window->findChild<QAction*>(QStringLiteral("actionSettings"))->trigger();
    return window->findChild<SettingsDialog*>();
  }
  template <typename Widget>
  static Widget* in(SettingsDialog* dialog, const char* name) {
    return dialog->findChild<Widget*>(QLatin1String(name));
  }
  static void choose(SettingsDialog* dialog, const char* name, const char* value) {
    auto* box = in<QComboBox>(dialog, name);
    ASSERT_GE(box->findData(QLatin1String(value)), 0) << value;
    box->setCurrentIndex(box->findData(QLatin1String(value)));
  }
};

TEST_F(SettingsTest, ApplyAtOnceAndAreKept) {
  SettingsDialog* dialog = open();
  ASSERT_NE(dialog, nullptr);
  choose(dialog, "settingsTheme", "dark");
  EXPECT_TRUE(currentTheme().dark);
  choose(dialog, "settingsMetricColours", "cividis");
  EXPECT_EQ(PlotStyle::screen(Theme::Light, QFont()).metricColours, QStringLiteral("cividis"));
  in<QDoubleSpinBox>(dialog, "settingsFontPoints")->setValue(14);
  EXPECT_EQ(qApp->font().pointSizeF(), 14);
  in<QSpinBox>(dialog, "settingsThreads")->setValue(3);
  in<QCheckBox>(dialog, "settingsIntervals")->setChecked(true);
  EXPECT_TRUE(session->state.settings().intervals);
  auto* captures = in<QLineEdit>(dialog, "settingsCaptures");
  captures->setText(QString::fromStdString((folder / "mine").string()));
  Q_EMIT captures->editingFinished();
  dialog->accept();
  renew();
  EXPECT_EQ(session->state.settings().theme, "dark");
  EXPECT_EQ(session->state.settings().metricColours, "cividis");
  EXPECT_EQ(session->state.settings().fontPoints, 14);
  EXPECT_EQ(session->state.settings().threads, 3);
}

TEST_F(SettingsTest, TheWindowDoesNotWaitForTheDisk) {
  session->state.finishWriting();
  const auto file = folder / "settings" / "settings.json";
  std::filesystem::remove(file);
  std::binary_semaphore diskAnswers(0);
  session->state.writeLater([&] { diskAnswers.acquire(); }, {});
  session->state.saveSettings();
  EXPECT_FALSE(std::filesystem::exists(file));
  diskAnswers.release();
  session->state.finishWriting();
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(SettingsTest, AFailedWriteIsReportedOnce) {
  QStringList said;
  QObject::connect(&session->state, &UserState::failed, [&](const QString& sentence) { said << sentence; });
  session->state.writeLater([] { throw ResourceError("the disk is full"); }, QStringLiteral("Not saved. %1"));
  session->state.finishWriting();
  test::settleEvents();
  EXPECT_EQ(said, QStringList{QStringLiteral("Not saved. the disk is full")});
}

TEST_F(SettingsTest, CancelRestoresEverything) {
  session->state.settings().modelFolders = {folder / "models"};
  SettingsDialog* dialog = open();
  choose(dialog, "settingsTheme", "dark");
  choose(dialog, "settingsMapColours", "viridis");
  auto* models = in<QListWidget>(dialog, "settingsModels");
  models->setCurrentRow(0);
  in<QPushButton>(dialog, "settingsRemoveModels")->click();
  EXPECT_EQ(models->count(), 0);
  EXPECT_TRUE(session->state.settings().modelFolders.empty());
  dialog->reject();
  EXPECT_FALSE(currentTheme().dark);
  EXPECT_EQ(PlotStyle::screen(Theme::Light, QFont()).mapColours, QStringLiteral("magma"));
  ASSERT_EQ(session->state.settings().modelFolders.size(), 1u);
}

TEST_F(SettingsTest, TheDeviceAppliesToNewCaptures) {
  choose(open(), "settingsDevice", "cpu");
  window->findChild<SettingsDialog*>()->accept();
  window->dialogs().capture();
  auto* dialog = window->findChild<CaptureDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->draft().plan.device, "cpu");
  dialog->reject();
}

TEST(AppSettings, WrongValuesKeepTheirDefaults) {
  const AppSettings settings = AppSettings::fromJson({{"font_points", 300},
                                                      {"threads", -4},
                                                      {"device", "abacus"},
                                                      {"metric_colours", "jet"},
                                                      {"map_colours", "cividis"}});
  EXPECT_EQ(settings.fontPoints, 0);
  EXPECT_EQ(settings.threads, 0);
  EXPECT_EQ(settings.device, "auto");
  EXPECT_EQ(settings.metricColours, "viridis");
  EXPECT_EQ(settings.mapColours, "cividis");
}

}  // namespace
}  // namespace plastiscope
