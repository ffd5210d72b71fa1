// Interventions on heads: later layers equal those of transformers with the same change
// (tests/data/forward/make_interventions.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/base/json.h"
#include "tests/forward/golden_cases.h"

namespace fs = std::filesystem;

namespace plastiscope {

using namespace testing_support;

namespace {

const fs::path kTestData = fs::path(PLASTISCOPE_TEST_DATA);

struct InterventionCase {
  std::string name, model;
  std::shared_ptr<Interventions> interventions = std::make_shared<Interventions>();
  std::vector<std::int64_t> layers;
  std::int64_t offset = 0;

  std::int64_t lastChange() const { return edge(true); }
  std::int64_t firstChange() const { return edge(false); }

 private:
  std::int64_t edge(bool last) const {
    std::vector<std::int64_t> changed;
    for (const QueryHead& head : interventions->ablated) changed.push_back(head.layer);
    for (const KeyClamp& clamp : interventions->clamped) changed.push_back(clamp.at.layer);
    const auto [least, most] = std::minmax_element(changed.begin(), changed.end());
    return last ? *most : *least;
  }
};

void PrintTo(const InterventionCase& one, std::ostream* out) {
  *out << one.name;
}

Json referenceJson() {
  std::ifstream stream(kTestData / "forward" / "interventions.json");
  return Json::parse(stream);
}

InterventionCase readIntervention(const Json& json) {
  InterventionCase one;
  one.name = json["name"];
  one.model = json["model"];
  one.layers = json["layers"].get<std::vector<std::int64_t>>();
  one.offset = json["offset"];
  for (const Json& head : json["silenced"]) one.interventions->ablated.push_back({head[0], head[1]});
  for (const Json& clamp : json["clamped"]) {
    one.interventions->clamped.push_back({{clamp["layer"], clamp["head"]},
                                          clamp["axis"].get<std::vector<double>>(),
                                          clamp["slope"],
                                          clamp["centre"]});
  }
  return one;
}

std::vector<InterventionCase> interventionCases() {
  const Json reference = referenceJson();
  std::vector<InterventionCase> cases;
  for (const Json& json : reference["cases"]) cases.push_back(readIntervention(json));
  return cases;
}

std::shared_ptr<const Model> openModelOf(const InterventionCase& one) {
  if (one.model == "default_new") return openGolden(goldenCase(one.model));
  return openModel(kTestData / "families" / one.model);
}

using Rows = std::map<RowKey, std::vector<float>>;

Rows capture(const std::shared_ptr<const Model>& model, std::int64_t tokens,
             const std::vector<std::int32_t>& positions, const ForwardOptions& options) {
  KeepingSink sink(model->spec, positions, {CapturePoint::PostRope});
  runGroup(model, {{0, goldenTokens(tokens)}}, sink, options);
  return sink.rows;
}

ForwardOptions withInterventions(std::shared_ptr<const Interventions> interventions = nullptr) {
  ForwardOptions options;
  options.device = testDevice();
  options.dtype = "float32";
  options.threads = 2;
  options.interventions = std::move(interventions);
  return options;
}

class InterventionsOf : public testing::TestWithParam<InterventionCase> {};

TEST_P(InterventionsOf, EqualTransformers) {
  const InterventionCase one = GetParam();
  const Json reference = referenceJson();
  const auto positions = reference["positions"].get<std::vector<std::int32_t>>();
  const auto model = openModelOf(one);
  const Rows rows = capture(model, reference["tokens"], positions, withInterventions(one.interventions));
  ASSERT_EQ(rows.size(), 2 * one.layers.size());
  std::int64_t offset = one.offset;
  for (const std::int64_t layer : one.layers) {
    for (const QueryOrKey kind : {QueryOrKey::Query, QueryOrKey::Key}) {
      const auto& ours = rows.at({layer, kind, CapturePoint::PostRope, 0});
      const auto count = std::ssize(ours);
      const auto theirs = readFloats(kTestData / "forward" / "interventions.f32", offset, count);
      EXPECT_LT(largestRelativeError(ours, theirs, model->spec.headDim), 1e-4) << "layer " << layer;
      offset += count;
    }
  }
}

TEST_P(InterventionsOf, ChangeOnlyLaterLayers) {
  const InterventionCase one = GetParam();
  const auto model = openModelOf(one);
  const std::vector<std::int32_t> positions{5, 1029};
  const Rows plain = capture(model, 1030, positions, withInterventions());
  const Rows changed = capture(model, 1030, positions, withInterventions(one.interventions));
  ASSERT_EQ(plain.size(), changed.size());
  for (const auto& [key, rows] : plain) {
    if (key.layer <= one.firstChange()) {
      EXPECT_EQ(rows, changed.at(key)) << "layer " << key.layer;
    } else if (key.layer > one.lastChange()) {
      EXPECT_GT(largestRelativeError(changed.at(key), rows, model->spec.headDim), 0.02)
          << "layer " << key.layer;
    }
  }
}

TEST_P(InterventionsOf, DoNotDependOnThreadsOrChunks) {
  SKIP_WHERE_ROWS_DECIDE_BITS();
  const InterventionCase one = GetParam();
  const auto model = openModelOf(one);
  for (const std::string dtype : {"float32", "bfloat16"}) {
    ForwardOptions options = withInterventions(one.interventions);
    options.dtype = dtype;
    options.threads = 1;
    const std::vector<std::int32_t> positions{0, 255, 1023, 1024, 2047, 2300};
    const Rows rows = capture(model, 2301, positions, options);
    options.threads = 3;
    EXPECT_EQ(rows, capture(model, 2301, positions, options)) << dtype;
    options.queryChunk = 1024;
    EXPECT_EQ(rows, capture(model, 2301, positions, options)) << dtype;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, InterventionsOf, testing::ValuesIn(interventionCases()));

TEST(Interventions, AClampWithoutSlopeChangesNothing) {
  InterventionCase one = interventionCases()[1];
  ASSERT_FALSE(one.interventions->clamped.empty());
  for (KeyClamp& clamp : one.interventions->clamped) clamp.slope = 0;
  const auto model = openModelOf(one);
  const Rows plain = capture(model, 700, {1, 699}, withInterventions());
  const Rows changed = capture(model, 700, {1, 699}, withInterventions(one.interventions));
  for (const auto& [key, rows] : plain)
    EXPECT_LT(largestRelativeError(changed.at(key), rows, model->spec.headDim), 1e-6);
}

// The same shift of all keys shifts all scores of a query equally, which does not change the softmax.
TEST(Interventions, OnlyDifferencesBetweenKeysCount) {
  InterventionCase one = interventionCases()[1];
  KeyClamp clamp = one.interventions->clamped.front();
  clamp.slope = 1e-7;
  clamp.centre = 1e7;  // every key is shifted by about the same vector
  one.interventions->clamped = {clamp};
  const auto model = openModelOf(one);
  const Rows plain = capture(model, 700, {1, 699}, withInterventions());
  const Rows changed = capture(model, 700, {1, 699}, withInterventions(one.interventions));
  for (const auto& [key, rows] : plain)
    EXPECT_LT(largestRelativeError(changed.at(key), rows, model->spec.headDim), 1e-3);
}

TEST(Interventions, ForecastCountsTheKeysOfAClamp) {
  const InterventionCase one = interventionCases()[1];
  const auto model = openModelOf(one);
  const auto bytes = [&](const ForwardOptions& options) {
    return forwardMemory(model->spec, {24000, 24000}, 2, resolveDevice(*model, options), options).peakBytes;
  };
  const auto floats = static_cast<std::uint64_t>(24000 * model->spec.headDim * 4);
  EXPECT_GE(bytes(withInterventions(one.interventions)), bytes(withInterventions()) + floats);
  EXPECT_LE(bytes(withInterventions(one.interventions)), bytes(withInterventions()) + 4 * floats);
}

}  // namespace
}  // namespace plastiscope
