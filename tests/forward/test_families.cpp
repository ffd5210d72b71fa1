// Every family's queries and keys equal those of transformers up to the end of a long text, and 16-bit runs
// are as accurate as those of transformers.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/model/architecture.h"
#include "tests/forward/family_cases.h"
#include "tests/forward/golden_cases.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {

using namespace testing_support;

namespace {

ForwardOptions options(const std::string& dtype) {
  ForwardOptions chosen;
  chosen.device = testDevice();
  chosen.dtype = dtype;
  return chosen;
}

std::int64_t lastLayerWithVectors(const ModelSpec& spec) {
  std::int64_t last = spec.layerCount - 1;
  while (last > 0 && !spec.layers[last].hasVectors()) --last;
  return last;
}

// Queries and keys of all layers that have some.
std::map<RowKey, std::vector<float>> vectorsOf(const std::shared_ptr<const Model>& model,
                                               const std::vector<std::int32_t>& positions,
                                               std::int64_t tokens, const std::string& dtype) {
  KeepingSink sink(model->spec, positions, {CapturePoint::PostRope});
  runGroup(model, {{7, goldenTokens(tokens)}}, sink, options(dtype), lastLayerWithVectors(model->spec));
  return sink.rows;
}

// Mean of |x - y| / |y| over vectors of `width` numbers.
double meanRelativeError(const std::vector<float>& x, const std::vector<float>& y, std::size_t width) {
  double sum = 0;
  for (std::size_t first = 0; first < x.size(); first += width) {
    sum += largestRelativeError({x.data() + first, width}, {y.data() + first, width},
                                static_cast<std::int64_t>(width));
  }
  return sum / (static_cast<double>(x.size()) / static_cast<double>(width));
}

}  // namespace

// The settings that determine the vectors, as text.
Json deciding(const ModelSpec& spec) {
  Json layers = Json::array();
  for (const LayerSpec& layer : spec.layers) {
    layers.push_back({nameOf(layer.attention), layer.window, layer.rope, layer.ropeIndex, layer.queryScale,
                      layer.experts, layer.keyHeads, layer.headDim, layer.intermediate, layer.keysOfLayer,
                      layer.valuesAreKeys});
  }
  const ExpertSpec& e = spec.experts;
  const std::vector<double> numbers = {static_cast<double>(spec.activation),
                                       spec.scoreScale,
                                       spec.scoreSoftcap,
                                       spec.embeddingScale,
                                       spec.residualScale,
                                       spec.norm.eps,
                                       spec.temperature.beta,
                                       static_cast<double>(spec.temperature.length),
                                       e.scale};
  const std::vector<std::int64_t> counts = {
      spec.hidden,        spec.intermediate, spec.queryHeads, spec.keyHeads,
      spec.headDim,       e.count,           e.used,          e.inner,
      e.sharedInner,      e.groups,          e.usedGroups,    e.renormalise,
      spec.attentionBias, spec.outputBias,   spec.mlpBias};
  return {{"layers", layers}, {"numbers", numbers}, {"counts", counts}, {"rope", ropeJson(spec)}};
}

class Families : public testing::TestWithParam<FamilyCase> {};

TEST_P(Families, DescribeEachLayer) {
  const FamilyCase& family = GetParam();
  const ModelSpec spec = openFamily(family)->spec;
  EXPECT_NEAR(spec.scoreScale, family.scoreScale, 1e-6 * family.scoreScale);
  ASSERT_EQ(spec.layers.size(), family.layers.size());
  for (std::size_t i = 0; i < family.layers.size(); ++i) {
    const FamilyLayer& expected = family.layers[i];
    EXPECT_EQ(nameOf(spec.layers[i].attention), expected.attention) << "layer " << i;
    EXPECT_EQ(spec.layers[i].hasVectors(), expected.hasVectors) << "layer " << i;
    if (!expected.hasVectors) continue;
    EXPECT_EQ(spec.layers[i].window, expected.window) << "layer " << i;
    EXPECT_EQ(spec.layers[i].rope, expected.rope) << "layer " << i;
    EXPECT_EQ(spec.queryHeads, expected.queryHeads);
    EXPECT_EQ(spec.layers[i].keyHeads, expected.keyHeads) << "layer " << i;
    EXPECT_EQ(spec.layers[i].headDim, expected.headDim) << "layer " << i;
  }
}

TEST_P(Families, EqualTransformersInFloat32) {
  const FamilyCase& family = GetParam();
  const auto model = openFamily(family);
  if (!family.sameAs.empty()) {  // the same model gives the same numbers: compare models only
    EXPECT_EQ(deciding(model->spec), deciding(openFamily(familyCase(family.sameAs))->spec));
    return;
  }
  const std::int64_t tokens = testTokens(family.tokens);
  std::vector<std::int32_t> positions = family.positions;
  std::erase_if(positions, [&](std::int32_t position) { return position >= tokens; });
  const auto rows = vectorsOf(model, positions, tokens, "float32");
  double largest = 0;
  for (std::size_t i = 0; i < family.layers.size(); ++i) {
    const FamilyLayer& layer = family.layers[i];
    if (!layer.hasVectors) continue;
    for (const auto kind : {QueryOrKey::Query, QueryOrKey::Key}) {
      const bool isQuery = kind == QueryOrKey::Query;
      const std::int64_t heads = isQuery ? layer.queryHeads : layer.keyHeads;
      const std::int64_t kept = std::ssize(family.positions) * layer.headDim;
      const std::int64_t asked = std::ssize(positions) * layer.headDim;
      const auto& found = rows.at({static_cast<std::int64_t>(i), kind, CapturePoint::PostRope, 7});
      ASSERT_EQ(std::ssize(found), heads * asked);
      for (std::int64_t head = 0; head < heads; ++head) {
        const auto expected =
            readFloats(family.reference, (isQuery ? layer.query : layer.key) + head * kept, asked);
        const std::span<const float> own(found.data() + head * asked, static_cast<std::size_t>(asked));
        const double error = largestRelativeError(own, expected, layer.headDim);
        EXPECT_LE(error, 1e-4) << nameOf(kind) << " head " << head << " of layer " << i;
        largest = std::max(largest, error);
      }
    }
  }
  RecordProperty("largest_relative_error", std::to_string(largest));
  EXPECT_FALSE(std::isnan(largest));
}

// Other spellings and containers give the same arithmetic.
std::vector<FamilyCase> distinctFamilies() {
  std::vector<FamilyCase> cases = familyCases();
  std::erase_if(cases, [](const FamilyCase& family) {
    return !family.sameAs.empty() || family.model.extension() == ".gguf";
  });
  return cases;
}

class FamiliesInBfloat16 : public testing::TestWithParam<FamilyCase> {};

TEST_P(FamiliesInBfloat16, AreAsAccurateAsTransformers) {
  const FamilyCase& family = GetParam();
  const auto model = openFamily(family);
  std::vector<std::int32_t> positions(static_cast<std::size_t>(family.half.tokens));
  std::iota(positions.begin(), positions.end(), 0);
  const auto exact = vectorsOf(model, positions, family.half.tokens, "float32");
  const auto half = vectorsOf(model, positions, family.half.tokens, "bfloat16");
  std::map<QueryOrKey, std::vector<double>> errors;
  for (const auto& [key, rows] : half) {
    errors[key.kind].push_back(meanRelativeError(
        rows, exact.at(key), static_cast<std::size_t>(model->spec.layer(key.layer).headDim)));
  }
  const auto mean = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  const double query = mean(errors[QueryOrKey::Query]), key = mean(errors[QueryOrKey::Key]);
  RecordProperty("query_error_of_transformers", std::to_string(family.half.queryError));
  RecordProperty("query_error", std::to_string(query));
  RecordProperty("key_error_of_transformers", std::to_string(family.half.keyError));
  RecordProperty("key_error", std::to_string(key));
  // Both are means of different rounding errors, which differ by chance by a few per cent.
  EXPECT_LE(query, 1.05 * family.half.queryError);
  EXPECT_LE(key, 1.05 * family.half.keyError);
}

INSTANTIATE_TEST_SUITE_P(Cases, Families, testing::ValuesIn(familyCases()),
                         [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(Cases, FamiliesInBfloat16, testing::ValuesIn(distinctFamilies()),
                         [](const auto& test) { return test.param.name; });

// At both capture points: a layer shares the keys that enter its dot products.
TEST(SharedKeys, EqualThoseOfTheSourceLayer) {
  const auto model = openFamily(familyCase("gemma4_text"));
  ASSERT_EQ(model->spec.layers[2].keysOfLayer, 0);
  ASSERT_EQ(model->spec.layers[3].keysOfLayer, 1);
  KeepingSink sink(model->spec, {0, 5, 1024, 2999}, {CapturePoint::PostRope, CapturePoint::PreRope});
  runGroup(model, {{7, goldenTokens(3000)}}, sink, options("float32"), 3);
  for (const auto point : {CapturePoint::PostRope, CapturePoint::PreRope}) {
    for (const std::int64_t layer : {2, 3}) {
      EXPECT_EQ(sink.rows.at({layer, QueryOrKey::Key, point, 7}),
                sink.rows.at({layer - 2, QueryOrKey::Key, point, 7}));
    }
  }
  EXPECT_NE(sink.rows.at({2, QueryOrKey::Key, CapturePoint::PostRope, 7}),
            sink.rows.at({2, QueryOrKey::Key, CapturePoint::PreRope, 7}));
}

class FamilyLosses : public testing::TestWithParam<FamilyCase> {
 protected:
  struct LossSink : KeepingSink {
    using KeepingSink::KeepingSink;
    void takeLosses(std::int64_t, std::span<const float> losses) override {
      taken.assign(losses.begin(), losses.end());
    }
    std::vector<float> taken;
  };
  void expectLosses(const std::shared_ptr<const Model>& model) {
    LossSink sink(model->spec, {0}, {CapturePoint::PostRope});
    sink.chosenHeads = {{QueryOrKey::Query, {}}, {QueryOrKey::Key, {}}};
    ForwardOptions wanted = options("float32");
    wanted.output = true;
    runGroup(model, {{7, goldenTokens(all["tokens"])}}, sink, wanted, model->spec.layerCount);
    const auto expected = all["losses"][GetParam().name].get<std::vector<double>>();
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(sink.taken.at(1 + i * all["step"].get<std::size_t>()), expected[i], 1e-3) << i;
  }

  // make_losses.py
  const Json all = readJsonFile(GetParam().reference.parent_path().parent_path() / "losses.json");
};

TEST_P(FamilyLosses, EqualTransformers) {
  if (!all["losses"].contains(GetParam().name)) GTEST_SKIP() << "transformers makes no loss of this case";
  expectLosses(openFamily(GetParam()));
}

TEST_P(FamilyLosses, UseTheOutputMatrixInTheFile) {
  const Json& tied = all["said_tied"];
  if (std::ranges::count(tied, Json(GetParam().name)) == 0)
    GTEST_SKIP() << "its output matrix is the embedding";
  const test::TemporaryFolder folder;
  std::filesystem::copy_file(GetParam().reference.parent_path() / "model.safetensors",
                             folder / "model.safetensors");
  Json config = readJsonFile(GetParam().model / "config.json");
  config["tie_word_embeddings"] = true;
  writeFileAtomically(folder / "config.json", config.dump());
  const auto model = openModel(folder.path());
  EXPECT_FALSE(model->spec.tiedEmbeddings);
  expectLosses(model);
}

INSTANTIATE_TEST_SUITE_P(Cases, FamilyLosses, testing::ValuesIn(distinctFamilies()),
                         [](const auto& test) { return test.param.name; });

TEST(FamilyData, HasEveryArchitecture) {
  std::set<std::string> checked = {"llama"};  // tested with tests/data/forward
  for (const FamilyCase& family : familyCases()) checked.insert(openFamily(family)->spec.architecture);
  for (const Architecture& architecture : architectures())
    EXPECT_TRUE(checked.contains(architecture.name)) << architecture.name;
}

}  // namespace plastiscope
