// Compares the index of rows by head with a scan of all rows.
#include "core/store/table_columns.h"

#include <gtest/gtest.h>

#include <random>

#include "core/base/error.h"
#include "core/store/analysis_file.h"

namespace plastiscope {
namespace {

Table tableOf(const std::vector<HeadName>& heads) {
  std::vector<std::int64_t> layers, numbers;
  for (const HeadName& head : heads) {
    layers.push_back(head.layer);
    numbers.push_back(head.head);
  }
  return {"map", {{"layer", layers}, {"head", numbers}}};
}

std::vector<std::size_t> rowsOf(const std::vector<RowRun>& runs) {
  std::vector<std::size_t> rows;
  for (const RowRun& run : runs) {
    for (std::size_t row = run.first; row < run.end; ++row) rows.push_back(row);
  }
  return rows;
}

std::vector<std::size_t> rowsRead(const std::vector<HeadName>& heads, auto holds) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < heads.size(); ++row) {
    if (holds(heads[row])) rows.push_back(row);
  }
  return rows;
}

TEST(RowsByHead, AreContiguousInASortedTable) {
  const RowsByHead index(tableOf({{0, 1}, {0, 1}, {0, 3}, {2, 0}, {2, 0}, {2, 0}}));
  const std::vector<RowRun> rows = index.of({2, 0});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].first, 3u);
  EXPECT_EQ(rows[0].end, 6u);
  EXPECT_TRUE(index.of({1, 0}).empty());
  EXPECT_TRUE(RowsByHead(tableOf({})).of({0, 0}).empty());
}

TEST(RowsByHead, AreFoundInAnUnsortedTable) {
  std::mt19937 random(7);
  std::vector<HeadName> heads;
  for (int row = 0; row < 500; ++row) {
    const HeadName head{static_cast<std::int64_t>(random() % 4), static_cast<std::int64_t>(random() % 3)};
    heads.insert(heads.end(), 1 + random() % 3, head);
  }
  const RowsByHead index(tableOf(heads));
  for (std::int64_t layer = 0; layer < 5; ++layer) {
    const auto inLayer = [layer](HeadName name) { return name.layer == layer; };
    EXPECT_EQ(rowsOf(index.where(inLayer)), rowsRead(heads, inLayer));
    for (std::int64_t head = 0; head < 3; ++head) {
      const auto isHead = [&](HeadName name) { return name == HeadName{layer, head}; };
      EXPECT_EQ(rowsOf(index.of({layer, head})), rowsRead(heads, isHead));
    }
  }
}

TEST(RowsByHead, RefuseInvalidHeads) {
  EXPECT_THROW(RowsByHead(tableOf({{0, -1}})), InputError);
  EXPECT_THROW(RowsByHead(Table{"map", {{"layer", std::vector<std::int64_t>{0}}}}), InputError);
}

TEST(RowsByHead, ACopiedAnalysisIndexesItsOwnTables) {
  AnalysisFile analysis;
  analysis.tables = {tableOf({{0, 0}, {0, 1}})};
  EXPECT_EQ(rowsOf(analysis.headIndex.of(analysis.tables[0])->of({0, 1})), std::vector<std::size_t>{1});
  AnalysisFile changed = analysis;
  changed.tables[0] = tableOf({{0, 1}, {0, 0}});
  EXPECT_EQ(rowsOf(changed.headIndex.of(changed.tables[0])->of({0, 1})), std::vector<std::size_t>{0});
  changed = analysis;
  EXPECT_EQ(rowsOf(changed.headIndex.of(changed.tables[0])->of({0, 1})), std::vector<std::size_t>{1});
  analysis.tables[0] = tableOf({{0, 0}, {0, 0}, {0, 1}});
  EXPECT_EQ(rowsOf(analysis.headIndex.of(analysis.tables[0])->of({0, 1})), std::vector<std::size_t>{2});
}

}  // namespace
}  // namespace plastiscope
