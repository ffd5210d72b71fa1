// Every captured query and key equals that of transformers (tests/data/forward/make_models.py).
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/forward/golden_cases.h"

namespace plastiscope {

using namespace testing_support;

namespace {

const auto kReference = std::filesystem::path(PLASTISCOPE_TEST_DATA) / "forward" / "reference.f32";

// Compares a run of all layers with the recorded one; returns the largest relative error of a vector.
double compare(const GoldenCase& golden, const ForwardOptions& options) {
  const auto model = openGolden(golden);
  KeepingSink sink(model->spec, golden.positions, golden.points);
  runGroup(model, {{7, goldenTokens(golden.tokens)}}, sink, options);

  double largest = 0;
  std::int64_t offset = golden.offset;
  const auto positions = std::ssize(golden.positions);
  for (const auto point : golden.points) {
    for (std::int64_t layer = 0; layer < model->spec.layerCount; ++layer) {
      for (const auto kind : {QueryOrKey::Query, QueryOrKey::Key}) {
        const std::int64_t heads = kind == QueryOrKey::Query ? model->spec.queryHeads : model->spec.keyHeads;
        const std::int64_t count = heads * positions * model->spec.headDim;
        const auto expected = readFloats(kReference, offset, count);
        const double error =
            largestRelativeError(sink.rows.at({layer, kind, point, 7}), expected, model->spec.headDim);
        EXPECT_FALSE(std::isnan(error)) << nameOf(kind) << " " << nameOf(point) << " of layer " << layer;
        largest = std::max(largest, error);
        offset += count;
      }
    }
  }
  return largest;
}

}  // namespace

class Golden : public testing::TestWithParam<GoldenCase> {};

TEST_P(Golden, EqualsTransformersInFloat32) {
  ForwardOptions options;
  options.device = testDevice();
  options.dtype = "float32";
  const double error = compare(GetParam(), options);
  RecordProperty("largest_relative_error", std::to_string(error));
  EXPECT_LE(error, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(goldenCases()), [](const auto& test) {
  std::string name = test.param.name;
  for (auto& letter : name) letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  return name;
});

// bfloat16 and float16 keep about 2.4 and 3.3 decimal digits; a wrong step causes far larger errors.
TEST(GoldenHalf, StaysNearTheFloat32Reference) {
  ForwardOptions options;
  options.device = testDevice();
  options.dtype = "bfloat16";
  const double bfloat16 = compare(goldenCase("default_old"), options);
  options.dtype = "float16";
  const double float16 = compare(goldenCase("default_old"), options);
  RecordProperty("bfloat16", std::to_string(bfloat16));
  RecordProperty("float16", std::to_string(float16));
  EXPECT_LE(bfloat16, 0.1);
  EXPECT_LE(float16, 0.015);
}

}  // namespace plastiscope
