#include <gmock/gmock.h>

#include <cstring>
#include <limits>

#include "core/base/error.h"
#include "core/base/half.h"
#include "core/capture/capture_unit.h"
#include "core/capture/position_sampler.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two layers, two query heads that share one key head, head_dim 2.
ModelSpec tinySpec() {
  ModelSpec spec;
  spec.layerCount = 2;
  spec.queryHeads = 2;
  spec.keyHeads = 1;
  spec.headDim = 2;
  spec.layers.resize(2);
  for (LayerSpec& layer : spec.layers) layer.keyHeads = 1, layer.headDim = 2;
  return spec;
}

CapturePlan tinyPlan() {
  CapturePlan plan;
  plan.window = 12;
  plan.bucketSize = 4;
  plan.sampler = "exact_per_bucket";
  plan.heads = "L1H0-1";
  return plan;
}

const CaptureExample kExample = {"a", 77, std::vector<std::int32_t>(12, 1)};

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
  return values;
}

std::vector<float> floatsOf(const UnitHead& head) {
  std::vector<float> values;
  if (head.half) {
    std::vector<std::uint16_t> halves(head.bytes.size() / 2);
    std::memcpy(halves.data(), head.bytes.data(), head.bytes.size());
    for (const auto half : halves) values.push_back(halfToFloat(half));
  } else {
    values.resize(head.bytes.size() / 4);
    std::memcpy(values.data(), head.bytes.data(), head.bytes.size());
  }
  return values;
}

TEST(CaptureSink, CollectsOneExample) {
  const CapturePlan plan = tinyPlan();
  CaptureSink sink(plan, unitLayout(plan, tinySpec()));
  sink.begin(3, kExample);
  EXPECT_THAT(sink.heads(1, QueryOrKey::Query), ElementsAre(0, 1));
  EXPECT_THAT(sink.heads(1, QueryOrKey::Key), ElementsAre(0));
  EXPECT_TRUE(sink.heads(0, QueryOrKey::Query).empty());
  EXPECT_TRUE(sink.wants(CapturePoint::PostRope));
  EXPECT_FALSE(sink.wants(CapturePoint::PreRope));
  const auto expectedQuery =
      positionSampler("exact_per_bucket").sample({12, 4, 1}, sampleSeed(77, 1, QueryOrKey::Query), 12);
  EXPECT_EQ(sink.positions(1, QueryOrKey::Query, 3), expectedQuery.positions);
  EXPECT_EQ(sink.positions(1, QueryOrKey::Query, 3).size(), 3u);
  EXPECT_NE(sink.positions(1, QueryOrKey::Key, 3), expectedQuery.positions);

  sink.take(1, QueryOrKey::Query, CapturePoint::PostRope, 3, counted(12));
  sink.take(1, QueryOrKey::Key, CapturePoint::PostRope, 3, counted(6));
  const CaptureUnit unit = sink.finish(3);
  ASSERT_EQ(unit.blocks.size(), 2u);
  EXPECT_EQ(unit.example, 3);
  EXPECT_EQ(unit.blocks[0].positions, expectedQuery.positions);
  EXPECT_THAT(unit.blocks[0].buckets, ElementsAre(0, 1, 2));
  EXPECT_THAT(floatsOf(unit.blocks[0].heads[1]), ElementsAre(6, 7, 8, 9, 10, 11));
  EXPECT_TRUE(unit.blocks[0].heads[0].half);
}

TEST(CaptureSink, PairedKeysUseTheQueryPositions) {
  CapturePlan plan = tinyPlan();
  plan.paired = true;
  CaptureSink sink(plan, unitLayout(plan, tinySpec()));
  sink.begin(0, kExample);
  EXPECT_EQ(sink.positions(1, QueryOrKey::Key, 0), sink.positions(1, QueryOrKey::Query, 0));
}

TEST(CaptureSink, CollectsBothPoints) {
  CapturePlan plan = tinyPlan();
  plan.point = CapturePoints::Both;
  CaptureSink sink(plan, unitLayout(plan, tinySpec()));
  EXPECT_TRUE(sink.wants(CapturePoint::PreRope));
  sink.begin(0, kExample);
  for (const auto point : {CapturePoint::PreRope, CapturePoint::PostRope}) {
    const float shift = point == CapturePoint::PreRope ? 100.0f : 0.0f;
    auto query = counted(12), key = counted(6);
    for (float& value : query) value += shift;
    for (float& value : key) value += shift;
    sink.take(1, QueryOrKey::Query, point, 0, query);
    sink.take(1, QueryOrKey::Key, point, 0, key);
  }
  const CaptureUnit unit = sink.finish(0);
  ASSERT_EQ(unit.blocks.size(), 4u);
  EXPECT_EQ(floatsOf(unit.blocks[1].heads[0])[0], 0.0f);
  EXPECT_EQ(floatsOf(unit.blocks[3].heads[0])[0], 100.0f);
  EXPECT_EQ(unit.blocks[0].positions, unit.blocks[2].positions);
}

TEST(CaptureSink, PreRopeAloneTakesTheMainBlock) {
  CapturePlan plan = tinyPlan();
  plan.point = CapturePoints::PreRope;
  const UnitLayout layout = unitLayout(plan, tinySpec());
  ASSERT_EQ(layout.blocks.size(), 2u);
  EXPECT_FALSE(layout.blocks[0].preRopeOfBoth);
  EXPECT_EQ(layout.blocks[0].point, CapturePoint::PreRope);
}

TEST(CaptureSink, OverflowingHeadsBecomeFloat32) {
  const CapturePlan plan = tinyPlan();
  CaptureSink sink(plan, unitLayout(plan, tinySpec()));
  sink.begin(0, kExample);
  auto query = counted(12);
  query[2] = 65519.0f;   // rounds to 65504
  query[7] = -65520.0f;  // would round to -infinity
  sink.take(1, QueryOrKey::Query, CapturePoint::PostRope, 0, query);
  sink.take(1, QueryOrKey::Key, CapturePoint::PostRope, 0, counted(6));
  const CaptureUnit unit = sink.finish(0);
  EXPECT_TRUE(unit.blocks[0].heads[0].half);
  EXPECT_EQ(floatsOf(unit.blocks[0].heads[0])[2], 65504.0f);
  EXPECT_FALSE(unit.blocks[0].heads[1].half);
  EXPECT_EQ(floatsOf(unit.blocks[0].heads[1])[1], -65520.0f);
}

TEST(CaptureSink, RefusesNumbersThatAreNotFinite) {
  const CapturePlan plan = tinyPlan();
  CaptureSink sink(plan, unitLayout(plan, tinySpec()));
  sink.begin(0, kExample);
  auto query = counted(12);
  query[7] = std::numeric_limits<float>::infinity();
  try {
    sink.take(1, QueryOrKey::Query, CapturePoint::PostRope, 0, query);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("layer 1, query head 1"));
  }
}

TEST(CaptureSink, MissingVectorsAreABug) {
  const CapturePlan plan = tinyPlan();
  CaptureSink sink(plan, unitLayout(plan, tinySpec()));
  sink.begin(0, kExample);
  EXPECT_THROW(sink.take(1, QueryOrKey::Query, CapturePoint::PostRope, 0, counted(11)), Error);
  EXPECT_THROW(sink.finish(0), Error);
}

}  // namespace
}  // namespace plastiscope
