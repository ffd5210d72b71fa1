// A build without Arrow says so instead of failing in some other way, and leaves nothing behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/parquet/qk_table.h"
#include "core/parquet/table_rows.h"
#include "core/store/qk_sniffer/conversion.h"
#include "tests/store/sample_capture.h"
#include "tests/support/failure.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

const fs::path kSets = fs::path(PLASTISCOPE_TEST_DATA) / "qk_sniffer";

TEST(ParquetRowsWithoutArrow, ReportTheMissingPart) {
  ASSERT_FALSE(parquetAvailable());
  const fs::path texts = kSets / "texts.parquet";
  for (const TableKind kind : {TableKind::Parquet, TableKind::Arrow, TableKind::Csv})
    EXPECT_THROW(readTableRows(texts, kind, [](std::int64_t, const Json&) { return true; }), UsageError);
  EXPECT_THAT(test::failureOf<UsageError>([&] { openCompressed(kSets / "texts.jsonl.gz"); }),
              HasSubstr("CSV and compressed files: it was configured without Arrow"));
}

TEST(QkSnifferWithoutArrow, ReportsTheMissingPart) {
  ASSERT_FALSE(parquetAvailable());
  const TemporaryFolder folder;
  RecordedProgress progress;
  QkImportRequest request;
  request.folder = kSets / "branch";
  request.out = folder / "a.h5";
  request.window = 64;
  EXPECT_THAT(test::failureOf<UsageError>([&] { importQkSniffer(request, progress); }), HasSubstr("Arrow"));
  writeCapture(SampleCapture(), folder / "a.h5", progress);
  EXPECT_THROW(exportQkSniffer({folder / "a.h5", folder / "out", false}, progress), UsageError);
  EXPECT_EQ(folder.listing(), "a.h5");
}

}  // namespace
}  // namespace plastiscope::test
