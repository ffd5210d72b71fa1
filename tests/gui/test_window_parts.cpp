// Parts of the window by themselves: tabs of files, sessions of tabs, state kept between starts.
#include <gtest/gtest.h>

#include "app/desktop/session_tabs.h"
#include "gui/wait_for.h"
#include "support/temporary_folder.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/model_page.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;

class WindowParts : public testing::Test {
 protected:
  WindowParts() { session.state.settings().intervals = false; }
  fs::path provide(const std::string& name, const char* capture = "grouped.h5") {
    fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / capture, folder / name);
    return folder / name;
  }
  void settle() {
    EXPECT_TRUE(test::waitFor([this] { return tabs.settled() && !session.busy(); }));
    test::settleEvents();
  }

  test::TemporaryFolder folder;
  Session session{folder / "settings"};
  WindowTabs tabs;
  MessageBar messages;
  FileTabs files{tabs, session, messages};
};

TEST_F(WindowParts, OpensAFileOnce) {
  const fs::path first = provide("first.h5"), second = provide("second.h5");
  files.open({first, second}, {});
  settle();
  ASSERT_EQ(tabs.pages<ModelPage>().size(), 2u);
  tabs.setCurrentIndex(0);
  files.open({second}, {});
  settle();
  EXPECT_EQ(tabs.count(), 2);
  EXPECT_EQ(tabs.current<ModelPage>()->file(), second);
  EXPECT_EQ(tabs.tabOf(first), 0);
  EXPECT_EQ(files.savedTab(*tabs.pageOf(first))->file, first);
  tabs.close(0);
  EXPECT_EQ(tabs.tabOf(first), -1);
}

TEST_F(WindowParts, ReportsAMissingFile) {
  QString reason;
  QObject::connect(&session.opener, &FileOpener::openingFailed, &files,
                   [&](const fs::path&, const QString& sentence) { reason = sentence; });
  session.opener.open({folder / "none.h5"});
  settle();
  EXPECT_FALSE(reason.isEmpty());
  EXPECT_EQ(tabs.count(), 0);
  EXPECT_EQ(messages.text(), reason);
}

TEST(MessageBar, BriefMessagesEndWithTheirTab) {
  MessageBar bar;
  QWidget first, second;
  bar.pageChanged(&first);
  bar.sayOf(&first, Message::Kind::Good, QStringLiteral("written"), 60000);
  EXPECT_FALSE(bar.isHidden());
  bar.pageChanged(&second);
  EXPECT_TRUE(bar.isHidden());
  bar.pageChanged(&first);
  EXPECT_TRUE(bar.isHidden());
  bar.sayOf(&first, Message::Kind::Bad, QStringLiteral("damaged"));
  bar.pageChanged(&second);
  EXPECT_TRUE(bar.isHidden());
  bar.pageChanged(&first);
  EXPECT_FALSE(bar.isHidden()) << "until it is dismissed";
  bar.say(Message::Kind::Info, QStringLiteral("of the window"));
  bar.pageChanged(&second);
  EXPECT_FALSE(bar.isHidden());
}

TEST_F(WindowParts, RestoresTabsInTheirOrder) {
  const fs::path first = provide("first.h5"), second = provide("second.h5", "small.h5");
  SessionTabs sessions(tabs, files, session, messages, {});
  files.open({first}, {});
  settle();
  files.open({second}, {});
  settle();
  sessions.saveAs(folder / "both.json");
  for (int i = tabs.count() - 1; i >= 0; --i) tabs.close(i);
  fs::remove(second);
  sessions.open(folder / "both.json");
  EXPECT_TRUE(test::waitFor([&] { return !sessions.reading(); }));
  settle();
  ASSERT_EQ(tabs.count(), 2);
  const auto* shown = qobject_cast<ModelPage*>(tabs.widget(0));
  ASSERT_NE(shown, nullptr) << tabs.widget(0)->metaObject()->className();
  EXPECT_EQ(shown->file(), first);
  ASSERT_NE(qobject_cast<MissingPage*>(tabs.widget(1)), nullptr);
  EXPECT_EQ(sessions.state().files(), (std::vector<fs::path>{first, second}));
}

TEST(UserState, SettingsAndRecentFilesAreReadBack) {
  const test::TemporaryFolder folder;
  {
    UserState state(folder.path());
    state.settings().theme = "dark";
    state.addRecent(folder / "a.h5", "note", "llama");
    state.keepFolder(folder / "earlier");
    state.finishWriting();
  }
  UserState again(folder.path());
  EXPECT_EQ(again.settings().theme, "dark");
  ASSERT_EQ(again.settings().recentFiles.size(), 1u);
  EXPECT_EQ(again.settings().recentFiles[0].path, folder / "a.h5");
  EXPECT_EQ(again.captureFolders()[1], folder / "earlier");
}

}  // namespace
}  // namespace plastiscope
