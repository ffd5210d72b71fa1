// Import and export of the author's Parquet layout; values from tests/data/qk_sniffer/make_qk_sniffer.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/parquet/qk_table.h"
#include "core/store/capture_output.h"
#include "core/store/capture_writer.h"
#include "core/store/qk_sniffer/layout.h"
#include "core/store/qk_sniffer/conversion.h"
#include "core/store/verify.h"
#include "tests/cli/hdf5_content.h"
#include "tests/support/recorded_progress.h"
#include "tests/store/sample_capture.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

fs::path data(const std::string& name) {
  return fs::path(PLASTISCOPE_TEST_DATA) / "qk_sniffer" / name;
}

QkImportRequest request(const fs::path& folder, const fs::path& out) {
  QkImportRequest made;
  made.folder = folder;
  made.out = out;
  made.window = 64;
  return made;
}

std::shared_ptr<const CaptureFile> imported(const QkImportRequest& from, Progress& progress) {
  importQkSniffer(from, progress);
  const VerifyReport report = verifyFile(from.out);
  EXPECT_TRUE(report.problems.empty()) << report.problems.front();
  return openCapture(from.out);
}

// Expects the rows and exact vectors that NumPy wrote, for every head.
void expectHeads(const CaptureFile& capture, const std::string& set) {
  const Json expected = readJsonFile(data("expected.json")).at(set);
  std::vector<std::string> ids;
  for (const CaptureExampleInfo& example : capture.info().examples) ids.push_back(example.id);
  EXPECT_EQ(Json(ids), expected.at("ids"));
  std::size_t heads = 0;
  for (const CaptureLayerInfo& layer : capture.info().layerInfos) {
    for (const RowSet kind : {RowSet::Query, RowSet::Key}) {
      for (const std::int64_t head : headsOf(layer, kind)) {
        const std::string name = qkFolderName({layer.layer, head, kind});
        SCOPED_TRACE(name);
        const Json& there = expected.at("heads").at(name);
        const CapturedRows rows = capture.rows({layer.layer, head, kind});
        EXPECT_EQ(Json(rows.position), there.at("position"));
        EXPECT_EQ(Json(rows.example), there.at("example"));
        EXPECT_EQ(Json(rows.bucket), there.at("bucket"));
        Sha256 hash;
        hash.add(std::as_bytes(std::span(rows.vectors)));
        EXPECT_EQ(there.at("sha256"), hash.hex());
        ++heads;
      }
    }
  }
  EXPECT_EQ(heads, expected.at("heads").size());
}

class QkSniffer : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!parquetAvailable()) GTEST_SKIP() << "this build has no Arrow";
  }
  TemporaryFolder folder;
  RecordedProgress progress;
};

TEST_F(QkSniffer, ImportsEveryVectorBitForBit) {
  const auto capture = imported(request(data("branch"), folder / "a.h5"), progress);
  expectHeads(*capture, "branch");
  const CaptureInfo& info = capture->info();
  EXPECT_EQ(info.modelName, "someone/tiny");
  EXPECT_EQ(info.layers, 4);
  EXPECT_EQ(info.queryHeads, 4);
  EXPECT_EQ(info.keyHeads, 2);
  EXPECT_EQ(info.headDim, 16);
  EXPECT_EQ(info.window, 64);
  EXPECT_EQ(info.sampler, "uniform");
  EXPECT_EQ(info.bucketSize, 4);
  EXPECT_EQ(info.headSeed, 5);
  EXPECT_EQ(info.point, "post-rope");
  EXPECT_EQ(info.scoreScale, 0.25);  // 1 / sqrt(16)
  EXPECT_EQ(info.examples[1].seedId, -669729832);
  EXPECT_EQ(info.layerInfos[0].attention, "full");
  EXPECT_EQ(info.layerInfos[0].window, 0);
  EXPECT_EQ(info.layerInfos[2].attention, "sliding");
  EXPECT_EQ(info.layerInfos[2].window, 32);
  EXPECT_EQ(info.settings["source_metadata"].at("source_dataset"), "someone/long-texts");
  EXPECT_THAT(progress.warnings, ElementsAre(HasSubstr("RoPE")));
}

TEST_F(QkSniffer, CountsComeFromTheDataSetThenOptionsThenTheLargestIndex) {
  QkImportRequest given = request(data("branch"), folder / "a.h5");
  given.queryHeads = 8;
  EXPECT_EQ(imported(given, progress)->info().queryHeads, 4);
  EXPECT_THAT(progress.warnings, Contains(HasSubstr("--query-heads 8 is not used")));
  fs::copy(data("branch"), folder / "set", fs::copy_options::recursive);
  writeFileAtomically(
      folder / "set" / "_saver_state.json",
      std::string_view("{\"model_name\": \"x\", \"model_metadata\": {\"num_key_value_heads\": 2, "
                       "\"head_sampling\": {\"num_attention_heads\": 4}}}"));
  const CaptureInfo nested = imported(request(folder / "set", folder / "b.h5"), progress)->info();
  EXPECT_EQ(nested.queryHeads, 4);
  EXPECT_EQ(nested.keyHeads, 2);
  EXPECT_EQ(nested.sampler, "uniform");  // the buckets are those of window / 16
  EXPECT_EQ(nested.bucketSize, 4);
  fs::remove(folder / "set" / "_saver_state.json");
  EXPECT_EQ(imported(request(folder / "set", folder / "c.h5"), progress)->info().queryHeads, 4);
  given = request(folder / "set", folder / "d.h5");
  given.layers = 12;
  given.sampler = "all";
  given.bucketSize = 4;
  given.rate = 2;
  const CaptureInfo info = imported(given, progress)->info();
  EXPECT_EQ(info.layers, 12);
  EXPECT_EQ(info.sampler, "all");
  EXPECT_EQ(info.rate, 2);
}

TEST_F(QkSniffer, ReadsRowsInAnyOrderAndMetadataFromTheReadme) {
  const auto capture = imported(request(data("unsorted"), folder / "a.h5"), progress);
  expectHeads(*capture, "unsorted");
  EXPECT_EQ(capture->info().modelName, "someone/unsorted");
  EXPECT_EQ(capture->info().bucketSize, 4);
  EXPECT_EQ(capture->info().point, "pre-rope");
  EXPECT_EQ(capture->info().queryHeads, 2);  // largest index + 1
  EXPECT_EQ(capture->info().keyHeads, 1);
  EXPECT_THAT(progress.warnings, Contains(HasSubstr("token_str")));
}

TEST_F(QkSniffer, ImportsRepeatedRowsOnce) {
  const auto capture = imported(request(data("twice"), folder / "a.h5"), progress);
  expectHeads(*capture, "twice");
  const auto rows = capture->rows({0, 0, RowSet::Query}).position.size();
  const std::string count = std::to_string(1 + rows + 3 + 2);  // as make_qk_sniffer.py repeats them
  EXPECT_THAT(progress.warnings,
              Contains(AllOf(HasSubstr(count + " rows are repeated with the same values, and taken once"),
                             HasSubstr("the first is row "), HasSubstr("l00h00k"))));
}

TEST_F(QkSniffer, ReadsTheOlderLayoutFromItsRootAndFromTheModelFolder) {
  {
    const auto fromRoot = imported(request(data("older"), folder / "a.h5"), progress);
    expectHeads(*fromRoot, "older");
    EXPECT_EQ(fromRoot->info().modelName, "someone/older-1b");
    EXPECT_EQ(fromRoot->info().sampler, "log_uniform");  // inferred from the buckets
    EXPECT_EQ(fromRoot->info().bucketSize, 8);
  }
  imported(request(data("older") / "someone_older_1b", folder / "b.h5"), progress);
  EXPECT_EQ(hdf5Content(folder / "a.h5"), hdf5Content(folder / "b.h5"));
}

// The state beside the model folders may belong to another model.
TEST_F(QkSniffer, MatchesTheOlderLayoutsStateToItsModel) {
  const fs::path set = folder / "set";
  fs::copy(data("older"), set, fs::copy_options::recursive);
  const std::string state = R"({"model_metadata": {"someone/renamed": {"sampling_bucket_size": 4}}})";
  writeFileAtomically(set / "_saver_state.json", state);
  EXPECT_EQ(imported(request(set, folder / "a.h5"), progress)->info().modelName, "someone/renamed");
  EXPECT_EQ(imported(request(set / "someone_older_1b", folder / "b.h5"), progress)->info().modelName,
            "someone_older_1b");  // name of the folder
  fs::rename(set / "someone_older_1b", set / "someone_renamed");
  EXPECT_EQ(imported(request(set / "someone_renamed", folder / "c.h5"), progress)->info().modelName,
            "someone/renamed");
}

TEST_F(QkSniffer, ExportedAndImportedAgainIsUnchanged) {
  for (const std::string name : {"branch", "unsorted", "older"}) {
    SCOPED_TRACE(name);
    QkImportRequest first = request(data(name), folder / (name + ".h5"));
    first.rope = Json{{"rope_type", "linear"}, {"rope_theta", 500000}, {"factor", 2}};
    first.nopeLayers = std::vector<std::int64_t>{0};
    importQkSniffer(first, progress);
    exportQkSniffer({first.out, folder / name, false}, progress);
    QkImportRequest again = request(folder / name, folder / (name + "2.h5"));
    again.window = 0;  // stated by the export
    importQkSniffer(again, progress);
    EXPECT_EQ(hdf5Content(first.out), hdf5Content(again.out));
    exportQkSniffer({again.out, folder / (name + "2"), false}, progress);
    for (const char* file : {"_saver_state.json", "README.md", "plastiscope.json"}) {
      EXPECT_EQ(readFile(folder / name / file), readFile(folder / (name + "2") / file)) << file;
    }
  }
}

TEST_F(QkSniffer, AnExportedCaptureKeepsItsMetadata) {
  writeCapture(SampleCapture(), folder / "a.h5", progress);
  exportQkSniffer({folder / "a.h5", folder / "out", false}, progress);
  QkImportRequest again = request(folder / "out", folder / "b.h5");
  again.window = 0;
  const auto capture = imported(again, progress);
  const CaptureInfo was = openCapture(folder / "a.h5")->info(), is = capture->info();
  EXPECT_EQ(is.modelName, was.modelName);
  EXPECT_EQ(is.architecture, was.architecture);
  EXPECT_EQ(is.modelSource, was.modelSource);
  EXPECT_EQ(is.fingerprint, was.fingerprint);
  EXPECT_EQ(is.layers, was.layers);
  EXPECT_EQ(is.rope, was.rope);
  EXPECT_EQ(is.config, was.config);
  EXPECT_EQ(is.contextLength, was.contextLength);
  EXPECT_EQ(is.window, was.window);
  EXPECT_EQ(is.bucketSize, was.bucketSize);
  EXPECT_EQ(is.headSeed, was.headSeed);
  EXPECT_EQ(is.computeDtype, was.computeDtype);
  ASSERT_EQ(is.examples.size(), 2u);
  EXPECT_EQ(is.examples[1].id, "-5");  // the stored 32-bit number as text
  EXPECT_EQ(is.examples[1].tokens, was.examples[1].tokens);
  EXPECT_EQ(is.examples[1].sha256, was.examples[1].sha256);
  ASSERT_EQ(is.layerInfos.size(), 2u);
  EXPECT_EQ(is.layerInfos[1].attention, "sliding");
  EXPECT_EQ(is.layerInfos[1].window, 6);
  EXPECT_FALSE(is.layerInfos[1].rope);
  EXPECT_TRUE(is.layerInfos[1].queryScale);
  EXPECT_EQ(capture->rows({2, 1, RowSet::Query}).vectors,
            openCapture(folder / "a.h5")->rows({2, 1, RowSet::Query}).vectors);
  const Json state = readJsonFile(folder / "out" / "_saver_state.json");
  EXPECT_EQ(state.size(), 3u);
  EXPECT_EQ(state.at("model_name"), "tiny");
  EXPECT_EQ(state.at("model_metadata").at("sampling_bucket_size"), 4);
  // Three query heads with buckets 0, 1, 0 and three key heads with 0, 0, 1.
  EXPECT_EQ(state.at("bucket_counts"), Json({{"0", 12}, {"1", 6}}));
  const std::string readme = readFile(folder / "out" / "README.md");
  EXPECT_THAT(readme,
              AllOf(HasSubstr("---\nconfigs:\n- config_name: l02h01q\n  data_files: l02h01q/*.parquet\n"),
                    HasSubstr("- `captured_rows`: `18`")));
}

TEST_F(QkSniffer, ExportTakesOneCapturePoint) {
  const SampleCapture sample("both");
  writeCapture(sample, folder / "a.h5", progress);
  exportQkSniffer({folder / "a.h5", folder / "post", false}, progress);
  EXPECT_THAT(progress.warnings, ElementsAre(HasSubstr("--pre-rope")));
  exportQkSniffer({folder / "a.h5", folder / "pre", true}, progress);
  std::vector<float> post, pre;
  readQkVectors(folder / "post" / "l02h01q" / "data.parquet", 4,
                [&](auto rows) { post.assign(rows.begin(), rows.end()); });
  readQkVectors(folder / "pre" / "l02h01q" / "data.parquet", 4,
                [&](auto rows) { pre.assign(rows.begin(), rows.end()); });
  EXPECT_EQ(post, sample.values(2, RowSet::Query, 1));
  EXPECT_EQ(pre, sample.values(2, RowSet::QueryPreRope, 1));
  QkImportRequest again = request(folder / "pre", folder / "b.h5");
  again.window = 0;
  EXPECT_EQ(imported(again, progress)->info().point, "pre-rope");
  writeCapture(SampleCapture(), folder / "c.h5", progress);
  EXPECT_THROW(exportQkSniffer({folder / "c.h5", folder / "none", true}, progress), UsageError);
}

TEST_F(QkSniffer, ExportRefusesCapturesTheLayoutCannotHold) {
  SampleCapture sample;
  sample.editable().examples[0].seedId = (std::int64_t{1} << 32) - 5;  // the same low bits as -5
  writeCapture(sample, folder / "a.h5", progress);
  EXPECT_THAT(test::failureOf<InputError>([&] {
                exportQkSniffer({folder / "a.h5", folder / "out", false}, progress);
              }),
              AllOf(HasSubstr("\"17\""), HasSubstr("\"a b\""), HasSubstr("-5")));
  fs::create_directory(folder / "full");
  writeFileAtomically(folder / "full" / "mine.txt", std::string_view("x"));
  writeCapture(SampleCapture(), folder / "b.h5", progress);
  EXPECT_THROW(exportQkSniffer({folder / "b.h5", folder / "full", false}, progress), InputError);
  EXPECT_THROW(qkFolderName({100, 0, RowSet::Query}), InputError);
  EXPECT_EQ(folder.listing(), "a.h5 b.h5 full");
}

// Asks to stop after a number of reports.
struct StopAfter : Progress {
  int reports = 0, last;
  explicit StopAfter(int number) : last(number) {}
  void advanced(const ProgressState& state) override {
    ++reports;
    EXPECT_GE(state.etaSeconds, 0) << state.stage;
  }
  bool stopRequested() const override { return reports >= last; }
};

TEST_F(QkSniffer, StoppingLeavesNothing) {
  for (int last = 0; last < 18; ++last) {  // 9 files checked, then 9 heads written
    StopAfter stop(last);
    EXPECT_THROW(importQkSniffer(request(data("branch"), folder / "a.h5"), stop), Stopped) << last;
    EXPECT_EQ(folder.listing(), "") << last;
  }
  importQkSniffer(request(data("branch"), folder / "a.h5"), progress);
  for (int last = 0; last < 9; ++last) {
    StopAfter stop(last);
    EXPECT_THROW(exportQkSniffer({folder / "a.h5", folder / "out", false}, stop), Stopped) << last;
    EXPECT_EQ(folder.listing(), "a.h5") << last;
  }
}

TEST_F(QkSniffer, AnImportHoldsTheLockOfItsOutput) {
  {
    const OutputLock other(folder / "a.h5");
    EXPECT_THROW(importQkSniffer(request(data("branch"), folder / "a.h5"), progress), InputError);
  }
  struct Asks : RecordedProgress {
    fs::path out;
    int held = 0;
    void advanced(const ProgressState&) override { held += OutputLock::isHeld(out) ? 1 : 0; }
  } asks;
  asks.out = folder / "a.h5";
  importQkSniffer(request(data("branch"), asks.out), asks);
  EXPECT_EQ(asks.held, 18) << "9 files checked, then 9 heads written";
  EXPECT_EQ(folder.listing(), "a.h5");
}

}  // namespace
}  // namespace plastiscope::test
