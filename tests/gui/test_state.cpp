#include <gtest/gtest.h>

#include <QProcess>
#include <QTextDocument>
#include <QUrl>
#include <algorithm>
#include <fstream>
#include <set>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/state_file.h"
#include "core/figures/parts.h"
#include "support/temporary_folder.h"
#include "widgets/capture/capture_dialog.h"
#include "widgets/capture/capture_form.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/state/app_settings.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/selection.h"
#include "widgets/state/session_state.h"
#include "widgets/state/study_notes.h"

namespace plastiscope {
namespace {

using test::TemporaryFolder;

TEST(KnownLooks, DifferAndAreKept) {
  setKnownLooks({});
  std::set<int> looks, colours;
  for (int i = 0; i < kLooks; ++i) {
    const int look = knownLook("digest " + std::to_string(i));
    looks.insert(look);
    if (i < kLookColours) colours.insert(look % kLookColours);
  }
  EXPECT_EQ(looks.size(), static_cast<std::size_t>(kLooks)) << "every look is used";
  EXPECT_EQ(colours.size(), static_cast<std::size_t>(kLookColours)) << "the first have different colours";
  EXPECT_EQ(knownLook("one too many"), captureLook("one too many"));
  EXPECT_EQ(knownLook("published:qwen3-4b"), captureLook("published:qwen3-4b"));
  const int first = knownLook("digest 0"), last = knownLook("digest 79");
  AppSettings settings;
  settings.looks = knownLooks();
  setKnownLooks({});
  Json written = settings.toJson();
  written["looks"].push_back({"beyond", kLooks});
  written["looks"].push_back("no look");
  EXPECT_EQ(AppSettings::fromJson(written).looks, settings.looks);
  setKnownLooks(AppSettings::fromJson(written).looks);
  EXPECT_EQ(knownLook("digest 0"), first) << "seen lately";
  EXPECT_EQ(knownLook("digest 79"), last);
  const std::vector<KnownLook> kept = knownLooks();
  EXPECT_LT(kept.size(), static_cast<std::size_t>(kLooks)) << "old looks are dropped";
  EXPECT_EQ(std::ranges::count(kept, "digest 1", &KnownLook::digest), 0) << "the oldest look is dropped";
  setKnownLooks({});
}

TEST(StateFile, KeepsContentAndTheCopyBefore) {
  const TemporaryFolder folder;
  StateFile file(folder / "a.json", "plastiscope-test", 1);
  EXPECT_TRUE(file.read().is_null());
  file.write({{"x", 1}});
  file.write({{"x", 2}});
  EXPECT_EQ(file.read(), Json({{"x", 2}}));
  EXPECT_EQ(folder.listing(), "a.json a.json.previous");
}

TEST(StateFile, DamageFallsBackToTheCopyAndIsKeptAside) {
  const TemporaryFolder folder;
  StateFile file(folder / "a.json", "plastiscope-test", 1);
  file.write({{"x", 1}});
  file.write({{"x", 2}});
  std::string text = readFile(folder / "a.json");
  text.replace(text.find("\"x\": 2"), 6, "\"x\": 3");  // the check sum no longer agrees
  std::ofstream(folder / "a.json") << text;
  std::string problem;
  EXPECT_EQ(file.read(&problem), Json({{"x", 1}}));
  EXPECT_NE(problem.find("check sum"), std::string::npos) << problem;
  file.write({{"x", 4}});
  EXPECT_EQ(file.read(), Json({{"x", 4}}));
  EXPECT_EQ(readFile(folder / "a.json.damaged"), text);
}

TEST(StateFile, NewerVersionIsNeitherReadNorOverwritten) {
  const TemporaryFolder folder;
  StateFile(folder / "a.json", "plastiscope-test", 2).write({{"x", 1}});
  const std::string before = readFile(folder / "a.json");
  StateFile old(folder / "a.json", "plastiscope-test", 1);
  std::string problem;
  EXPECT_TRUE(old.read(&problem).is_null());
  EXPECT_NE(problem.find("newer"), std::string::npos);
  old.write({{"x", 9}});
  EXPECT_EQ(readFile(folder / "a.json"), before);
}

TEST(StateFile, NeverThrowsOnGarbage) {
  const TemporaryFolder folder;
  for (const char* garbage :
       {"", "{", "[]", "{\"format\": 3}", "\xff\xfe", "{\"format\":\"plastiscope-test\",\"version\":\"1\"}",
        "{\"format\":\"plastiscope-test\",\"version\":1,\"crc32\":-1,\"content\":{}}"}) {
    std::ofstream(folder / "a.json") << garbage;
    EXPECT_TRUE(StateFile(folder / "a.json", "plastiscope-test", 1).read().is_null()) << garbage;
  }
}

TEST(AppSettings, UnknownFieldsSurviveAndWrongOnesKeepDefaults) {
  const Json stored = {{"theme", "purple"},
                       {"later", {{"a", 1}}},
                       {"model_folders", {"/m", 3}},
                       {"restore_session", "no"},
                       {"intervals", 0},
                       {"recent_files", {{{"path", "/c.h5"}, {"opened", 5}}, {{"note", "no path"}}, 7}}};
  const AppSettings settings = AppSettings::fromJson(stored);
  EXPECT_EQ(settings.theme, "system");
  EXPECT_TRUE(settings.restoreSession);
  EXPECT_TRUE(settings.intervals);
  EXPECT_FALSE(AppSettings::fromJson({{"intervals", false}}).intervals);
  EXPECT_EQ(settings.modelFolders, std::vector<std::filesystem::path>{"/m"});
  ASSERT_EQ(settings.recentFiles.size(), 1u);
  EXPECT_EQ(settings.recentFiles[0].path, "/c.h5");
  EXPECT_EQ(settings.toJson()["later"], Json({{"a", 1}}));
}

TEST(AppSettings, RecentFilesAreUniqueAndNewestFirst) {
  std::vector<RecentFile> files;
  for (int i = 0; i < 30; ++i) remember(files, {"/" + std::to_string(i), i, "", ""});
  remember(files, {"/25", 99, "", ""});
  ASSERT_EQ(files.size(), 20u);
  EXPECT_EQ(files[0].path, "/25");
  EXPECT_EQ(files[1].path, "/29");
  EXPECT_EQ(std::count_if(files.begin(), files.end(), [](const auto& f) { return f.path == "/25"; }), 1);
}

TEST(SessionState, SurvivesJsonAndSkipsDamagedTabs) {
  SessionState state;
  state.tabs.push_back({"/a.h5", {}});
  state.tabs[0].selection.head = HeadName{12, 6};
  state.tabs[0].selection.marked = {{1, 2}};
  state.tabs[0].selection.filter = "layer < 3";
  state.current = 0;
  Json stored = state.toJson();
  stored["tabs"].push_back({{"file", 3}});
  stored["tabs"].push_back("x");
  const SessionState read = SessionState::fromJson(stored);
  ASSERT_EQ(read.tabs.size(), 1u);
  EXPECT_EQ(read.tabs[0].selection, state.tabs[0].selection);
  EXPECT_EQ(read.current, 0);
  EXPECT_EQ(SessionState::fromJson({{"tabs", Json::array()}, {"current", 4}}).current, -1);
  EXPECT_TRUE(SessionState::fromJson("no").tabs.empty());
}

// Names that are not valid UTF-8, names that look like an escape, and ordinary ones.
const std::vector<std::filesystem::path> kNames = {"/d/\xff\xfe caf\xe9.h5", "/d/lone \x80",
                                                   "/d/line\nbreak\x1b.h5",  R"(/d/\xFF real.h5)",
                                                   R"(/d/\x5CxFF)",          "/d/模型 \"x\" 'y'.h5"};

TEST(ForeignNames, SurviveSettingsSessionsAndDrafts) {
  const TemporaryFolder folder;
  AppSettings settings;
  settings.captureFolder = kNames.front();
  settings.modelFolders = kNames;
  SessionState session;
  for (const auto& name : kNames) {
    remember(settings.recentFiles, {name, 1, "note", "llama"});
    session.tabs.push_back({name, {}});
    session.tabs.back().compared = kNames;
  }
  StateFile file(folder / "a.json", "plastiscope-test", 1);
  file.write({{"settings", settings.toJson()}, {"session", session.toJson()}});
  const Json read = file.read();
  const AppSettings settingsAgain = AppSettings::fromJson(read.at("settings"));
  EXPECT_EQ(settingsAgain.captureFolder, kNames.front());
  EXPECT_EQ(settingsAgain.modelFolders, kNames);
  ASSERT_EQ(settingsAgain.recentFiles.size(), kNames.size());
  const SessionState sessionAgain = SessionState::fromJson(read.at("session"));
  ASSERT_EQ(sessionAgain.tabs.size(), kNames.size());
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    EXPECT_EQ(settingsAgain.recentFiles[kNames.size() - 1 - i].path, kNames[i]);
    EXPECT_EQ(sessionAgain.tabs[i].file, kNames[i]);
    EXPECT_EQ(sessionAgain.tabs[i].compared, kNames);
  }
  CaptureRequest draft;
  draft.model = draft.out = draft.clampFrom = draft.tokens = kNames.front();
  draft.corpus.files = kNames;
  const CaptureRequest again = CaptureRequest::fromJson(Json::parse(draft.toJson().dump()));
  EXPECT_EQ(again.out, draft.out);
  EXPECT_EQ(again.corpus.files, kNames);
}

TEST(ForeignNames, SurviveTextsAndUrlsOfTheWindow) {
  for (const auto& name : kNames) {
    EXPECT_EQ(fileOfText(fileText(name)), name);
    EXPECT_FALSE(fileText(name).contains(QChar::ReplacementCharacter));
    EXPECT_EQ(fileOfUrl(urlOfFile(name)), name);
    EXPECT_EQ(fileOfUrl(QUrl::fromEncoded(urlOfFile(name).toEncoded())), name);
  }
}

TEST(ForeignNames, ArePassedToTheCaptureProgramOrRefused) {
  const QStringList passed = programArguments({fileText(R"(/d/\xFF real.h5)"), fileText("/d/caf\u00e9")});
  EXPECT_EQ(passed, QStringList({R"(/d/\xFF real.h5)", QStringLiteral("/d/caf\u00e9")}));
  EXPECT_THROW(programArguments({fileText("/d/\xff")}), InputError);
}

// bash turns the quoted text back into the name.
TEST(ForeignNames, AreQuotedForTheShell) {
  EXPECT_EQ(shellQuoted(fileText("/d/\xff caf\xe9's")), R"($'/d/\xFF caf\xE9\x27s')");
  EXPECT_EQ(shellQuoted(QStringLiteral("a\n\\")), QStringLiteral("$'a\\x0A\\x5C'"));
  EXPECT_EQ(shellQuoted(QStringLiteral("a b")), QStringLiteral("'a b'"));
  for (const auto& name : kNames) {
    QProcess bash;
    bash.start(QStringLiteral("bash"), {QStringLiteral("-c"), "printf %s " + shellQuoted(fileText(name))});
    ASSERT_TRUE(bash.waitForFinished());
    EXPECT_EQ(bash.readAllStandardOutput().toStdString(), name.native());
  }
}

TEST(ForeignText, IsShownAsPlainTextInATip) {
  const QString tip = plainTip(QStringLiteral("<b>bold</b> <img src='file:///etc/passwd'>"));
  QTextDocument shown;
  shown.setHtml(tip);
  EXPECT_EQ(shown.toPlainText(), QStringLiteral("<b>bold</b> <img src='file:///etc/passwd'>"));
  EXPECT_EQ(plainTip(QStringLiteral("Qwen3 & 4")), QStringLiteral("Qwen3 & 4"));
}

TEST(StudyNotes, LongHeadRangesAreSkippedQuickly) {
  Json heads = Json::object();
  for (int i = 0; i < 300; ++i) heads["L" + std::to_string(i) + "H0-999999"] = "note";
  heads["L3H4"] = "kept";
  const StudyNotes notes = StudyNotes::fromJson({{"heads", heads}, {"starred", {"L0H0-999999", "L1H2"}}});
  ASSERT_EQ(notes.heads.size(), 1u);
  EXPECT_EQ(notes.heads.begin()->second, "kept");
  EXPECT_EQ(notes.starred.size(), 1u);
}

TEST(History, MergesQuickChangesOfOneKindAndStopsAtHundred) {
  History<int> history;
  history.push(0, 1, 1000);
  history.push(1, 1, 1100);  // merged into the step before
  history.push(2, 2, 1150);  // another kind
  history.push(3, 2, 3000);  // too late to merge
  EXPECT_EQ(history.undo(4), 3);
  EXPECT_EQ(history.undo(3), 2);
  EXPECT_EQ(history.undo(2), 0);
  EXPECT_FALSE(history.canUndo());
  EXPECT_EQ(history.redo(0), 2);
  for (int i = 0; i < 150; ++i) history.push(i, 0, 0);
  int steps = 0;
  while (history.canUndo()) {
    history.undo(0);
    ++steps;
  }
  EXPECT_EQ(steps, 100);
}

TEST(Selection, NotifiesOncePerChangeAndUndoes) {
  Selection selection;
  ViewSelection start;
  start.head = HeadName{0, 0};
  selection.reset(start);
  int told = 0;
  QObject::connect(&selection, &Selection::changed,
                   [&](const ViewSelection&, const ViewSelection&) { ++told; });
  selection.setHead({0, 0});
  EXPECT_EQ(told, 0);
  selection.setHead({3, 1});
  selection.setMetric("ap_drop");
  selection.toggleMark({3, 1});
  EXPECT_EQ(told, 3);
  selection.undo();
  EXPECT_TRUE(selection.value().marked.empty());
  selection.undo();
  EXPECT_EQ(selection.value().metric, "ap_aligned");
  selection.undo();
  EXPECT_EQ(selection.value(), start);
  EXPECT_FALSE(selection.canUndo());
  selection.redo();
  EXPECT_EQ(selection.value().head, (HeadName{3, 1}));
}

TEST(Selection, TheResultShownUnderCausesIsKeptButNotUndone) {
  Selection selection;
  ViewSelection start;
  start.head = HeadName{0, 0};
  selection.reset(start);
  selection.setHead({3, 1});
  selection.setCauses("retrieval");
  EXPECT_EQ(ViewSelection::fromJson(selection.value().toJson()), selection.value());
  EXPECT_FALSE(start.toJson().contains("causes"));
  selection.undo();
  EXPECT_EQ(selection.value().head, (HeadName{0, 0}));
  EXPECT_EQ(selection.value().causes, "retrieval");
  EXPECT_FALSE(selection.canUndo());
  selection.setCauses("doses");
  selection.redo();
  EXPECT_EQ(selection.value().head, (HeadName{3, 1}));
  EXPECT_EQ(selection.value().causes, "doses");
}

TEST(Selection, AnotherPlasticityIsOneStepAndChangesTheMetric) {
  Selection selection;
  ViewSelection start;
  start.head = HeadName{0, 0};
  selection.reset(start);
  selection.setPlasticity(ApKind::Binned);
  EXPECT_EQ(selection.value().metric, "ap_overall");
  EXPECT_EQ(selection.value().axes.y, "ap_drop");
  EXPECT_EQ(ViewSelection::fromJson(selection.value().toJson()), selection.value());
  selection.undo();
  EXPECT_EQ(selection.value(), start);
  Json old = start.toJson();  // written by a version with binned values only
  old.erase("plasticity");
  old["metric"] = "ap_drop";
  EXPECT_EQ(ViewSelection::fromJson(old).metric, "ap_aligned_drop");
}

TEST(CaptureDraft, TheCommandHasOnlySettingsThatAreNotDefaults) {
  CaptureRequest draft;
  draft.model = "/m/model.gguf";
  draft.corpus.files = {"/t/a.txt", "/t/it's.txt"};
  draft.out = "/o/my capture.h5";
  EXPECT_EQ(captureArguments(draft), QStringList({"--model", "/m/model.gguf", "--text", "/t/a.txt",
                                                  "/t/it's.txt", "--out", "/o/my capture.h5"}));
  EXPECT_EQ(captureChildArguments({"--out", "a.h5"}),
            QStringList({"capture", "--out", "a.h5", "--part", "0/1"}))
      << "also inside a cluster job";
  draft.part = {1, 4};
  EXPECT_TRUE(captureArguments(draft).contains("--part"));
  EXPECT_EQ(captureChildArguments(captureArguments(draft)).count("--part"), 1);
  EXPECT_EQ(CaptureRequest::fromJson(draft.toJson()).part, (CapturePart{1, 4}));
  draft.part = {};
  draft.plan.window = 4096;
  draft.plan.rate = 14;
  draft.plan.heads = "all";
  draft.plan.paired = true;
  draft.plan.dtype = "float32";
  EXPECT_EQ(
      shellCommand(QStringLiteral("plastiscope-cli capture"), captureArguments(draft)),
      "plastiscope-cli capture \\\n  --model /m/model.gguf \\\n  --text /t/a.txt \\\n    '/t/it'\\''s.txt' "
      "\\\n  "
      "--window 4096 \\\n"
      "  --rate 14 \\\n  --heads all \\\n  --paired \\\n  --dtype float32 \\\n  --out '/o/my capture.h5'");
}

TEST(CaptureDraft, SuggestsNamesAndRates) {
  EXPECT_EQ(suggestedCaptureName("SmolLM2-135M", "licences", 4096), "smollm2-135m licences 4k.h5");
  EXPECT_EQ(suggestedCaptureName("SmolLM2.Q4_1.gguf", "texts", 1024), "smollm2.q4_1 texts 1k.h5");
  EXPECT_EQ(suggestedCaptureName("a/b\\c:d", "../x", 5000), "a-b-c-d ..-x 5000.h5");
  EXPECT_EQ(suggestedCaptureName("..", "", 0), "capture.h5");
  EXPECT_EQ(windowText(131072), "128k");
  // 10 texts of 4,096 tokens, buckets of 256: 160 rows a head at rate 1
  EXPECT_EQ(suggestedRate(40960, 256), 13);
  EXPECT_EQ(suggestedRate(500 * 131072, 8192), 1);
  EXPECT_EQ(suggestedRate(100, 8), 8);  // every token, not more
  EXPECT_EQ(suggestedRate(0, 0), 1);
}

}  // namespace
}  // namespace plastiscope
