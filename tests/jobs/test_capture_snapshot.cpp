// Snapshots of finished examples while another process still captures.
#include <gmock/gmock.h>

#include <set>
#include <tuple>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/capture/capture_request.h"
#include "core/jobs/capture_job.h"
#include "core/store/capture_file.h"
#include "core/store/work_folder.h"
#include "tests/support/failure.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Example, position and vector of every row of one head, of these examples.
using Row = std::tuple<std::string, std::int32_t, std::vector<float>>;
std::vector<Row> rowsOf(const CaptureFile& capture, RowSet set, const std::set<std::string>& ids) {
  const CapturedRows rows = capture.rows({1, 1, set});
  std::vector<Row> result;
  for (std::size_t i = 0; i < rows.position.size(); ++i) {
    const std::string& id = capture.info().examples[static_cast<std::size_t>(rows.example[i])].id;
    const auto begin = rows.vectors.begin() + static_cast<std::ptrdiff_t>(i) * rows.headDim;
    if (ids.contains(id)) result.push_back({id, rows.position[i], {begin, begin + rows.headDim}});
  }
  return result;
}

class Snapshot : public ::testing::Test {
 protected:
  Snapshot() {
    test::TinyLlama().write(m_folder / "model");
    test::writeTokenFile(m_folder / "tokens.jsonl", 6, 300);
    m_request.model = (m_folder / "model").string();
    m_request.tokens = m_folder / "tokens.jsonl";
    m_request.out = m_folder / "whole.h5";
    m_request.plan.heads = "all";
    m_request.plan.dtype = "float32";
    m_request.plan.device = "cpu";
  }
  void captureUntil(std::size_t units) {
    test::RecordedProgress progress;
    progress.stopAfterUnits = units;
    EXPECT_THROW(runCapture(m_request, progress), Stopped);
  }
  // Every file of the unfinished work with its content.
  std::map<fs::path, std::string> work() const {
    std::map<fs::path, std::string> files;
    for (const auto& each : fs::recursive_directory_iterator(WorkFolder::pathFor(m_request.out))) {
      if (each.is_regular_file()) files[each.path()] = readFile(each.path());
    }
    return files;
  }

  test::TemporaryFolder m_folder;
  CaptureRequest m_request;
  Progress m_silent;
};

TEST_F(Snapshot, HoldsTheRowsThatTheWholeCaptureWillHave) {
  captureUntil(2);
  const auto before = work();
  const auto summary = WorkFolder::summaryOf(m_request.out);
  ASSERT_TRUE(summary);
  ASSERT_GE(summary->finished, 2);
  EXPECT_EQ(summary->total, 6);
  EXPECT_FALSE(summary->busy);
  {
    // While a process holds the lock.
    Json settings = readJsonFile(WorkFolder::pathFor(m_request.out) / "settings.json");
    settings.erase("crc32");
    const WorkFolder held(m_request.out, settings, false);
    EXPECT_TRUE(WorkFolder::summaryOf(m_request.out)->busy);
    const CaptureSnapshot taken = snapshotCapture(m_request, m_folder / "part.h5", m_silent);
    EXPECT_EQ(taken.examples, summary->finished);
    EXPECT_EQ(taken.total, 6);
  }
  EXPECT_EQ(work(), before) << "the work folder is only read";

  runCapture(m_request, m_silent);
  EXPECT_FALSE(WorkFolder::summaryOf(m_request.out));
  const auto part = openCapture(m_folder / "part.h5"), whole = openCapture(m_request.out);
  ASSERT_EQ(part->info().examples.size(), static_cast<std::size_t>(summary->finished));
  EXPECT_EQ(part->info().settings["partial_of"], 6);
  EXPECT_NE(part->info().settingsHash, whole->info().settingsHash);
  std::set<std::string> ids;
  for (const auto& example : part->info().examples) ids.insert(example.id);
  for (const RowSet set : {RowSet::Query, RowSet::Key}) {
    const auto rows = rowsOf(*part, set, ids);
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows, rowsOf(*whole, set, ids));
  }
}

TEST_F(Snapshot, RefusesOtherSettingsAndWorkWithoutFinishedTexts) {
  EXPECT_THROW(snapshotCapture(m_request, m_folder / "part.h5", m_silent), InputError);
  captureUntil(1);
  m_request.plan.rate = 3;
  EXPECT_THAT(
      test::failureOf<UsageError>([&] { snapshotCapture(m_request, m_folder / "part.h5", m_silent); }),
      HasSubstr("rate"));
  EXPECT_FALSE(fs::exists(m_folder / "part.h5"));
}

// Unfinished work can be resumed from any folder.
TEST_F(Snapshot, UnfinishedWorkKeepsItsRequest) {
  const fs::path before = fs::current_path();
  fs::current_path(m_folder.path());
  m_request.tokens = "tokens.jsonl";
  m_request.model = "model";
  m_request.memoryLimit = std::uint64_t{3} << 30;
  m_request.storeTexts = false;
  captureUntil(1);
  fs::current_path(before);
  const CaptureRequest draft = CaptureRequest::fromJson(WorkFolder::requestOf(m_request.out));
  EXPECT_EQ(draft.model, m_folder / "model");
  EXPECT_EQ(draft.tokens, m_folder / "tokens.jsonl");
  EXPECT_EQ(draft.plan.toJson(), m_request.plan.toJson());
  EXPECT_EQ(draft.memoryLimit, m_request.memoryLimit);
  EXPECT_FALSE(draft.storeTexts);
  EXPECT_FALSE(draft.fresh);

  CaptureRequest again = m_request;
  again.model = draft.model;
  again.tokens = draft.tokens;
  again.plan = draft.plan;
  runCapture(again, m_silent);
  EXPECT_EQ(openCapture(m_request.out)->info().examples.size(), 6u);
}

}  // namespace
}  // namespace plastiscope
