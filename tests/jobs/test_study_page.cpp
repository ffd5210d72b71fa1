// The page of a study: values equal the tables, texts of files are escaped, and a browser draws it.
#include "core/jobs/study_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/jobs/study_job.h"
#include "core/views/head_sentence.h"
#include "core/views/map_data.h"
#include "core/views/study_facts.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

class StudyPage : public ::testing::Test {
 protected:
  StudyPage() {
    study = std::make_shared<Study>(
        *openStudy(std::filesystem::path(PLASTISCOPE_RESOURCES) / "example" / "smollm2-135m-licences.h5",
                   AnalysisSettings(), 2, progress));
  }
  std::string page(const StudyPageOptions& options = {}, int threads = 2) {
    return studyPage(study, options, threads, progress);
  }
  void addCauses() {
    TableBuilder probes("probes", {texts("kind"), texts("condition"), integers("length"), numbers("depth"),
                                   integers("texts"), numbers("accuracy")});
    const auto probe = [&](const char* kind, const char* condition, std::int64_t length, double depth,
                           double accuracy) {
      probes.row({kind, condition, length, depth, std::int64_t{8}, accuracy});
    };
    probe("needle", "present", 2048, 0, 0.75);
    probe("needle", "present", 512, 0, 1);
    probe("needle", "absent", 512, 0, 0.5);
    probe("needle", "present", 2048, 0.5, 0.125);
    probe("text", "present", 2048, kMissing, 0.3);
    TableBuilder retrieval(
        "retrieval", {integers("layer"), integers("head"), texts("kind"), integers("texts"), numbers("score"),
                      numbers("score_low"), numbers("score_high")});
    for (const auto& [head, kind, score] : {std::tuple{HeadName{5, 2}, "all", 0.2},
                                            {HeadName{16, 4}, "needle", 0.9},
                                            {HeadName{16, 4}, "all", 0.6}})
      retrieval.row({head.layer, head.head, kind, std::int64_t{8}, score, score - 0.1, score + 0.1});
    auto analysis = std::make_shared<AnalysisFile>(*study->analysis);
    analysis->tables.push_back(probes.take());
    analysis->tables.push_back(retrieval.take());
    study->analysis = analysis;
  }
  static Json dataOf(const std::string& page) {
    const std::string begin = "id=\"data\">";
    const std::size_t at = page.find(begin) + begin.size();
    return parseJson(page.substr(at, page.find("</script>", at) - at), "the page");
  }
  // The answers, as core/jobs/study_server.h gives them.
  static Json answersOf(const std::string& page) { return dataOf(page)["answers"]; }
  static Json boxOf(const Json& answers, const std::string& request) {
    return answers.at(request)["boxes"].at(0);
  }

  test::RecordedProgress progress;
  std::shared_ptr<Study> study;
};

TEST_F(StudyPage, HoldsTheTablesToFourDigits) {
  const Json data = answersOf(page())["study"];
  const Table& heads = requiredTable(*study->analysis, "heads");
  ASSERT_EQ(data["table"]["layer"].size(), heads.rows());
  std::size_t values = 0;
  for (std::size_t m = 0; m < data["metrics"].size(); ++m) {
    const NumberColumn column(heads, data["metrics"][m]["id"].get<std::string>());
    for (std::size_t row = 0; row < heads.rows(); ++row) {
      const Json& shown = data["table"]["values"][m][row];
      ASSERT_EQ(shown.is_null(), std::isnan(column[row]));
      if (shown.is_null()) continue;
      EXPECT_NEAR(shown.get<double>(), column[row], std::abs(column[row]) * 5.1e-4);
      ++values;
    }
  }
  EXPECT_GT(values, 500u);
}

TEST_F(StudyPage, HasPlaneProfileMapTextAndSentenceOfEachHead) {
  const Json answers = answersOf(page());
  const Table& heads = requiredTable(*study->analysis, "heads");
  const std::vector<HeadName> names = headsOf(heads);
  for (std::size_t row = 0; row < names.size(); ++row) {
    const std::string head = "?head=" + names[row].text();
    const Json plane = boxOf(answers, "plane" + head)["marks"][0];
    for (const Json& set : plane["sets"]) EXPECT_EQ(set["x"].size(), 160u) << head;
    EXPECT_EQ(boxOf(answers, "text" + head)["marks"][0]["kind"], "excerpt");
    EXPECT_EQ(answers["profile" + head]["boxes"].size(), 2u) << "profile and quintiles";
    const MapData map = makeMap(*study->analysis, {names[row], {}}, ApKind::Aligned);
    const Json shown = boxOf(answers, "map" + head)["marks"][0];
    ASSERT_EQ(shown["value"].size(), map.mean.size());
    for (std::size_t cell = 0; cell < map.mean.size(); ++cell) {
      if (map.count[cell] < map.minCount) continue;
      EXPECT_NEAR(shown["value"][cell].get<double>(), map.mean[cell], 5.1e-4 * map.mean[cell]);
      EXPECT_EQ(shown["state"].get<std::string>()[cell], '1');
    }
    EXPECT_EQ(answers["head" + head]["sentence"], wholeSentence(heads, row, &map, ApKind::Aligned));
  }
  EXPECT_EQ(answers["lines"]["y"].size(),
            requiredTable(*study->analysis, "profile_aligned").rows());
  EXPECT_EQ(answers["study"]["maps"]["viridis"].front(), "#440154");
  EXPECT_EQ(answers["study"]["maps"]["viridis"].back(), "#fde725");
}

TEST_F(StudyPage, TakesOnlyTheHeadsAndRowsThatAreAskedFor) {
  const auto count = [](const Json& answers, const std::string& path) {
    std::size_t found = 0;
    for (const auto& [request, answer] : answers.items()) found += request.starts_with(path + "?") ? 1 : 0;
    return found;
  };
  const Json few = answersOf(page({{{16, 4}}, 10}));
  EXPECT_EQ(count(few, "plane"), 1u);
  EXPECT_EQ(count(few, "profile"), 24u);
  EXPECT_EQ(boxOf(few, "plane?head=L16H4")["marks"][0]["sets"][0]["x"].size(), 10u);
  EXPECT_EQ(few["study"]["table"]["layer"].size(), 24u);
  EXPECT_EQ(count(answersOf(page({{}, 0})), "plane"), 0u);
  EXPECT_THROW(page({{{5, 5}}, 10}), UsageError);
}

TEST_F(StudyPage, NamesWhatDoesNotFit) {
  StudyPageOptions small;
  small.megabytes = 1;
  const std::string text = page(small);
  EXPECT_LT(text.size(), 1.2e6) << "and the scripts";
  const Json data = dataOf(text);
  EXPECT_THAT(data["left"].get<std::string>(), ::testing::HasSubstr("24 texts of heads"));
  EXPECT_TRUE(data["answers"].contains("profile?head=L16H4"));
  EXPECT_EQ(dataOf(page())["left"], "");
}

TEST_F(StudyPage, ComparesWithOtherStudies) {
  auto other = std::make_shared<Study>(*study);
  other->file = "other.h5";
  const Json answers = answersOf(studyPage(study, {{{16, 4}}}, 2, progress, {other}));
  EXPECT_EQ(answers["study"]["studies"].size(), 2u);
  EXPECT_FALSE(answers.at("compare").contains("error")) << answers["compare"]["error"];
}

TEST_F(StudyPage, IsTheSameForAnyNumberOfThreads) {
  EXPECT_EQ(page({}, 1), page({}, 4));
}

// Tables of probes as `probe` writes them, with a kind and a row that are not in the maps.
TEST_F(StudyPage, HasMapsOfProbesAndHeadsByRetrievalScore) {
  EXPECT_FALSE(answersOf(page()).contains("probes") || answersOf(page()).contains("retrieval"));
  addCauses();
  const Json answers = answersOf(page());
  const Json& maps = answers["probes"]["panels"];
  ASSERT_EQ(maps.size(), 1u);
  const Json& box = maps[0]["boxes"][0];
  EXPECT_EQ(maps[0]["legend"][0]["text"], "needle");
  EXPECT_EQ(box["x"]["names"], Json({"512", "2,048"}));
  EXPECT_EQ(box["y"]["names"], Json({"0", "50"}));
  EXPECT_EQ(box["marks"][0]["value"], Json::array({1, 0.75, nullptr, 0.125})) << "by depth, then by length";
  const Json ranked = boxOf(answers, "retrieval");
  EXPECT_EQ(ranked["x"]["names"], Json({"L16H4", "L5H2"}));
  EXPECT_EQ(ranked["marks"][0]["top"], Json({0.6, 0.2}));
  EXPECT_EQ(ranked["marks"][1]["low"], Json({0.5, 0.1}));
}

TEST_F(StudyPage, EscapesTextsOfAFile) {
  study->title = "</script><script>alert(1)</script><!-- \xff";
  const std::string text = page();
  EXPECT_EQ(text.find("alert(1)</script>"), std::string::npos);
  EXPECT_TRUE(answersOf(text)["study"]["title"].get<std::string>().starts_with("</script><script>"));
}

TEST_F(StudyPage, StopsWhenAsked) {
  progress.stopAfterUnits = 0;
  EXPECT_THROW(page(), Stopped);
}

// In Chromium if installed: the page's script has to run to its end and draw the data.
TEST_F(StudyPage, ABrowserDrawsIt) {
  std::filesystem::path browser;
  for (const char* name : {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"})
    if (browser.empty() && std::filesystem::exists(name)) browser = name;
  if (browser.empty()) GTEST_SKIP() << "Chromium is not installed";
  test::TemporaryFolder folder;
  addCauses();
  const std::filesystem::path file = folder / "study.html";
  writeFileAtomically(file, page());
  const auto shown =
      test::runProgram(browser.string(),
                       {"--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000",
                        "--user-data-dir=" + (folder / "profile").string(), "--dump-dom",
                        "file://" + file.string() + "#L16H4,ap_drop"},
                       {.environment = {"HOME=" + folder.path().string()}});
  ASSERT_EQ(shown.exitCode, 0) << shown.err;
  const std::string drawn = shown.out.substr(0, shown.out.find("<script"));
  const auto times = [&drawn](const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = drawn.find(part); at != std::string::npos; at = drawn.find(part, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(times("<tr data-i="), 24u);
  EXPECT_EQ(times("aria-selected=\"true\""), 1u);
  EXPECT_EQ(times("data-set=\"key\" data-count=\"160\""), 1u);
  EXPECT_EQ(times("data-set=\"query\" data-count=\"160\""), 1u);
  EXPECT_EQ(times("class=\"chosen\""), 1u) << "the head in the grid";
  EXPECT_GT(times("data-token="), 200u) << "the text";
  EXPECT_EQ(times(" id=\"head\">L16 H4<"), 1u);
  EXPECT_EQ(times(" id=\"sentence\">prefers recent keys: "), 1u);
  EXPECT_EQ(times("class=\"strip\""), 6u) << "scales of grid, queries, keys, map, text and probes";
  EXPECT_EQ(times("font-weight=\"bold\">L16H4<"), 1u) << "the chosen head among the ranked ones";
}

}  // namespace
}  // namespace plastiscope
