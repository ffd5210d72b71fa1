// What families say of their layers, in configurations that say it otherwise than the small models of
// tests/data/families: by rule instead of layer by layer, or in a way that is refused.
#include <gmock/gmock.h>

#include <cctype>

#include "core/base/json.h"
#include "core/model/model.h"
#include "tests/support/temporary_folder.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

using testing::HasSubstr;

// Of a family's small model, with `changes` laid over its settings; null takes a key away.
ModelSpec specOf(const std::string& family, const char* changes) {
  Json config = readJsonFile(testData("families/" + family + "/config.json"));
  config.merge_patch(Json::parse(changes));
  TemporaryFolder folder;
  put(folder / "config.json", config.dump());
  return readModelSpec(folder.path());
}

struct LayerCase {
  const char* name;
  const char* family;
  const char* changes;
  const char* layers;  // the first letter of each layer's attention; large: without RoPE
};

class LayerRules : public testing::TestWithParam<LayerCase> {};

TEST_P(LayerRules, EqualAListOfLayers) {
  const ModelSpec spec = specOf(GetParam().family, GetParam().changes);
  std::string layers;
  for (const LayerSpec& layer : spec.layers) {
    const char letter = nameOf(layer.attention).front();
    layers += layer.rope ? letter : static_cast<char>(std::toupper(letter));
  }
  EXPECT_EQ(layers, GetParam().layers);
}

INSTANTIATE_TEST_SUITE_P(
    Families, LayerRules,
    testing::ValuesIn(std::vector<LayerCase>{
        {"gemma3", "gemma3_text", R"({"layer_types":null,"_sliding_window_pattern":2})", "ssss"},
        {"gemma3_of_old", "gemma3_text",
         R"({"layer_types":null,"_sliding_window_pattern":2,"sliding_window_pattern":3})", "ssfs"},
        {"gemma4", "gemma4_text",
         R"({"layer_types":null,"num_kv_shared_layers":0,"per_layer_config":{"1":null}})", "sssf"},
        {"gemma3n", "gemma3n_text", R"({"layer_types":null})", "ssss"},
        {"exaone4_letters", "exaone4", R"({"layer_types":null,"sliding_window_pattern":"LG"})", "sFsF"},
        {"exaone4_number", "exaone4", R"({"layer_types":null,"sliding_window_pattern":3})", "ssFs"},
        {"qwen3_from_a_layer_on", "qwen3",
         R"({"layer_types":null,"use_sliding_window":true,"sliding_window":9,"max_window_layers":2})",
         "ffss"},
        {"qwen3_switched_off", "qwen3",
         R"({"layer_types":null,"use_sliding_window":false,"sliding_window":9,"max_window_layers":2})",
         "ffff"},
        {"smollm3", "smollm3",
         R"({"layer_types":null,"no_rope_layers":null,"use_sliding_window":true,"sliding_window":9})",
         "fffS"},
        {"smollm3_list", "smollm3", R"({"layer_types":null,"use_sliding_window":true,"sliding_window":9})",
         "fSfS"},
    }),
    [](const auto& one) { return std::string(one.param.name); });

struct RefusedCase {
  const char* name;
  const char* family;
  const char* changes;
  const char* complaint;
};

class RefusedRules : public testing::TestWithParam<RefusedCase> {};

TEST_P(RefusedRules, AreNamed) {
  EXPECT_THAT(inputErrorOf([] { specOf(GetParam().family, GetParam().changes); }),
              HasSubstr(std::string("config.json: ") + GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    Families, RefusedRules,
    testing::ValuesIn(std::vector<RefusedCase>{
        {"gemma3_sees_what_follows", "gemma3_text", R"({"use_bidirectional_attention":true})",
         "use_bidirectional_attention: expected causal attention, found attention in both directions"},
        {"gemma4_sees_what_follows", "gemma4_text", R"({"use_bidirectional_attention":"all"})",
         "use_bidirectional_attention: expected causal attention, found attention in both directions"},
        {"gemma4_biases", "gemma4_text", R"({"attention_bias":true})",
         "attention_bias: expected no biases in this architecture, found true"},
        {"gemma4_other_vocabulary", "gemma4_text", R"({"vocab_size_per_layer_input":50})",
         "vocab_size_per_layer_input: expected the vocabulary of 97, found 50"},
        {"gemma4_keys_of_no_layer", "gemma4_text",
         R"({"layer_types":["sliding_attention","sliding_attention","full_attention","full_attention"]})",
         "num_kv_shared_layers: expected a layer of each kind that has keys, found 2 layers"},
        {"gemma4_keys_of_other_heads", "gemma4_text",
         R"({"per_layer_config":{"3":{"num_key_value_heads":1}}})",
         "per_layer_config: expected the same heads in layers that share their keys, found different heads"},
        {"gemma3n_biases", "gemma3n_text", R"({"attention_bias":true})",
         "attention_bias: expected no biases in this architecture, found true"},
        {"gemma3n_streams", "gemma3n_text", R"({"altup_num_inputs":1})",
         "altup_num_inputs: expected a whole number from 2 to 64, found 1"},
        {"gemma3n_active_stream", "gemma3n_text", R"({"altup_active_idx":4})",
         "altup_active_idx: expected a whole number from 0 to 3, found 4"},
        {"gemma3n_sparsity_of_few_layers", "gemma3n_text", R"({"activation_sparsity_pattern":[0.5]})",
         "activation_sparsity_pattern: expected 4 numbers, one per layer, found 1"},
        {"gemma3n_whole_sparsity", "gemma3n_text", R"({"activation_sparsity_pattern":[0.5,1,0,0]})",
         "activation_sparsity_pattern[1]: expected a number from 0"},
        {"gemma3n_widths_of_few_layers", "gemma3n_text", R"({"intermediate_size":[48,48]})",
         "intermediate_size: expected a whole number"},
        {"glm4_groups", "glm4_moe", R"({"n_group":4})", "n_group: expected a divisor of 6, found 4"},
        {"glm4_experts", "glm4_moe", R"({"n_routed_experts":0})",
         "n_routed_experts: expected a whole number from 1"},
        {"ministral3_grows_from_where", "ministral3",
         R"({"rope_parameters":{"rope_type":"default","type":null,"original_max_position_embeddings":null,)"
         R"("factor":null,"beta_fast":null,"beta_slow":null,"mscale":null,"mscale_all_dim":null}})",
         "original_max_position_embeddings: expected a length, which llama_4_scaling_beta needs, found none"},
        {"few_types", "qwen3", R"({"layer_types":["full_attention"]})",
         "layer_types: expected 4 types, one per layer, found 1"},
        {"other_types", "qwen3",
         R"({"layer_types":["full_attention","full_attention","mamba","full_attention"]})",
         "layer_types: expected only attention, full_attention, sliding_attention in this architecture, "
         "found "
         "\"mamba\""},
        {"types_without_a_window", "smollm3",
         R"({"layer_types":["full_attention","full_attention","sliding_attention","full_attention"]})",
         "layer_types: expected no windowed layers, because the file gives no window, found "
         "\"sliding_attention\" for layer 2"},
        {"few_flags", "smollm3", R"({"no_rope_layers":[1,0]})",
         "no_rope_layers: expected 4 numbers, one per layer, found 2"},
        {"delta_net_heads", "qwen3_next", R"({"linear_num_key_heads":3})",
         "linear_num_key_heads: expected a divisor of 4, found 3"},
        {"mamba_groups", "granitemoehybrid", R"({"mamba_n_groups":3})",
         "mamba_n_groups: expected a divisor of 4, found 3"},
        {"mamba_steps", "granitemoehybrid", R"({"time_step_limit":[0,0.1]})",
         "time_step_limit: expected [0, Infinity], found [0,0.1]"},
        {"mamba_head_size", "granitemoehybrid", R"({"mamba_d_head":5})",
         "mamba_d_head: expected 16 or \"auto\", found 5"},
        {"falcon_h1_biases", "falcon_h1", R"({"projectors_bias":true})",
         "projectors_bias: expected no biases in this architecture, found true"},
        {"latent_choice", "deepseek_v2", R"({"topk_method":"noaux_tc"})",
         "topk_method: expected greedy or group_limited_greedy, found \"noaux_tc\""},
        {"latent_values", "deepseek_v3", R"({"v_head_dim":40})",
         "v_head_dim: expected at most the 28 dimensions of a query, found 40"},
        {"latent_biases", "deepseek_v3", R"({"attention_bias":true})",
         "attention_bias: expected no biases in this architecture, found true"},
        {"hunyuan_experts_by_layer", "hunyuan_v1_moe", R"({"moe_topk":[2,2,1,2]})",
         "moe_topk: expected the same number in every layer, found [2,2,1,2]"},
        {"lfm2_biases", "lfm2", R"({"conv_bias":true})",
         "conv_bias: expected no biases in this architecture, found true"},
    }),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace plastiscope::test
