// The blocks of keys hold every visible pair of causal attention exactly once, and no other pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/forward/row_blocks.h"

namespace plastiscope {

namespace {

bool sees(const KeyBlock& block, std::int64_t query, std::int64_t key) {  // query counted within the tile
  if (key < block.begin || key >= block.end) return false;
  const std::int64_t column = key - block.begin;
  switch (block.shape) {
    case BlockShape::Full:
      return true;
    case BlockShape::Causal:
      return column <= query;
    case BlockShape::Edge:
      return column >= query;
  }
  return false;
}

}  // namespace

class KeyBlocks : public testing::TestWithParam<std::int64_t> {};

TEST_P(KeyBlocks, CoverEveryVisiblePairOnce) {
  const std::int64_t window = GetParam(), tokens = 2300, chunk = 1024;
  std::int64_t tiles = 0;
  for (std::int64_t first = 0; first < tokens; first += chunk) {
    const std::int64_t chunkEnd = std::min(first + chunk, tokens);
    for (std::int64_t begin = first; begin < chunkEnd; ++tiles) {
      const std::int64_t end = tileEnd(begin, chunkEnd, {window});
      ASSERT_GT(end, begin);
      const auto blocks = keyBlocks(begin, end, {window});
      for (const auto& block : blocks) {
        ASSERT_GE(block.begin, 0);
        if (block.shape != BlockShape::Full) {
          ASSERT_EQ(block.end - block.begin, end - begin);
        }
      }
      for (std::int64_t query = begin; query < end; ++query) {
        for (std::int64_t key = std::max<std::int64_t>(0, query - 1500); key < end; ++key) {
          int seen = 0;
          for (const auto& block : blocks) seen += sees(block, query - begin, key) ? 1 : 0;
          const bool visible = key <= query && (window == 0 || query - key < window);
          ASSERT_EQ(seen, visible ? 1 : 0) << "query " << query << " key " << key;
        }
      }
      begin = end;
    }
  }
  if (window == 0) {
    EXPECT_EQ(tiles, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, KeyBlocks, testing::Values(0, 2, 3, 5, 64, 700, 1024, 1025, 1500, 5000));

TEST(KeyBlocks, TilesDoNotDependOnTheQueryChunk) {
  const auto ends = [](std::int64_t chunk, const AttentionMask& mask) {
    std::vector<std::int64_t> all{0};
    for (std::int64_t first = 0; first < 5000; first += chunk) {
      const std::int64_t chunkEnd = std::min<std::int64_t>(first + chunk, 5000);
      while (all.back() < chunkEnd) all.push_back(tileEnd(all.back(), chunkEnd, mask));
    }
    return all;
  };
  for (const std::int64_t window : {0, 1, 2, 5, 400, 700, 1024, 1100, 1500, 9000}) {
    for (const bool chunked : {false, true}) {
      const auto whole = ends(5 * kAttentionTile, {window, chunked});
      EXPECT_EQ(ends(kAttentionTile, {window, chunked}), whole) << window;
      EXPECT_EQ(ends(2 * kAttentionTile, {window, chunked}), whole) << window;
    }
  }
}

TEST(KeyBlocks, WindowOfOneSeesOnlyTheTokenItself) {
  const auto blocks = keyBlocks(10, tileEnd(10, 2000, {1}), {1});
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].begin, 10);
  EXPECT_EQ(blocks[0].end, 11);
}

TEST(KeyBlocks, CountPairs) {
  for (const std::int64_t window : {0, 1, 3, 10, 50}) {
    double pairs = 0;
    for (int query = 5; query < 30; ++query) {
      for (int key = 0; key <= query; ++key) pairs += window == 0 || query - key < window ? 1 : 0;
    }
    EXPECT_EQ(attentionPairs(5, 30, {window}), pairs);
  }
}

}  // namespace plastiscope
