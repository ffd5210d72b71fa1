// Sessions: the file of each window, earlier sessions, damaged and newer files.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QAbstractButton>
#include <QMenu>
#include <algorithm>
#include <csignal>
#include <fstream>
#include <random>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/state_document.h"
#include "gui/window_fixture.h"
#include "support/version_files.h"
#include "widgets/models/library_entry.h"
#include "widgets/pages/model_page.h"
#include "widgets/state/session_state.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using test::waitFor;

SessionState stateOf(const std::vector<fs::path>& files) {
  SessionState state;
  for (const fs::path& file : files) state.tabs.push_back({file, {}});
  state.current = files.empty() ? -1 : 0;
  return state;
}

std::vector<fs::path> filesOf(const SessionState& state) {
  return state.files();
}

TEST(SessionState, FieldsOfOtherVersionsSurvive) {
  const Json stored = {
      {"later", {{"a", 1}}},
      {"current", 0},
      {"studies", {{{"file", "/a.h5"}, {"model", "m1"}, {"capture", "c2"}}}},
      {"tabs",
       {{{"file", "/a.h5"},
         {"pinned", true},
         {"selection", {{"head", "L1H2"}, {"speed", 3}, {"zoom", {{"plane", {0, 1, 2, 3}}}}}}},
        {{"kind", "text view"}, {"of", "/a.h5"}}}}};
  SessionState state = SessionState::fromJson(stored);
  ASSERT_EQ(state.tabs.size(), 1U);
  EXPECT_EQ(state.ids.at("/a.h5"), (StudyId{"m1", "c2", {}}));
  state.tabs[0].selection.head = HeadName{3, 4};
  state.tabs[0].selection.zoom.clear();  // a known field that was removed does not return
  const Json again = state.toJson();
  EXPECT_EQ(again["later"], stored["later"]);
  EXPECT_EQ(again["tabs"][0]["pinned"], true);
  EXPECT_EQ(again["tabs"][0]["selection"]["speed"], 3);
  EXPECT_EQ(again["tabs"][0]["selection"]["head"], "L3H4");
  EXPECT_FALSE(again["tabs"][0]["selection"].contains("zoom"));
  EXPECT_EQ(again["tabs"][1], stored["tabs"][1]);
  EXPECT_EQ(again["studies"], stored["studies"]);
}

TEST(SessionStore, TheFirstWindowKeepsTheSessionOthersHaveTheirOwn) {
  const TemporaryFolder folder;
  SessionStore first(folder.path());
  ASSERT_TRUE(first.isFirst());
  first.write(stateOf({"/a.h5", "/b.h5"}));
  {
    SessionStore second(folder.path());
    EXPECT_FALSE(second.isFirst());
    second.write(stateOf({"/c.h5"}));
    second.write(stateOf({"/c.h5", "/d.h5"}));
    EXPECT_TRUE(second.earlier().empty()) << "the current session is not an earlier one";
  }
  EXPECT_EQ(filesOf(first.read()), (std::vector<fs::path>{"/a.h5", "/b.h5"}));
  ASSERT_EQ(first.earlier().size(), 1U);
  EXPECT_EQ(first.earlier()[0].tabs.size(), 2U);
  EXPECT_EQ(filesOf(SessionStore::readNamed(first.earlier()[0].file)),
            (std::vector<fs::path>{"/c.h5", "/d.h5"}));
}

TEST(SessionStore, TheLockEndsWithItsProcess) {
  const TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const SessionStore store(folder.path());
    const char told = store.isFirst() ? '1' : '0';
    if (::write(ready[1], &told, 1) != 1) ::_exit(1);
    while (true) ::pause();
  }
  char told = 0;
  ASSERT_EQ(::read(ready[0], &told, 1), 1);
  EXPECT_EQ(told, '1');
  EXPECT_FALSE(SessionStore(folder.path()).isFirst());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(SessionStore(folder.path()).isFirst());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(SessionStore, SessionsOfTheLastRunsAreKept) {
  const TemporaryFolder folder;
  const auto run = [&](int number) {
    SessionStore store(folder.path());
    store.write(stateOf({"/" + std::to_string(number) + ".h5"}));
    store.write(stateOf({"/" + std::to_string(number) + ".h5", "/more.h5"}));
  };
  for (int i = 0; i < 20; ++i) run(i);
  SessionStore store(folder.path());
  const auto earlier = store.earlier();
  ASSERT_EQ(earlier.size(), SessionStore::kMaxEarlier);
  std::set<fs::path> firsts;
  for (const EarlierSession& each : earlier) {
    EXPECT_EQ(each.tabs.size(), 2U) << "the tabs at the end of each run";
    firsts.insert(each.tabs[0].file);
  }
  EXPECT_EQ(firsts.size(), SessionStore::kMaxEarlier);
  EXPECT_TRUE(firsts.contains("/18.h5"));
  EXPECT_EQ(filesOf(store.ofLastRun())[0], "/19.h5");
  store.write(stateOf({"/other.h5"}));
  EXPECT_EQ(filesOf(store.ofLastRun())[0], "/19.h5") << "the previous run, not the current tabs";
}

TEST(SessionStore, NeitherDamagedNorNewerSessionsAreOverwritten) {
  const TemporaryFolder folder;
  const fs::path file = folder / "session.json";
  SessionStore(folder.path()).write(stateOf({"/a.h5"}));
  const std::string whole = readFile(file);
  std::ofstream(file) << whole.substr(0, whole.size() / 2);
  {
    SessionStore store(folder.path());
    std::string problem;
    (void)store.read(&problem);
    EXPECT_NE(problem.find("session.json"), std::string::npos);
    store.write(stateOf({"/b.h5"}));
  }
  EXPECT_EQ(readFile(folder / "session.json.damaged"), whole.substr(0, whole.size() / 2));
  StateFile(file, SessionStore::kFormat, SessionStore::kVersion + 1, StateFile::Copies::None);
  std::string newer = whole;
  newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 9");
  std::ofstream(file) << newer;
  {
    SessionStore store(folder.path());
    EXPECT_FALSE(store.isFirst()) << "a newer session is not replaced";
    store.write(stateOf({"/c.h5"}));
    ASSERT_FALSE(SessionStore(folder.path()).earlier().empty());
    EXPECT_EQ(SessionStore(folder.path()).earlier()[0].tabs[0].file, "/c.h5");
  }
  EXPECT_EQ(readFile(file), newer);
}

TEST(SessionStore, NamedSessionsRefuseDamagedNewerAndOtherFiles) {
  const TemporaryFolder folder;
  SessionStore::writeNamed(stateOf({"/a.h5"}), folder / "thesis.json");
  SessionStore::writeNamed(stateOf({"/a.h5", "/b.h5"}), folder / "thesis.json");
  EXPECT_EQ(SessionStore::readNamed(folder / "thesis.json").tabs.size(), 2U);
  EXPECT_EQ(folder.listing(), "thesis.json") << "no backups beside the user's file";
  EXPECT_EQ(classifyPath(folder / "thesis.json"), PathKind::Session);
  const std::string whole = readFile(folder / "thesis.json");
  std::string flipped = whole, newer = whole;
  flipped.replace(flipped.find("/a.h5"), 5, "/x.h5");
  newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 2");
  const std::pair<std::string, const char*> kBroken[] = {
      {whole.substr(0, whole.size() / 2), "thesis.json"}, {flipped, "check sum"}, {newer, "newer"}};
  for (const auto& [content, says] : kBroken) {
    std::ofstream(folder / "thesis.json") << content;
    EXPECT_EQ(classifyPath(folder / "thesis.json"), PathKind::Session) << "not a text: " << says;
    try {
      (void)SessionStore::readNamed(folder / "thesis.json");
      FAIL() << says;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(SessionStore::writeNamed(stateOf({"/a.h5"}), folder / "thesis.json"), InputError);
  EXPECT_EQ(readFile(folder / "thesis.json"), newer);
  std::ofstream(folder / "records.json") << "[{\"text\": \"Some words.\"}]";
  EXPECT_THROW(SessionStore::writeNamed(stateOf({"/a.h5"}), folder / "records.json"), InputError);
  EXPECT_EQ(classifyPath(folder / "records.json"), PathKind::Text);
}

// Replaces a random part of the content and updates the check sum.
std::string meantOtherwise(const Json& root, std::mt19937& random) {
  static const std::vector<Json> kOthers = {nullptr,
                                            true,
                                            -1,
                                            1e300,
                                            1ull << 63,
                                            "",
                                            "L99999999999H-1",
                                            "\u0000/",
                                            Json::array(),
                                            Json::object(),
                                            Json::array({Json::array({Json::object()})}),
                                            std::string(100000, 'x')};
  Json content = root["content"];
  const Json places = content.flatten();
  auto place = places.begin();
  std::advance(place, static_cast<std::ptrdiff_t>(random() % places.size()));
  Json::json_pointer pointer(place.key());
  for (auto up = random() % 3; up > 0 && !pointer.empty(); --up) pointer.pop_back();
  const Json other = kOthers[random() % kOthers.size()];
  if (pointer.empty())
    content = other;
  else
    content[pointer] = other;
  return stateDocument(root["format"], random() % 50 == 0 ? 2 : 1, content);
}

std::string withChangedBytes(std::string text, std::mt19937& random) {
  for (auto left = 1 + random() % 3; left > 0; --left)
    text[random() % text.size()] = static_cast<char>(random());
  if (random() % 4 == 0) text.resize(random() % text.size());
  return text;
}

TEST(SessionStore, EveryMutatedSessionOpensOrIsRefused) {
  const TemporaryFolder folder;
  const fs::path file = folder / "session.json";
  std::mt19937 random(11);
  int opened = 0, refused = 0;
  for (const std::string& version : test::versions()) {
    const std::string text =
        readFile(fs::path(PLASTISCOPE_TEST_DATA) / "versions" / version / "session.json");
    const Json root = Json::parse(text);
    for (int i = 0; i < 5000; ++i) {
      const std::string bytes = i % 2 == 0 ? meantOtherwise(root, random) : withChangedBytes(text, random);
      std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
      try {
        const SessionState state = SessionStore::readNamed(file);
        EXPECT_EQ(SessionState::fromJson(state.toJson()).files(), state.files());
        ++opened;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("session.json"), std::string::npos) << error.what();
        ++refused;
      }
      ASSERT_EQ(readFile(file), bytes);
      if (i % 250 > 1) continue;
      // The next start reads it, and the window writes another.
      SessionStore store(folder.path());
      store.read();
      store.write(stateOf({"/new.h5"}));
      const bool kept = std::ranges::any_of(fs::directory_iterator(folder.path()), [&](const auto& entry) {
        return entry.is_regular_file() && readFile(entry.path()) == bytes;
      });
      ASSERT_TRUE(kept) << bytes;
      for (const auto& entry : fs::directory_iterator(folder.path())) fs::remove_all(entry.path());
    }
  }
  EXPECT_GT(opened, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(SessionStore, TheSessionIsIntactAfterAKillDuringSaving) {
  const TemporaryFolder folder;
  std::mt19937 random(7);
  std::uniform_int_distribution<int> microseconds(200, 30000);
  SessionStore(folder.path()).write(stateOf({"/0.h5"}));
  int later = 0;
  for (int round = 0; round < 40; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      SessionStore store(folder.path());
      for (int i = 1;; ++i) {
        SessionState state = stateOf({"/first.h5"});
        for (int tab = 0; tab < i % 9; ++tab) state.tabs.push_back({"/" + std::to_string(tab) + ".h5", {}});
        store.write(state);
      }
    }
    ::usleep(static_cast<unsigned>(microseconds(random)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const SessionStore store(folder.path());
    ASSERT_TRUE(store.isFirst());
    const std::vector<fs::path> files = filesOf(store.read());
    ASSERT_FALSE(files.empty()) << "round " << round << ": " << folder.listing();
    later += files.front() == "/first.h5";
  }
  EXPECT_GT(later, 0) << "no child saved before it was killed";
}

class SessionsTest : public test::WindowFixture {
 protected:
  SessionsTest() {
    for (int i = 0; i < 3; ++i)
      saved.push_back(provide(i % 2 ? "mixed.h5" : "grouped.h5", "tab " + std::to_string(i) + ".h5"));
    extra = provide("grouped.h5", "extra.h5");
    renew();
    window->openPaths(saved);
    EXPECT_TRUE(waitFor([this] { return tabs().count() == 4 && window->settled(); }));
    window->close();
  }
  std::vector<fs::path> shown() {
    std::vector<fs::path> files;
    for (int i = 0; i < tabs().count(); ++i) {
      if (const auto* page = qobject_cast<ModelPage*>(tabs().widget(i))) files.push_back(page->file());
    }
    return files;
  }
  void start(const std::vector<fs::path>& files = {}, const ViewSelection& selection = {}) {
    renew();
    window->sessions().start(files, selection);
    settle();
  }
  QStringList recentSessions() {
    auto* menu = window->findChild<QMenu*>(QStringLiteral("recentSessions"));
    Q_EMIT menu->aboutToShow();
    QStringList texts;
    for (const QAction* action : menu->actions()) texts.append(action->text());
    return texts;
  }

  std::vector<fs::path> saved;
  fs::path extra;
};

TEST_F(SessionsTest, AGivenFileJoinsTheSessionThatIsRestored) {
  ViewSelection selection;
  selection.head = HeadName{1, 1};
  start({extra}, selection);
  std::vector<fs::path> all = saved;
  all.push_back(extra);
  EXPECT_EQ(shown(), all);
  ASSERT_NE(window->currentPage(), nullptr);
  EXPECT_EQ(window->currentPage()->file(), extra);
  EXPECT_EQ(window->currentPage()->selection().value().head, selection.head);
  window->close();
  start();
  EXPECT_EQ(shown(), all);
  // A given file that is open already comes to the front.
  window->close();
  start({saved[1]});
  EXPECT_EQ(shown(), all);
  EXPECT_EQ(window->currentPage()->file(), saved[1]);
}

TEST_F(SessionsTest, TheLastSessionIsKeptWhenItIsNotRestored) {
  session->state.settings().restoreSession = false;
  session->state.saveSettings();
  start({extra});
  EXPECT_EQ(shown(), std::vector<fs::path>{extra});
  window->close();
  start();
  EXPECT_TRUE(shown().empty());
  const QStringList texts = recentSessions();
  EXPECT_EQ(texts.filter(QStringLiteral("3 tabs")).size(), 1) << texts.join('\n').toStdString();
}

TEST_F(SessionsTest, ASecondWindowKeepsTheSessionOfTheFirst) {
  start();
  Session other(folder / "settings");
  MainWindow second(other);
  second.show();
  second.sessions().start({extra}, {});
  ASSERT_TRUE(waitFor([&] { return second.currentPage() && second.settled(); }));
  EXPECT_EQ(second.currentPage()->file(), extra);
  second.close();
  EXPECT_EQ(session->state.sessions().read().files(), saved);
  window->close();
  EXPECT_EQ(session->state.sessions().read().files(), saved);
  EXPECT_EQ(recentSessions().filter(QStringLiteral("1 tab: extra")).size(), 1);
}

TEST_F(SessionsTest, ASavedSessionReplacesTheTabsAndKeepsThem) {
  start();
  window->sessions().saveAs(folder / "named.json");
  while (tabs().count() > 3) Q_EMIT tabs().tabCloseRequested(tabs().count() - 1);
  const std::vector<fs::path> left = shown();
  window->openPaths({folder / "named.json"});  // as a drop does
  settle();
  EXPECT_EQ(shown(), saved);
  EXPECT_TRUE(message().text().contains(QStringLiteral("named.json"))) << message().text().toStdString();
  message().findChild<QAbstractButton*>(QStringLiteral("messageAction"))->click();
  settle();
  EXPECT_EQ(shown(), left);
  EXPECT_EQ(recentSessions().filter(QStringLiteral("named.json")).size(), 1);
}

TEST_F(SessionsTest, SessionFromTheCommandLineOpensItsOwnWindow) {
  SessionStore::writeNamed(stateOf({extra}), folder / "one.json");
  start({folder / "one.json"});
  EXPECT_EQ(shown(), std::vector<fs::path>{extra});
  window->close();
  start();
  EXPECT_EQ(shown(), saved);
}

TEST_F(SessionsTest, ADamagedSavedSessionShowsOneMessage) {
  SessionStore::writeNamed(stateOf({extra}), folder / "one.json");
  const std::string whole = readFile(folder / "one.json");
  std::ofstream(folder / "one.json") << whole.substr(0, whole.size() / 2);
  start();
  window->openPaths({folder / "one.json"});
  settle();
  EXPECT_TRUE(message().text().contains(QStringLiteral("one.json"))) << message().text().toStdString();
  EXPECT_EQ(shown(), saved);
}

}  // namespace
}  // namespace plastiscope
