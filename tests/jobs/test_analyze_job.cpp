#include "core/jobs/analyze_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "core/analysis/settings.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/jobs/head_work.h"
#include "tests/jobs/memory_capture.h"
#include "tests/support/failure.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

AnalysisFile analyze(const CaptureFile& capture, const AnalysisSettings& settings = {}, int threads = 2) {
  Progress progress;
  return analyzeCapture(capture, settings, threads, progress);
}

std::string allBytes(const AnalysisFile& analysis) {
  std::string bytes;
  for (const Table& table : analysis.tables) bytes += table.name + "\n" + toCsv(table);
  for (const std::string& warning : analysis.provenance.warnings) bytes += warning + "\n";
  return bytes;
}

std::string refusalOf(const CaptureFile& capture, const AnalysisSettings& settings) {
  return test::failureOf([&] { (void)analyze(capture, settings); }, true);
}

TEST(AnalyzeJob, KeepsTheOrderOfHeads) {
  const Table heads = *analyze(test::MemoryCapture()).find("heads");
  EXPECT_THAT(heads.integers("layer"), ElementsAre(1, 1, 1, 4));
  EXPECT_THAT(heads.integers("head"), ElementsAre(0, 1, 3, 2));
  EXPECT_THAT(heads.integers("kv_head"), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(heads.texts("attention"), ElementsAre("full", "full", "full", "sliding"));
  EXPECT_THAT(heads.texts("rope"), ElementsAre("true", "true", "true", "false"));
  EXPECT_THAT(heads.integers("key_rows"), ElementsAre(380, 380, 380, 380));
}

TEST(AnalyzeJob, SameBytesForAnyNumberOfThreads) {
  const test::MemoryCapture capture;
  AnalysisSettings settings;
  for (const std::int64_t pairs : {0, 50}) {
    settings.pairs = pairs;
    const std::string one = allBytes(analyze(capture, settings, 1));
    for (const int threads : {2, 3, 8})
      EXPECT_EQ(allBytes(analyze(capture, settings, threads)), one) << threads;
  }
}

// Counts the reads of rows, which show what a change of settings computes.
class CountingCapture : public test::MemoryCapture {
 public:
  CapturedRows rows(const RowPlace& place) const override {
    ++reads;
    return test::MemoryCapture::rows(place);
  }
  mutable std::atomic<int> reads = 0;
};

TEST(AnalyzeJob, EverySettingBelongsToAPart) {
  const AnalysisSettings plain;
  for (const SettingInfo& setting : settingList()) {
    Json changed = plain.toJson();
    Json& value = changed[setting.name];
    if (setting.name == "decomposition" || setting.name == "anchor") continue;  // tested below
    if (value.is_number()) {
      value = value.get<double>() + (setting.most <= 1 ? 0.01 : 1);
      if (plain.toJson()[setting.name].is_number_integer()) value = value.get<std::int64_t>();
    } else if (value.is_array()) {
      value = {0, 99};
    } else if (setting.words.size() > 1) {
      value = setting.words.back();
    } else {
      continue;
    }
    AnalysisSettings other;
    try {
      other = AnalysisSettings::fromJson(changed);
    } catch (const UsageError&) {
      continue;  // valid only together with other settings
    }
    EXPECT_EQ(changedStages(plain, other).none(), setting.name == "map_min_count") << setting.name;
  }
  EXPECT_TRUE(changedStages(plain, plain).none());
}

TEST(AnalyzeJob, ChangedSettingsComputeOnlyTheirPartWithTheSameBytes) {
  struct Case {
    const char* name;
    void (*change)(AnalysisSettings&);
    bool geometry, plasticity;
  };
  const std::vector<Case> cases = {
      {"taxonomy", [](AnalysisSettings& s) { s.taxonomy = "notes"; }, true, false},
      {"b_axis", [](AnalysisSettings& s) { s.bAxis = "eigenvector"; }, true, false},
      {"components", [](AnalysisSettings& s) { s.components = 3; }, true, false},
      {"variance", [](AnalysisSettings& s) { s.variance = "full"; }, false, true},
      {"weights", [](AnalysisSettings& s) { s.weights = "equal"; }, false, true},
      {"decomposition", [](AnalysisSettings& s) { s.decomposition = "on"; }, false, true},
      {"projections", [](AnalysisSettings& s) { s.projections = "on"; }, true, false},
      {"pool_weights", [](AnalysisSettings& s) { s.poolWeights = "equal"; }, true, true},
      {"seed", [](AnalysisSettings& s) { s.seed = 5; }, true, true},
      {"map_min_count", [](AnalysisSettings& s) { s.mapMinCount = 3; }, false, false},
      {"nothing", [](AnalysisSettings&) {}, false, false}};
  const CountingCapture capture;
  AnalysisSettings before;
  before.pairs = 20;
  before.minQueries = 5;
  const AnalysisFile earlier = analyze(capture, before);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    AnalysisSettings now = before;
    c.change(now);
    const AnalysisStages parts = changedStages(before, now);
    EXPECT_EQ(parts.geometry, c.geometry);
    EXPECT_EQ(parts.plasticity, c.plasticity);
    const AnalysisFile whole = analyze(capture, now);
    capture.reads = 0;
    Progress progress;
    const AnalysisFile again = analyzeCapture(capture, now, 2, progress, {&earlier});
    EXPECT_EQ(allBytes(again), allBytes(whole));
    EXPECT_EQ(again.provenance.settingsHash, whole.provenance.settingsHash);
    EXPECT_EQ(capture.reads == 0, !c.geometry && !c.plasticity);
  }
}

// Intervals are added and removed without other computation.
TEST(AnalyzeJob, IntervalsAreAddedToAnEarlierAnalysis) {
  const test::MemoryCapture capture;
  AnalysisSettings plain;
  plain.pairs = 20;
  plain.minQueries = 5;
  AnalysisSettings jackknife = plain, bootstrap = plain;
  jackknife.interval = "jackknife";
  bootstrap.bootstrap = 4;
  const std::vector<AnalysisSettings> all = {plain, jackknife, bootstrap};
  for (const AnalysisSettings& before : all) {
    const AnalysisFile earlier = analyze(capture, before);
    for (const AnalysisSettings& now : all) {
      const AnalysisStages parts = changedStages(before, now);
      EXPECT_EQ(parts.none(), now.toJson() == before.toJson());
      Progress progress;
      EXPECT_EQ(allBytes(analyzeCapture(capture, now, 2, progress, {&earlier})),
                allBytes(analyze(capture, now)));
    }
  }
}

// The corrected value replaces the column, the plain one is kept beside it, and derived values use the
// corrected one.
TEST(AnalyzeJob, CorrectedEstimatesReplacePlainOnes) {
  const test::MemoryCapture capture;
  AnalysisSettings settings;
  settings.minQueries = 5;
  settings.minPairs = 1;
  const AnalysisFile plain = analyze(capture, settings);
  settings.estimate = settings.interval = "jackknife";
  const AnalysisFile corrected = analyze(capture, settings);
  for (const char* table : {"heads", "layers", "model"}) {
    const Table &before = *plain.find(table), &after = *corrected.find(table);
    for (const char* column : {"ap_overall", "ap_drop", "r2_pos", "bias_strength"}) {
      EXPECT_EQ(after.numbers(std::string(column) + "_plain"), before.numbers(column)) << table << column;
      const double value = after.numbers(column)[0];
      EXPECT_NE(value, before.numbers(column)[0]) << table << column;
      const double middle =
          (after.numbers(std::string(column) + "_low")[0] + after.numbers(std::string(column) + "_high")[0]) /
          2;
      EXPECT_NEAR(value, middle, 1e-9 * std::abs(middle)) << table << column;
    }
  }
  const std::vector<double>&kept = corrected.find("profile")->numbers("ap_plain"),
        &before = plain.find("profile")->numbers("ap");
  ASSERT_EQ(kept.size(), before.size());
  for (std::size_t row = 0; row < kept.size(); ++row)
    EXPECT_TRUE(kept[row] == before[row] || (std::isnan(kept[row]) && std::isnan(before[row]))) << row;
  const std::vector<double>& collapse = corrected.find("bump")->numbers("collapse");
  const Table& heads = *corrected.find("heads");
  for (std::size_t h = 0; h < collapse.size(); ++h) {
    const double deciles = (heads.numbers("ap_decile_9")[h] + heads.numbers("ap_decile_10")[h]) / 2;
    if (!std::isnan(deciles)) {
      EXPECT_NEAR(collapse[h], deciles, 1e-9);
    }
  }
  EXPECT_EQ(toCsv(*corrected.find("map")), toCsv(*plain.find("map")));
}

// An earlier analysis is a file and may have any content.
TEST(AnalyzeJob, AnEarlierAnalysisThatDoesNotFitIsNotUsed) {
  const test::MemoryCapture capture;
  AnalysisSettings now;
  now.taxonomy = "notes";
  const std::string whole = allBytes(analyze(capture, now));
  const AnalysisFile good = analyze(capture);
  const auto again = [&](const auto& damage) {
    AnalysisFile earlier = good;
    damage(earlier);
    Progress progress;
    return allBytes(analyzeCapture(capture, now, 2, progress, {&earlier}));
  };
  const auto heads = [](AnalysisFile& file) -> Table& { return file.tables.front(); };
  EXPECT_EQ(again([&](AnalysisFile& f) { f.tables.erase(f.tables.begin()); }), whole);
  EXPECT_EQ(again([&](AnalysisFile& f) {
              std::erase_if(heads(f).columns, [](const Column& c) { return c.name == "ap_decile_10"; });
            }),
            whole);
  EXPECT_EQ(
      again([&](AnalysisFile& f) { std::get<std::vector<std::int64_t>>(heads(f).columns[1].values)[0] = 7; }),
      whole);
  EXPECT_EQ(again([&](AnalysisFile& f) { f.provenance.programVersion = "0.0.1"; }), whole);
  EXPECT_EQ(again([&](AnalysisFile& f) { f.provenance.captureSettingsHash = "other"; }), whole);
  EXPECT_EQ(again([&](AnalysisFile& f) { f.provenance.settings.set("no_such_setting", 1); }), whole);
}

TEST(AnalyzeJob, SameIntervalsForAnyNumberOfThreads) {
  const test::MemoryCapture capture;
  AnalysisSettings settings;
  settings.bootstrap = 6;
  settings.pairs = 40;
  for (const char* variance : {"thesis", "full"}) {
    settings.variance = variance;
    const AnalysisFile one = analyze(capture, settings, 1);
    EXPECT_EQ(allBytes(analyze(capture, settings, 3)), allBytes(one));
    for (const char* table : {"heads", "layers", "model"}) {
      const Table& intervals = *one.find(table);
      for (std::size_t row = 0; row < intervals.rows(); ++row) {
        EXPECT_LT(intervals.numbers("ap_overall_low")[row], intervals.numbers("ap_overall_high")[row]);
        EXPECT_LT(intervals.numbers("bias_strength_low")[row], intervals.numbers("bias_strength_high")[row]);
      }
    }
  }
}

// The first of several rows for one (example, position) counts; the others cause a warning.
TEST(AnalyzeJob, TheFirstOfRepeatedRowsIsKept) {
  test::MemoryCapture twice;
  twice.positionOfRow[11] = 10 * 1201 % 2048 + 1;  // key row 11 at the place of key row 10, in layer 1
  const AnalysisFile analysis = analyze(twice);
  EXPECT_THAT(analysis.find("heads")->integers("key_rows"), ElementsAre(379, 379, 379, 380));
  EXPECT_EQ(analysis.provenance.warnings[0],
            "key L1H0: 1 rows repeat an example and position; the first of each was kept");
}

// --heads restricts the work, not the grid of bins: the rows of a head stay the same.
TEST(AnalyzeJob, ChosenHeadsKeepTheirNumbers) {
  const test::MemoryCapture capture;
  AnalysisSettings settings;
  settings.heads = "L1H1,L1H3";
  const Table all = *analyze(capture).find("profile"), some = *analyze(capture, settings).find("profile");
  ASSERT_EQ(some.rows(), 32U);
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t c = 0; c < all.columns.size(); ++c)
      EXPECT_EQ(some.cellText(c, row), all.cellText(c, row + 16));
  }
  settings.layers = "4";
  settings.heads.clear();
  EXPECT_THAT(analyze(capture, settings).find("heads")->integers("head"), ElementsAre(2));
}

// Layers 1 (heads 0, 1, 3) and 4 (head 2) were captured.
TEST(AnalyzeJob, RangesSelectCapturedHeads) {
  const test::MemoryCapture capture;
  AnalysisSettings settings;
  settings.layers = "0-3,4";
  EXPECT_THAT(analyze(capture, settings).find("heads")->integers("head"), ElementsAre(0, 1, 3, 2));
  settings.layers.clear();
  settings.heads = "L1H1-7";
  EXPECT_THAT(analyze(capture, settings).find("heads")->integers("head"), ElementsAre(1, 3));
  settings.heads = "L1H0-1,L1H2";
  EXPECT_EQ(refusalOf(capture, settings), "2 head L1H2 was not captured");
  settings.heads.clear();
  settings.layers = "0-3,5";
  EXPECT_EQ(refusalOf(capture, settings), "2 layer 5 has no captured heads");
}

TEST(AnalyzeJob, BinsFollowTheMeanNumberOfRows) {
  test::MemoryCapture capture;
  capture.editable().layerInfos[0].queryRows = 2000;  // 3 heads of 2000 and one of 420 rows: mean 1605
  EXPECT_EQ(gridOf(capture.info(), {}).bins(), 32);
}

TEST(AnalyzeJob, RefusesHeadsThatWereNotCaptured) {
  const test::MemoryCapture capture;
  AnalysisSettings settings;
  settings.heads = "L1H2";
  EXPECT_EQ(refusalOf(capture, settings), "2 head L1H2 was not captured");
  settings.heads = "L1H3";
  settings.layers = "4";
  EXPECT_THAT(refusalOf(capture, settings), HasSubstr("2 no captured head"));
  settings.heads.clear();
  settings.layers = "2";
  EXPECT_EQ(refusalOf(capture, settings), "2 layer 2 has no captured heads");
}

TEST(AnalyzeJob, RefusesImpossibleCaptures) {
  test::MemoryCapture outside;
  outside.positionOfRow[7] = 2048;
  EXPECT_THAT(refusalOf(outside, {}),
              HasSubstr("3 key L1H0, row 7: expected positions from 0 below the window of 2048"));
  test::MemoryCapture negative;
  negative.positionOfRow[400] = -1;  // only a query row
  EXPECT_THAT(refusalOf(negative, {}), HasSubstr("3 query L1H0, row 400"));
  test::MemoryCapture empty;
  empty.editable().bucketSize = 0;
  EXPECT_THAT(refusalOf(empty, {}),
              HasSubstr("3 the capture states a window of 2048 and buckets of 0 tokens"));
  test::MemoryCapture fine;
  fine.editable().window = std::int64_t{1} << 30;
  fine.editable().bucketSize = 1;
  AnalysisSettings buckets;
  buckets.bins = "buckets";
  EXPECT_THAT(refusalOf(fine, buckets), HasSubstr("2 bins: the capture has more than"));
}

TEST(AnalyzeJob, RowsThatAreNotFiniteAreCountedAndNamed) {
  test::MemoryCapture capture;
  capture.brokenQueries = {3, 100};
  capture.brokenKeys = {0, 1, 2, 379};
  const AnalysisFile analysis = analyze(capture);
  EXPECT_THAT(analysis.find("heads")->integers("query_rows"), ElementsAre(420, 420, 418, 420));
  EXPECT_THAT(analysis.find("heads")->integers("key_rows"), ElementsAre(376, 376, 380, 380));
  ASSERT_GE(analysis.provenance.warnings.size(), 2U);
  EXPECT_EQ(
      analysis.provenance.warnings[0],
      "key L1H0: 4 rows are not finite and were left out (example text 0 position 1, example text 0 position "
      "1202, example text 0 position 355, ...)");
  EXPECT_EQ(analysis.provenance.warnings[1],
            "query L1H3: 2 rows are not finite and were left out (example text 0 position 980, example text "
            "1 position "
            "549)");
}

TEST(AnalyzeJob, RecordsProvenance) {
  const test::MemoryCapture capture;
  const AnalysisProvenance provenance = analyze(capture).provenance;
  EXPECT_EQ(provenance.captureFile, "folder/random.h5");
  EXPECT_EQ(provenance.captureFingerprint, "f");
  EXPECT_EQ(provenance.captureSettingsHash, "s");
  EXPECT_EQ(provenance.settings["map_cell"], 128);  // resolved default
  EXPECT_EQ(provenance.settingsHash, sha256Hex(canonicalJson(provenance.settings)));
  EXPECT_EQ(AnalysisSettings::fromJson(provenance.settings).toJson(), provenance.settings);
  EXPECT_EQ(provenance.capture["model"], "random");
  EXPECT_EQ(provenance.capture["window"], 2048);
  EXPECT_EQ(provenance.capture["key_heads"], 2);
  EXPECT_EQ(provenance.capture["examples"], 5);
  EXPECT_EQ(provenance.capture["layer_kinds"][1]["attention"], "sliding");
  EXPECT_THAT(provenance.warnings,
              ElementsAre(HasSubstr("ap_first20"), HasSubstr("aligned plasticity is missing")));
}

// Counts what is reported and asks to stop after a number of heads.
struct Watching : Progress {
  int stopAfter = -1;
  std::atomic<int> heads = 0;
  double last = 0;
  bool ascending = true;
  std::string settings;
  void started(std::string_view, std::string_view settingsJson) override { settings = settingsJson; }
  void advanced(const ProgressState& state) override {
    ascending = ascending && state.done > last && state.total == 4 && state.unit == "head";
    last = state.done;
    ++heads;
  }
  bool stopRequested() const override { return stopAfter >= 0 && heads >= stopAfter; }
};

TEST(AnalyzeJob, ReportsEveryHead) {
  Watching progress;
  (void)analyzeCapture(test::MemoryCapture(), {}, 2, progress);
  EXPECT_EQ(progress.heads, 4);
  EXPECT_TRUE(progress.ascending);
  EXPECT_THAT(progress.settings, HasSubstr("\"pair_scope\":\"same_example\""));
}

TEST(AnalyzeJob, StopsWhenAsked) {
  for (const int after : {0, 1, 3}) {
    Watching progress;
    progress.stopAfter = after;
    EXPECT_THROW((void)analyzeCapture(test::MemoryCapture(), {}, 2, progress), Stopped) << after;
    EXPECT_LE(progress.heads, after + 1);
  }
}

}  // namespace
}  // namespace plastiscope
