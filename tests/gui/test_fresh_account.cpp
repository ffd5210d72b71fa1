// The default capture folder of a new user, with and without a Documents folder.
#include <gtest/gtest.h>

#include <QPlainTextEdit>

#include "core/base/files.h"
#include "gui/window_fixture.h"
#include "widgets/capture/texts_box.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

class FreshAccount : public test::WindowFixture, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    fs::create_directories(home);
    if (GetParam()) fs::create_directories(home / "Documents");
    for (const char* name : {"XDG_DOCUMENTS_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"}) qunsetenv(name);
    qputenv("HOME", home.c_str());
    start();
  }
  // Starts the program; no capture folder was chosen before.
  void start() {
    window.reset();
    session.reset();
    session = std::make_unique<Session>(folder / "settings");
    session->state.settings().intervals = false;
    window = std::make_unique<MainWindow>(*session);
    window->show();
    settle();
  }
  std::vector<fs::path> listed() {
    std::vector<fs::path> files;
    for (const LibraryEntry& entry : session->library.model().entries(EntryKind::Capture))
      if (entry.path.string().starts_with(folder.path().string())) files.push_back(entry.path);
    return files;
  }
  const fs::path home = folder / "home",
                 standard = GetParam() ? home / "Documents/Plastiscope" : home / "Plastiscope";
};

TEST_P(FreshAccount, KeepsTheFirstCaptureFolder) {
  EXPECT_EQ(session->state.captureFolder(), standard);
  session->state.saveSettings();
  session->state.finishWriting();
  GetParam() ? fs::remove_all(home / "Documents") : fs::create_directories(home / "Documents");
  start();
  EXPECT_EQ(session->state.captureFolder(), standard);
}

TEST_P(FreshAccount, PastedTextCreatesTheFolder) {
  Workers workers;
  PastedSource source(workers);
  auto* text = source.findChild<QPlainTextEdit*>(QStringLiteral("capturePaste"));
  text->setPlainText(QStringLiteral("some words"));
  ASSERT_FALSE(fs::exists(standard));
  source.prepare(session->state.captureFolder() / "model pasted text.h5");
  EXPECT_EQ(readFile(standard / "model pasted text.txt"), "some words");
}

// Captures stay in the library when another folder is chosen, also those in the default folder of earlier
// versions.
TEST_P(FreshAccount, CapturesStayInTheLibrary) {
  fs::create_directories(standard);
  fs::rename(provide("grouped.h5", "a.h5"), standard / "a.h5");
  AppSettings settings = session->state.settings();
  settings.captureFolder = folder / "elsewhere";
  window->useSettings(settings);
  settle();
  EXPECT_EQ(listed(), std::vector{standard / "a.h5"});
  session->state.finishWriting();
  start();
  EXPECT_EQ(session->state.captureFolder(), folder / "elsewhere");
  EXPECT_EQ(listed(), std::vector{standard / "a.h5"});
  fs::remove_all(folder / "settings");  // as after an update from an earlier version
  GetParam() ? (void)fs::create_directories(home / "Plastiscope")
             : (void)fs::create_directories(home / "Documents");
  start();
  EXPECT_EQ(session->state.captureFolder(), standard);
  EXPECT_EQ(listed(), std::vector{standard / "a.h5"});
}

INSTANTIATE_TEST_SUITE_P(Documents, FreshAccount, testing::Bool());

}  // namespace
}  // namespace plastiscope
