// GGUF metadata -> spec, with files put together here; weights are checked in test_tiny_llama.cpp.
#include <gmock/gmock.h>

#include <functional>

#include "core/base/json.h"
#include "core/model/model.h"
#include "tests/support/temporary_folder.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kF32 = 0;

// A one-layer model: hidden 16, 2 query heads, 1 key head, head size 8, MLP 4, vocabulary 3.
struct GgufModel {
  std::map<std::string, std::string> keys;                                  // key -> its bytes, key included
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> tensors;  // sizes innermost first

  explicit GgufModel(const std::string& architecture = "llama") {
    text("general.architecture", architecture);
    text("general.name", "by hand");
    const std::pair<const char*, std::uint32_t> numbers[] = {
        {".block_count", 1},          {".embedding_length", 16},       {".feed_forward_length", 4},
        {".attention.head_count", 2}, {".attention.head_count_kv", 1}, {".context_length", 4096},
        {".rope.dimension_count", 8}};
    for (const auto& [key, value] : numbers) number(architecture + key, value);
    real(architecture + ".attention.layer_norm_rms_epsilon", 1e-5f);
    tensors = {{"token_embd.weight", {16, 3}},         {"output_norm.weight", {16}},
               {"blk.0.attn_norm.weight", {16}},       {"blk.0.attn_q.weight", {16, 16}},
               {"blk.0.attn_k.weight", {16, 8}},       {"blk.0.attn_v.weight", {16, 8}},
               {"blk.0.attn_output.weight", {16, 16}}, {"blk.0.ffn_norm.weight", {16}},
               {"blk.0.ffn_gate.weight", {16, 4}},     {"blk.0.ffn_up.weight", {16, 4}},
               {"blk.0.ffn_down.weight", {4, 16}}};
  }
  void text(const std::string& key, const std::string& value) { keys[key] = ggufTextKey(key, value); }
  void number(const std::string& key, std::uint32_t value) { keys[key] = ggufIntegerKey(key, value); }
  void real(const std::string& key, float value) { keys[key] = ggufFloatKey(key, value); }
  void list(const std::string& key, std::initializer_list<std::uint32_t> values) {
    keys[key] = ggufText(key) + little<std::uint32_t>(9) + little<std::uint32_t>(4) +
                little<std::uint64_t>(values.size());
    for (const std::uint32_t value : values) keys[key] += little(value);
  }

  // Element i of every tensor is i + 1.
  std::string bytes() const {
    std::string head = ggufHead(tensors.size(), keys.size());
    for (const auto& [key, value] : keys) head += value;
    std::string data;
    for (const auto& [name, shape] : tensors) {
      head += ggufText(name) + little(static_cast<std::uint32_t>(shape.size()));
      std::uint64_t elements = 1;
      for (const std::uint64_t size : shape) {
        head += little(size);
        elements *= size;
      }
      head += little(kF32) + little<std::uint64_t>(data.size());
      for (std::uint64_t i = 0; i < elements; ++i) data += little(static_cast<float>(i + 1));
      data = padded(data);
    }
    return padded(head) + data;
  }
};

std::shared_ptr<const Model> openBuilt(const std::function<void(GgufModel&)>& edit) {
  GgufModel built;
  edit(built);
  TemporaryFolder folder;
  return openModel(put(folder / "built.gguf", built.bytes()));
}

TEST(GgufConfig, IsRead) {
  const auto model = openBuilt([](GgufModel&) {});
  EXPECT_EQ(model->spec.name, "by hand");
  EXPECT_EQ(model->spec.headDim, 8);
  EXPECT_EQ(model->spec.keyHeads, 1);
  EXPECT_EQ(model->spec.vocabulary, 3);
  EXPECT_TRUE(model->spec.tiedEmbeddings);
  EXPECT_EQ(model->spec.rope().kind, "default");
  EXPECT_EQ(model->spec.rope().theta, 10000);
  EXPECT_EQ(model->spec.config["llama.block_count"], 1);
}

TEST(GgufConfig, ListsOfOneValueCountAsThatValue) {
  EXPECT_EQ(openBuilt([](GgufModel& m) {
              m.list("llama.attention.head_count_kv", {1, 1});
            })->spec.keyHeads,
            1);
  EXPECT_THAT(
      inputErrorOf([] { openBuilt([](GgufModel& m) {
                          m.list("llama.attention.head_count_kv", {1, 2});
                        }); }),
      HasSubstr("llama.attention.head_count_kv: expected a whole number from 1 to 4096, found [1,2]"));
}

// The settings alone, which tensors need not fit.
ModelSpec specBuilt(const std::string& architecture, const std::function<void(GgufModel&)>& edit) {
  GgufModel built(architecture);
  edit(built);
  TemporaryFolder folder;
  return readModelSpec(put(folder / "built.gguf", built.bytes()));
}

TEST(GgufConfig, LayersMayDifferInTheirNumbers) {
  const ModelSpec spec = specBuilt("llama", [](GgufModel& m) {
    m.number("llama.block_count", 3);
    m.list("llama.attention.head_count_kv", {1, 2, 1});
    m.list("llama.feed_forward_length", {4, 4, 8});
  });
  const auto of = [&](std::int64_t LayerSpec::*member) {
    std::vector<std::int64_t> numbers;
    for (const LayerSpec& layer : spec.layers) numbers.push_back(layer.*member);
    return numbers;
  };
  EXPECT_THAT(of(&LayerSpec::keyHeads), testing::ElementsAre(1, 2, 1));
  EXPECT_THAT(of(&LayerSpec::intermediate), testing::ElementsAre(4, 4, 8));
  EXPECT_THAT(of(&LayerSpec::headDim), testing::ElementsAre(8, 8, 8));
  EXPECT_THAT(inputErrorOf([] {
                specBuilt("llama", [](GgufModel& m) {
                  m.number("llama.block_count", 2);
                  m.list("llama.attention.head_count_kv", {1, 3});
                });
              }),
              HasSubstr("expected a divisor of the 2 query heads, found 3"));
}

// A scaling is that of the layers that see everything: the converter writes no other.
TEST(GgufConfig, WindowedLayersMayHaveTheirOwnRope) {
  const ModelSpec spec = specBuilt("gemma2", [](GgufModel& m) {
    m.number("gemma2.block_count", 2);
    m.number("gemma2.attention.sliding_window", 4);
    m.real("gemma2.rope.freq_base", 1e6F);
    m.real("gemma2.rope.freq_base_swa", 2e4F);
    m.number("gemma2.rope.dimension_count_swa", 4);
    m.text("gemma2.rope.scaling.type", "linear");
    m.real("gemma2.rope.scaling.factor", 8);
  });
  ASSERT_EQ(spec.ropes.size(), 2u);
  EXPECT_EQ(spec.ropes[0].layerType, "full_attention");
  EXPECT_EQ(spec.ropes[0].kind, "linear");
  EXPECT_EQ(spec.ropes[0].theta, 1e6);
  EXPECT_EQ(spec.ropes[0].rotaryDim, 8);
  EXPECT_EQ(spec.ropes[1].layerType, "sliding_attention");
  EXPECT_EQ(spec.ropes[1].kind, "default");
  EXPECT_EQ(spec.ropes[1].theta, 2e4);
  EXPECT_EQ(spec.ropes[1].rotaryDim, 4);
  EXPECT_EQ(spec.layers[0].ropeIndex, 1u);
  EXPECT_EQ(spec.layers[1].ropeIndex, 0u);
}

TEST(GgufConfig, LayersThatPredictFurtherTokensAreNotCounted) {
  const ModelSpec spec = specBuilt("llama", [](GgufModel& m) {
    m.number("llama.block_count", 3);
    m.number("llama.nextn_predict_layers", 1);
  });
  EXPECT_EQ(spec.layerCount, 2);
}

TEST(GgufConfig, WindowsMayBeListedLayerByLayer) {
  const auto spec = [](std::initializer_list<std::uint32_t> flags) {
    return specBuilt("gemma2", [&](GgufModel& m) {
      m.number("gemma2.block_count", 3);
      m.number("gemma2.attention.sliding_window", 4);
      m.list("gemma2.attention.sliding_window_pattern", flags);
    });
  };
  std::vector<std::int64_t> windows;
  for (const LayerSpec& layer : spec({1, 0, 1}).layers) windows.push_back(layer.window);
  EXPECT_THAT(windows, testing::ElementsAre(4, 0, 4));
  EXPECT_THAT(inputErrorOf([&] { spec({1, 0}); }), HasSubstr("expected 3 flags, one per layer, found 2"));
}

TEST(GgufConfig, ConfigurationLeavesArraysOut) {
  const auto model = openBuilt([](GgufModel& m) { m.list("tokenizer.ggml.token_type", {1, 2, 3}); });
  EXPECT_FALSE(model->spec.config->contains("tokenizer.ggml.token_type"));
}

TEST(GgufConfig, BiasesAndOutputComeFromTheTensors) {
  const auto model = openBuilt([](GgufModel& m) {
    m.tensors.insert(m.tensors.end(), {{"blk.0.attn_q.bias", {16}},
                                       {"blk.0.attn_k.bias", {8}},
                                       {"blk.0.attn_v.bias", {8}},
                                       {"output.weight", {16, 3}}});
  });
  EXPECT_TRUE(model->spec.attentionBias);
  EXPECT_FALSE(model->spec.outputBias);
  EXPECT_FALSE(model->spec.tiedEmbeddings);
  // A bias is permuted like its rows: 1..16 is two heads, whose halves were interleaved.
  std::vector<float> bias(16);
  model->read(model->layers[0].at(TensorRole::QueryBias), bias);
  EXPECT_THAT(bias, testing::ElementsAre(1, 3, 5, 7, 2, 4, 6, 8, 9, 11, 13, 15, 10, 12, 14, 16));
}

TEST(GgufConfig, ReadsRopeScaling) {
  const auto yarn = openBuilt([](GgufModel& m) {
                      m.text("llama.rope.scaling.type", "yarn");
                      m.real("llama.rope.scaling.factor", 4);
                      m.number("llama.rope.scaling.original_context_length", 1024);
                      m.real("llama.rope.freq_base", 5000);
                      m.real("llama.rope.scaling.yarn_beta_fast", 16);
                    })->spec.rope();
  EXPECT_EQ(yarn.kind, "yarn");
  EXPECT_EQ(yarn.factor, 4);
  EXPECT_EQ(yarn.originalContext, 1024);
  EXPECT_EQ(yarn.theta, 5000);
  EXPECT_EQ(yarn.betaFast, 16);
  EXPECT_FALSE(yarn.attentionFactor.has_value());
  const auto stretched = openBuilt([](GgufModel& m) {
                           m.text("llama.rope.scaling.type", "yarn");
                           m.real("llama.rope.scaling.factor", 4);
                           m.number("llama.rope.scaling.original_context_length", 1024);
                           m.real("llama.rope.scaling.attn_factor", 1.5);
                         })->spec.rope();
  EXPECT_NEAR(stretched.attentionFactor.value_or(0), 1.5 * 1.138629436, 1e-9);  // 1.5 (1 + 0.1 ln 4)
  const auto none = openBuilt([](GgufModel& m) {
                      m.text("llama.rope.scaling.type", "none");
                      m.real("llama.rope.scaling.factor", 4);
                    })->spec.rope();
  EXPECT_EQ(none.kind, "default");
  EXPECT_EQ(openBuilt([](GgufModel& m) { m.real("llama.rope.scale_linear", 4); })->spec.rope().kind,
            "linear");
  EXPECT_EQ(openBuilt([](GgufModel& m) { m.number("llama.rope.dimension_count", 4); })->spec.rope().rotaryDim,
            4);
}

TEST(GgufConfig, Llama3FactorsAreATensor) {
  const auto rope = openBuilt([](GgufModel& m) {
                      m.tensors.push_back({"rope_freqs.weight", {4}});
                    })->spec.rope();
  EXPECT_EQ(rope.kind, "default");
  EXPECT_THAT(rope.frequencyFactors, testing::ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(inputErrorOf([] {
                openBuilt([](GgufModel& m) { m.tensors.push_back({"rope_freqs.weight", {5}}); });
              }),
              HasSubstr("frequency_factors: expected 4 numbers, found 5"));
  EXPECT_THAT(inputErrorOf([] {
                openBuilt([](GgufModel& m) { m.tensors.push_back({"rope_freqs.weight", {1 << 17}}); });
              }),
              HasSubstr("rope_freqs.weight: expected one number per rotated pair, found 131072"));
}

TEST(GgufConfig, LongropeListsAreTensors) {
  const auto rope = openBuilt([](GgufModel& m) {
                      m.text("llama.rope.scaling.type", "longrope");
                      m.number("llama.rope.scaling.original_context_length", 1024);
                      m.real("llama.rope.scaling.attn_factor", 1.25);
                      m.tensors.push_back({"rope_factors_short.weight", {4}});
                      m.tensors.push_back({"rope_factors_long.weight", {4}});
                    })->spec.rope();
  EXPECT_EQ(rope.kind, "longrope");
  EXPECT_EQ(rope.longFactor, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(rope.factor, 4);
  EXPECT_EQ(rope.attentionFactor, 1.25);
}

struct BadGgufCase {
  const char* name;
  void (*edit)(GgufModel&);
  const char* complaint;
};

class BadGgufModel : public testing::TestWithParam<BadGgufCase> {};

TEST_P(BadGgufModel, IsRefused) {
  const std::string message = inputErrorOf([] { openBuilt(GetParam().edit); });
  EXPECT_THAT(message, HasSubstr(GetParam().complaint));
  EXPECT_THAT(message, HasSubstr("built.gguf: "));
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadGgufModel,
    testing::ValuesIn(std::vector<BadGgufCase>{
        {"architecture", [](GgufModel& m) { m.text("general.architecture", "clip"); },
         "general.architecture: expected one of llama, mistral, "},
        {"no_architecture", [](GgufModel& m) { m.keys.erase("general.architecture"); }, "found none"},
        {"no_layers", [](GgufModel& m) { m.keys.erase("llama.block_count"); },
         "llama.block_count: expected a whole number"},
        {"heads", [](GgufModel& m) { m.number("llama.attention.head_count", 3); },
         "llama.attention.head_count: expected a divisor"},
        {"kv_heads", [](GgufModel& m) { m.number("llama.attention.head_count_kv", 3); },
         "llama.attention.head_count_kv: expected a divisor of the 2 query heads, found 3"},
        {"value_size", [](GgufModel& m) { m.number("llama.attention.value_length", 4); },
         "llama.attention.value_length: expected the head size 8, found 4"},
        {"experts", [](GgufModel& m) { m.number("llama.expert_count", 8); },
         "the tensors do not fit the architecture mixtral: missing: blk.0.ffn_gate_inp.weight"},
        {"rope_kind", [](GgufModel& m) { m.text("llama.rope.scaling.type", "ntk"); },
         "rope_type: expected one of default"},
        {"rope_setting", [](GgufModel& m) { m.real("llama.rope.scaling.new_thing", 2); },
         "metadata llama.rope.scaling.new_thing: this RoPE setting is not known"},
        {"rope_dimensions", [](GgufModel& m) { m.number("llama.rope.dimension_count", 9); },
         "llama.rope.dimension_count"},
        {"context_text", [](GgufModel& m) { m.text("llama.context_length", "long"); },
         "llama.context_length: expected a whole number"},
        {"missing_tensor", [](GgufModel& m) { m.tensors.erase(m.tensors.begin() + 4); },
         "missing: blk.0.attn_k.weight"},
        {"no_embedding", [](GgufModel& m) { m.tensors.erase(m.tensors.begin()); },
         "token_embd.weight: expected a whole number"},
        {"wrong_shape",
         [](GgufModel& m) {
           m.tensors[4].second = {16, 16};
         },
         "blk.0.attn_k.weight (expected shape [8, 16], found [16, 16])"},
        {"unused_tensor",
         [](GgufModel& m) {
           m.tensors.push_back({"blk.0.attn_q.lora_a", {16, 16}});
         },
         "unused: blk.0.attn_q.lora_a"},
    }),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace plastiscope::test
