// A partly damaged study: the rest is analysed and shown, and the damage is named.
#include <gmock/gmock.h>

#include <cstdlib>

#include "core/base/error.h"
#include "core/jobs/study_damage.h"
#include "core/jobs/study_job.h"
#include "core/views/study_facts.h"
#include "tests/jobs/memory_capture.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
namespace fs = std::filesystem;

// The queries of L1H1 and the keys that L1H3 uses cannot be read.
class DamagedCapture : public test::MemoryCapture {
 public:
  CapturedRows rows(const RowPlace& place) const override {
    if (place.layer == 1 && place.head == 1)
      throw InputError(place.set == RowSet::Query ? "damaged queries" : "damaged keys");
    return MemoryCapture::rows(place);
  }
};

AnalysisFile analysed(const CaptureFile& capture, const AnalysisSettings& settings, DamagedHeads damaged) {
  Progress quiet;
  return analyzeCapture(capture, settings, 2, quiet, {nullptr, damaged});
}

TEST(DamagedStudy, AnAnalysisIsRefusedOrLeavesTheHeadsOut) {
  const DamagedCapture capture;
  EXPECT_THROW(analysed(capture, {}, DamagedHeads::Refuse), InputError);
  AnalysisSettings settings;
  settings.bootstrap = 3;
  const AnalysisFile analysis = analysed(capture, settings, DamagedHeads::LeaveOut);
  EXPECT_THAT(headsOf(analysis), ElementsAre(HeadName{1, 0}, HeadName{4, 2}));
  EXPECT_THAT(analysis.provenance.warnings, Contains("L1H1 was left out: damaged queries"));
  EXPECT_THAT(analysis.provenance.warnings, Contains("L1H3 was left out: damaged keys"));
  // The other heads have the same values as without damage.
  const AnalysisFile whole = analysed(test::MemoryCapture(), settings, DamagedHeads::Refuse);
  for (const HeadName& head : headsOf(analysis)) {
    for (const char* column : {"ap_overall", "bias_window", "ap_overall_low"}) {
      EXPECT_EQ(numberAt(*analysis.find("heads"), column, *headRow(*analysis.find("heads"), head)),
                numberAt(*whole.find("heads"), column, *headRow(*whole.find("heads"), head)))
          << head.text() << " " << column;
    }
  }
}

TEST(DamagedStudy, NothingReadableIsAnError) {
  const DamagedCapture capture;
  AnalysisSettings settings;
  settings.heads = "L1H1,L1H3";
  EXPECT_THROW(analysed(capture, settings, DamagedHeads::LeaveOut), InputError);
}

TEST(DamagedStudy, NamesTheHeadsAndTheTables) {
  AnalysisFile analysis = analysed(DamagedCapture(), {}, DamagedHeads::LeaveOut);
  analysis.leftOut["map"] = "a.h5: /tables/map/pp: damaged";
  Study study;
  study.capture = std::make_shared<DamagedCapture>();
  study.analysis = std::make_shared<const AnalysisFile>(std::move(analysis));
  const Progress quiet;
  const StudyDamage damage = damageOf(study, quiet);
  EXPECT_THAT(damage.heads, ElementsAre(std::pair(HeadName{1, 1}, "damaged queries"),
                                        std::pair(HeadName{1, 3}, "damaged keys")));
  EXPECT_EQ(damageText(damage),
            "2 heads are damaged: L1H1, L1H3. damaged queries. a.h5: /tables/map/pp: damaged.");
  study.capture = std::make_shared<test::MemoryCapture>();
  EXPECT_THAT(damageOf(study, quiet).heads, SizeIs(0));
  EXPECT_EQ(damageText({}), "");
}

// A capture with h5py's data has no checksums; its row index can still be wrong.
TEST(DamagedStudy, AnIncompleteAnalysisIsNotKept) {
  const test::TemporaryFolder folder;
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  const fs::path file = folder / "study.h5";
  fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "store" / "damaged_key.h5", file);
  Progress quiet;
  EXPECT_THROW(openStudy(file, {}, 1, quiet), InputError);
  const auto study = openStudy(file, {}, 1, quiet, {DamagedHeads::LeaveOut});
  EXPECT_THAT(headsOf(*study->analysis), ElementsAre(HeadName{1, 0}, HeadName{1, 1}, HeadName{1, 2}));
  EXPECT_EQ(folder.listing(), "study.h5");
}

}  // namespace
}  // namespace plastiscope
