#include <gmock/gmock.h>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/capture/position_sampler.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Json& expectedMasks(const char* part) {
  static const Json all = readJsonFile(PLASTISCOPE_TEST_DATA "/capture/expected.json");
  return all.at(part);
}

QueryOrKey kindOf(const Json& entry) {
  return entry.at("kind") == "q" ? QueryOrKey::Query : QueryOrKey::Key;
}

std::uint64_t seedOf(const Json& entry) {
  std::optional<std::uint64_t> user;
  if (entry.contains("sample_seed") && !entry["sample_seed"].is_null())
    user = entry["sample_seed"].get<std::uint64_t>();
  return sampleSeed(entry.at("example").get<std::int64_t>(), entry.at("layer").get<std::int64_t>(),
                    kindOf(entry), user);
}

// method.md, Sampling and closed forms.
TEST(PositionSampler, HasTheSeedsOfTheMethod) {
  EXPECT_EQ(sampleSeed(0, 0, QueryOrKey::Query), 0x65f4a1634b12b156u);
  EXPECT_EQ(sampleSeed(0, 0, QueryOrKey::Key), 0x975394572bb8a13du);
  EXPECT_EQ(sampleSeed(7, 3, QueryOrKey::Key), 0xa02d337319d2ef6cu);
  EXPECT_EQ(sampleSeed(123456789, 35, QueryOrKey::Query), 0x1cbffec1f2a64030u);
  EXPECT_EQ(sampleSeed(-5, 2, QueryOrKey::Key), 0xe9c64b8086cd7574u);
  EXPECT_EQ(blake2bInt64("abc"), 6455300059550759896);
  EXPECT_EQ(sampleSeed(blake2bInt64("abc"), 5, QueryOrKey::Query), 0x40939e2757daa310u);
}

TEST(PositionSampler, DrawsTheUniformsOfTheMethod) {
  for (const Json& entry : expectedMasks("uniforms")) {
    ASSERT_EQ(seedOf(entry), entry.at("seed").get<std::uint64_t>());
    TokenNumbers numbers(seedOf(entry));
    for (const Json& value : entry.at("first")) EXPECT_EQ(numbers.next(), value.get<float>());
  }
}

TEST(PositionSampler, TextIds) {
  for (const auto& [text, number] : expectedMasks("text_ids").items()) {
    EXPECT_EQ(blake2bInt64(text), number.get<std::int64_t>()) << text;
  }
}

TEST(PositionSampler, KeepsThePositionsOfTheMethod) {
  const SamplerSettings window128k{131072, 8192, 1};
  const std::string name = "uniform";
  const PositionSampler& uniform = positionSampler(name);
  EXPECT_THAT(uniform.sample(window128k, sampleSeed(0, 0, QueryOrKey::Query), 131072).positions,
              ElementsAre(274, 5484, 13669, 22474, 23759, 32895, 42264, 43893, 46520, 48104, 63398, 70688,
                          76467, 80169, 87715, 90685, 92862, 96594, 101386, 102152, 113414, 127441));
  EXPECT_THAT(uniform.sample(window128k, sampleSeed(0, 0, QueryOrKey::Key), 131072).positions,
              ElementsAre(308, 457, 3405, 30202, 41305, 52245, 54880, 54966, 75281, 76374, 94557, 98690,
                          109560, 121363, 129759));
  EXPECT_THAT(positionSampler("log_uniform")
                  .sample({8192, 128, 1}, sampleSeed(0, 0, QueryOrKey::Query), 8192)
                  .positions,
              ElementsAre(70, 183, 252, 274, 308, 3035, 5484));
}

// Every sampler of the list is covered by the independent reference.
TEST(PositionSampler, EverySamplerEqualsTorchAndNumpy) {
  std::map<std::string, int> seen;
  for (const Json& entry : expectedMasks("samples")) {
    const std::string name = entry.at("sampler");
    ++seen[name];
    const auto length = entry.at("length").get<std::int64_t>();
    const SamplerSettings settings{length, entry.at("bucket_size").get<std::int64_t>(),
                                   entry.at("rate").get<double>()};
    ASSERT_EQ(seedOf(entry), entry.at("seed").get<std::uint64_t>());
    const SampledRows rows = positionSampler(name).sample(settings, seedOf(entry), length);
    EXPECT_EQ(rows.positions, entry.at("positions").get<std::vector<std::int32_t>>()) << name;
    EXPECT_EQ(rows.buckets, entry.at("buckets").get<std::vector<std::int32_t>>()) << name;
  }
  for (const PositionSampler& sampler : positionSamplers())
    EXPECT_GE(seen[std::string(sampler.name)], 1) << sampler.name;
}

TEST(PositionSampler, ExpectedRowsAreTheMeanOfManyDraws) {
  const SamplerSettings settings{3000, 100, 1.5};
  for (const PositionSampler& sampler : positionSamplers()) {
    double sum = 0;
    const int draws = 400;
    for (int example = 0; example < draws; ++example) {
      sum += static_cast<double>(
          sampler.sample(settings, sampleSeed(example, 0, QueryOrKey::Query), 3000).positions.size());
    }
    const double mean = sampler.expectedRows(settings, 3000);
    EXPECT_NEAR(sum / draws, mean, 5 * std::sqrt(mean / draws)) << sampler.name;
  }
}

TEST(PositionSampler, UnknownNamesListTheKnown) {
  try {
    positionSampler("unifrom");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("exact_per_bucket"));
  }
}

}  // namespace
}  // namespace plastiscope
