// One tiny Llama in three containers (tests/data/model/make_tiny_llama.py): the same spec, the same weights.
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/model/model.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

// Tensor names of the Hugging Face file, by role, after "model.layers.N.".
const std::map<TensorRole, std::string>& hfNames() {
  static const std::map<TensorRole, std::string> kNames = {
      {TensorRole::InputNorm, "input_layernorm.weight"},
      {TensorRole::Query, "self_attn.q_proj.weight"},
      {TensorRole::Key, "self_attn.k_proj.weight"},
      {TensorRole::Value, "self_attn.v_proj.weight"},
      {TensorRole::Output, "self_attn.o_proj.weight"},
      {TensorRole::MlpNorm, "post_attention_layernorm.weight"},
      {TensorRole::Gate, "mlp.gate_proj.weight"},
      {TensorRole::Up, "mlp.up_proj.weight"},
      {TensorRole::Down, "mlp.down_proj.weight"},
  };
  return kNames;
}

std::string hashOf(const Model& model, const BoundTensor& tensor) {
  std::vector<float> values(static_cast<std::size_t>(tensor.info.elements()));
  model.read(tensor, values);
  return sha256Hex({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

class TinyLlamaFile : public testing::TestWithParam<const char*> {
 protected:
  std::shared_ptr<const Model> model = openModel(testData(std::string("model/") + GetParam()));
  Json expected = readJsonFile(testData("model/expected.json"))["tensors"];
};

TEST_P(TinyLlamaFile, HasTheSpec) {
  const ModelSpec& spec = model->spec;
  EXPECT_EQ(spec.architecture, "llama");
  EXPECT_EQ(spec.layerCount, 2);
  EXPECT_EQ(spec.layers.size(), 2u);
  EXPECT_EQ(spec.hidden, 32);
  EXPECT_EQ(spec.intermediate, 40);
  EXPECT_EQ(spec.vocabulary, 40);
  EXPECT_EQ(spec.queryHeads, 4);
  EXPECT_EQ(spec.keyHeads, 2);
  EXPECT_EQ(spec.groupSize(0), 2);
  EXPECT_EQ(spec.headDim, 8);
  EXPECT_EQ(spec.contextLength, 256);
  EXPECT_FLOAT_EQ(static_cast<float>(spec.norm.eps), 1e-5f);
  EXPECT_DOUBLE_EQ(spec.scoreScale, 0.35355339059327379);
  EXPECT_TRUE(spec.tiedEmbeddings);
  EXPECT_FALSE(spec.attentionBias || spec.outputBias || spec.mlpBias);
  EXPECT_EQ(spec.rope().toJson(), Json::parse(R"({"rope_type":"default","rope_theta":50000.0,"rotary_dim":8,
                                                "max_position_embeddings":256})"));
  EXPECT_EQ(model->weightTypes, "F32");
  EXPECT_EQ(model->weightBytes, 15264u * 4);
}

TEST_P(TinyLlamaFile, HoldsTheWeightsOfTheReference) {
  EXPECT_EQ(expected["model.embed_tokens.weight"]["sha256"], hashOf(*model, model->embedding));
  for (std::size_t layer = 0; layer < 2; ++layer) {
    for (const auto& [role, name] : hfNames()) {
      const std::string full = "model.layers." + std::to_string(layer) + "." + name;
      ASSERT_TRUE(model->layers[layer].contains(role)) << full;
      const BoundTensor& tensor = model->layers[layer].at(role);
      EXPECT_EQ(Json(tensor.info.shape), expected[full]["shape"]) << full;
      EXPECT_EQ(expected[full]["sha256"], hashOf(*model, tensor)) << full;
    }
    EXPECT_EQ(model->layers[layer].size(), hfNames().size());
  }
}

TEST_P(TinyLlamaFile, ReadsEmbeddingRows) {
  std::vector<float> all(40 * 32), row(32);
  model->read(model->embedding, all);
  for (const std::int64_t token : {0, 7, 39}) {
    model->readEmbeddingRow(token, row);
    EXPECT_EQ(std::memcmp(row.data(), all.data() + token * 32, sizeof(float) * 32), 0);
  }
  EXPECT_EQ(inputErrorOf([&] { model->readEmbeddingRow(40, row); }),
            model->path.string() + ": token: expected an id from 0 to 39, found 40");
}

TEST_P(TinyLlamaFile, FingerprintIsStableAndUnique) {
  EXPECT_EQ(model->fingerprint.size(), 64u);
  EXPECT_EQ(openModel(model->path)->fingerprint, model->fingerprint);
  EXPECT_EQ(openModel(model->path, Json{{"rope_theta", 1e6}})->fingerprint, model->fingerprint);
  int same = 0;
  for (const char* other : {"model/folder", "model/sharded", "model/tiny.gguf"}) {
    same += openModel(testData(other))->fingerprint == model->fingerprint ? 1 : 0;
  }
  EXPECT_EQ(same, 1);
}

INSTANTIATE_TEST_SUITE_P(Containers, TinyLlamaFile, testing::Values("folder", "sharded", "tiny.gguf"),
                         [](const auto& one) {
                           std::string name = one.param;
                           return name.substr(0, name.find('.'));
                         });

TEST(TinyLlamaGguf, ReportsThatTheOrderOfRowsWasRestored) {
  const auto model = openModel(testData("model/tiny.gguf"));
  EXPECT_EQ(model->layers[0].at(TensorRole::Query).permutedHeads, 4);
  EXPECT_EQ(model->layers[0].at(TensorRole::Key).permutedHeads, 2);
  EXPECT_EQ(model->layers[0].at(TensorRole::Value).permutedHeads, 0);
  ASSERT_FALSE(model->notes.empty());
  EXPECT_EQ(model->notes[0], "rows of q and k restored from the GGUF file's order");
}

}  // namespace
}  // namespace plastiscope::test
