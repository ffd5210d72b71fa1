// config.json in its many spellings: what is read from it, and what is refused with which words.
#include <gmock/gmock.h>

#include <fstream>
#include <functional>

#include "core/base/json.h"
#include "core/model/model.h"
#include "core/model/model_config.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

using testing::HasSubstr;

// The spec of the tiny Llama's config.json after `edit`.
ModelSpec specOf(const std::function<void(Json&)>& edit) {
  TemporaryFolder folder;
  TinyLlama tiny;
  edit(tiny.config);
  put(folder / "config.json", tiny.config.dump());
  return readModelSpec(folder.path());
}

TEST(HfConfig, FillsInDefaults) {
  const ModelSpec spec = specOf([](Json& c) {
    for (const char* key : {"rope_theta", "rms_norm_eps", "max_position_embeddings", "num_key_value_heads",
                            "tie_word_embeddings", "hidden_act", "architectures"}) {
      c.erase(key);
    }
    c["head_dim"] = nullptr;
    c["rope_scaling"] = nullptr;
    c["quantization_config"] = nullptr;
    c["num_local_experts"] = c["num_experts"] = c["per_layer_config"] = c["sliding_window"] = nullptr;
  });
  EXPECT_EQ(spec.keyHeads, spec.queryHeads);
  EXPECT_EQ(spec.headDim, 8);
  EXPECT_EQ(spec.rope().theta, 10000);
  EXPECT_EQ(spec.norm.eps, 1e-6);
  EXPECT_EQ(spec.contextLength, 2048);
  EXPECT_FALSE(spec.tiedEmbeddings);
}

// NVIDIA's ModelOpt writes it beside a config.json that says nothing.
TEST(HfConfig, TakesTheQuantisationOfTheFileBesideIt) {
  TemporaryFolder folder;
  put(folder / "config.json", TinyLlama().config.dump());
  const auto quantised = [&](const std::string& algorithm) {
    put(folder / "hf_quant_config.json",
        R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":)" + algorithm + "}}");
    return readHfConfig(folder.path()).quantisation;
  };
  EXPECT_EQ(quantised("\"FP8\"").at("quant_method"), "modelopt");
  EXPECT_TRUE(quantised("null").is_null());  // only the cache of keys and values
  EXPECT_THAT(inputErrorOf([&] { quantised("\"W4A8_AWQ\""); }), HasSubstr("(quant_algo W4A8_AWQ)"));
}

TEST(HfConfig, RefusesTheQuantisationUnderMlxsOwnKey) {
  EXPECT_THAT(
      inputErrorOf([] { specOf([](Json& c) { c["quantization"] = {{"bits", 4}, {"group_size", 64}}; }); }),
      HasSubstr("the quantisation mlx is not supported (integers packed into words)"));
}

TEST(HfConfig, ReadsBiasesAndTheHeadSize) {
  const ModelSpec spec = specOf([](Json& c) {
    c.update({{"attention_bias", true},
              {"mlp_bias", true},
              {"head_dim", 16},
              {"hidden_act", "gelu_pytorch_tanh"}});
  });
  EXPECT_TRUE(spec.attentionBias && spec.outputBias && spec.mlpBias);
  EXPECT_EQ(spec.headDim, 16);
  EXPECT_EQ(spec.scoreScale, 0.25);
  EXPECT_EQ(spec.rope().rotaryDim, 16);
  EXPECT_EQ(spec.activation, Activation::GeluTanh);
}

TEST(HfConfig, ReadsSettingsOfSingleLayers) {
  const ModelSpec spec = specOf([](Json& c) {
    c["per_layer_config"] = {{"1", {{"num_key_value_heads", 1}, {"intermediate_size", 96}}}};
  });
  EXPECT_EQ(spec.layers[0].keyHeads, 2);
  EXPECT_EQ(spec.layers[0].intermediate, 48);
  EXPECT_EQ(spec.layers[1].headDim, 8);
  EXPECT_EQ(spec.layers[1].keyHeads, 1);
  EXPECT_EQ(spec.layers[1].intermediate, 96);
  const auto failure = [](const Json& differences) {
    return inputErrorOf([&] { specOf([&](Json& c) { c["per_layer_config"] = differences; }); });
  };
  EXPECT_THAT(failure({{"2", {{"head_dim", 16}}}}), HasSubstr("expected settings of one of the layers"));
  EXPECT_THAT(failure({{"1", {{"head_dim", 16}}}}),
              HasSubstr("one head_dim for all layers with the same RoPE"));
  EXPECT_THAT(failure({{"1", {{"num_key_value_heads", 3}}}}), HasSubstr("a divisor of the 4 query heads"));
  EXPECT_THAT(failure({{"1", {{"sliding_window", 3}}}}), HasSubstr("found sliding_window"));
}

TEST(HfConfig, ReadsTheNestedLanguageModel) {
  for (const char* key : {"text_config", "language_config", "llm_config", "decoder_config"}) {
    const ModelSpec spec = specOf([&](Json& c) {
      c = {{"model_type", "some_vision_model"},
           {"num_attention_heads", 99},
           {key, c},
           {"vision_config", {{"x", 1}}}};
    });
    EXPECT_EQ(spec.queryHeads, 4) << key;
    EXPECT_TRUE(spec.config->contains("vision_config"));
  }
}

// Published multimodal models leave out what is as in the class of the language model.
TEST(HfConfig, ReadsANestedLanguageModelWithDefaultsOfItsClass) {
  TemporaryFolder folder;
  const Json text = {{"hidden_size", 64}, {"intermediate_size", 96}, {"num_hidden_layers", 2}};
  put(folder / "config.json", Json{{"model_type", "gemma3"}, {"text_config", text}}.dump());
  const ModelSpec spec = readModelSpec(folder.path());
  EXPECT_EQ(spec.queryHeads, 8);
  EXPECT_EQ(spec.keyHeads, 4);
  EXPECT_EQ(spec.headDim, 256);
  EXPECT_EQ(spec.ropes.size(), 2u);
}

TEST(HfConfig, SettingsOfLayerTypesOverrideThoseBesideThem) {
  std::ifstream stream(testData("families/gemma4_text/config.json"));
  Json config = Json::parse(stream);
  TemporaryFolder folder;
  const auto rope = [&] {
    put(folder / "config.json", config.dump());
    return ropeJson(readModelSpec(folder.path()));
  };
  const Json before = rope();
  config["rope_parameters"].update({{"rope_theta", 5.0}, {"rope_type", "yarn"}});
  EXPECT_EQ(rope(), before);
  config["rope_parameters"] = {{"rope_theta", 5.0}};
  EXPECT_THAT(inputErrorOf(rope), HasSubstr("rope_parameters: expected settings for each layer type"));
}

// A file that Python wrote before transformers 5.
TEST(HfConfig, ReadsInfinityAsPythonWritesIt) {
  for (const char* endless : {"Infinity", "\"Infinity\"", R"({"__float__": "Infinity"})"}) {
    std::ifstream stream(testData("families/granitemoehybrid/config.json"));
    Json config = Json::parse(stream);
    config["time_step_limit"] = "HERE";
    std::string text = config.dump();
    text.replace(text.find("\"HERE\""), 6, "[0.0, " + std::string(endless) + "]");
    TemporaryFolder folder;
    put(folder / "config.json", text);
    EXPECT_EQ(readModelSpec(folder.path()).architecture, "granitemoehybrid") << endless;
  }
}

TEST(HfConfig, RecognisesAModelByItsClassWithoutAType) {
  EXPECT_EQ(specOf([](Json& c) { c.erase("model_type"); }).architecture, "llama");
}

TEST(HfConfig, NamesTheModel) {
  EXPECT_EQ(specOf([](Json& c) { c["_name_or_path"] = "org/name"; }).name, "org/name");
  TemporaryFolder cache;
  const auto snapshot = cache / "models--org--some-name" / "snapshots" / "abc";
  put(snapshot / "config.json", TinyLlama().config.dump());
  EXPECT_EQ(readModelSpec(snapshot).name, "org/some-name");
  const auto plain = put(cache / "plain" / "config.json", TinyLlama().config.dump()).parent_path();
  EXPECT_EQ(readModelSpec(plain).name, "plain");
  Json config = TinyLlama().config;
  config["_name_or_path"] = "/home/someone/checkpoint";
  put(plain / "config.json", config.dump());
  EXPECT_EQ(readModelSpec(plain).name, "plain");
}

struct RopeCase {
  const char* name;
  const char* config;    // laid over the tiny Llama's (theta 10000, context 4096, head size 8)
  const char* expected;  // RopeSpec::toJson
};

class RopeSpelling : public testing::TestWithParam<RopeCase> {};

TEST_P(RopeSpelling, IsRead) {
  const ModelSpec spec = specOf([](Json& c) { c.merge_patch(Json::parse(GetParam().config)); });
  Json expected = Json::parse(GetParam().expected);
  if (!expected.contains("rotary_dim")) expected["rotary_dim"] = 8;
  expected["max_position_embeddings"] = 4096;
  EXPECT_EQ(spec.rope().toJson(), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Configs, RopeSpelling,
    testing::ValuesIn(std::vector<RopeCase>{
        {"plain", R"({"rope_theta":500000.0})", R"({"rope_type":"default","rope_theta":500000.0})"},
        {"new_plain", R"({"rope_theta":null,"rope_parameters":{"rope_type":"default","rope_theta":2000000}})",
         R"({"rope_type":"default","rope_theta":2000000.0})"},
        {"inside_wins", R"({"rope_parameters":{"rope_theta":3000}})",
         R"({"rope_type":"default","rope_theta":3000.0})"},
        {"old_linear", R"({"rope_scaling":{"type":"linear","factor":4.0}})",
         R"({"rope_type":"linear","rope_theta":10000.0,"factor":4.0})"},
        {"both_names_agree", R"({"rope_scaling":{"type":"linear","rope_type":"linear","factor":2}})",
         R"({"rope_type":"linear","rope_theta":10000.0,"factor":2.0})"},
        {"the_name_of_today_wins", R"({"rope_scaling":{"type":"yarn","rope_type":"linear","factor":2}})",
         R"({"rope_type":"linear","rope_theta":10000.0,"factor":2.0})"},
        {"the_dictionary_of_old_wins",
         R"({"rope_scaling":{"type":"linear","factor":2},"rope_parameters":{"rope_type":"linear","factor":3.0,"rope_theta":5000}})",
         R"({"rope_type":"linear","rope_theta":10000.0,"factor":2.0})"},
        {"others_have_no_effect",
         R"({"rope_scaling":{"type":"linear","factor":2,"alpha":3,"mrope_section":[1],"beta_fast":9,"rotary_dim":4}})",
         R"({"rope_type":"linear","rope_theta":10000.0,"factor":2.0})"},
        {"dynamic", R"({"rope_scaling":{"rope_type":"dynamic","factor":2.0}})",
         R"({"rope_type":"dynamic","rope_theta":10000.0,"factor":2.0})"},
        {"llama3",
         R"({"rope_scaling":{"rope_type":"llama3","factor":32.0,"low_freq_factor":1.0,"high_freq_factor":4.0,)"
         R"("original_max_position_embeddings":8192}})",
         R"({"rope_type":"llama3","rope_theta":10000.0,"factor":32.0,"low_freq_factor":1.0,"high_freq_factor":4.0,)"
         R"("original_max_position_embeddings":8192})"},
        {"yarn_with_defaults", R"({"rope_scaling":{"type":"yarn","factor":4.0,"finetuned":true}})",
         R"({"rope_type":"yarn","rope_theta":10000.0,"factor":4.0,"original_max_position_embeddings":4096,)"
         R"("beta_fast":32.0,"beta_slow":1.0,"truncate":true})"},
        {"yarn_in_full",
         R"({"rope_parameters":{"rope_type":"yarn","factor":16,"original_max_position_embeddings":1024,"beta_fast":30,)"
         R"("beta_slow":2,"truncate":false,"attention_factor":1.5,"mscale":1.0,"mscale_all_dim":0}})",
         R"({"rope_type":"yarn","rope_theta":10000.0,"factor":16.0,"original_max_position_embeddings":1024,)"
         R"("beta_fast":30.0,"beta_slow":2.0,"truncate":false,"attention_factor":1.5,"mscale":1.0})"},
        {"yarn_factor_from_lengths",
         R"({"rope_parameters":{"rope_type":"yarn","original_max_position_embeddings":1024}})",
         R"({"rope_type":"yarn","rope_theta":10000.0,"factor":4.0,"original_max_position_embeddings":1024,)"
         R"("beta_fast":32.0,"beta_slow":1.0,"truncate":true})"},
        {"longrope",
         R"({"original_max_position_embeddings":512,)"
         R"("rope_scaling":{"type":"longrope","short_factor":[1,1,2,2],"long_factor":[1,2,3,4.5]}})",
         R"({"rope_type":"longrope","rope_theta":10000.0,"factor":8.0,"original_max_position_embeddings":512,)"
         R"("short_factor":[1.0,1.0,2.0,2.0],"long_factor":[1.0,2.0,3.0,4.5]})"},
        {"su_is_longrope",
         R"({"rope_scaling":{"type":"su","factor":2,"original_max_position_embeddings":512,)"
         R"("short_factor":[1,1,1,1],"long_factor":[1,1,1,1]}})",
         R"({"rope_type":"longrope","rope_theta":10000.0,"factor":2.0,"original_max_position_embeddings":512,)"
         R"("short_factor":[1.0,1.0,1.0,1.0],"long_factor":[1.0,1.0,1.0,1.0]})"},
        {"partial_in_a_llama", R"({"partial_rotary_factor":0.5})",
         R"({"rope_type":"default","rope_theta":10000.0})"},
        {"partial_in_a_llama_inside", R"({"rope_parameters":{"partial_rotary_factor":0.25}})",
         R"({"rope_type":"default","rope_theta":10000.0})"},
        {"partial_in_a_glm", R"({"model_type":"qwen3_5_text","head_dim":8,"partial_rotary_factor":0.25})",
         R"({"rope_type":"default","rope_theta":10000.0,"rotary_dim":2})"},
    }),
    [](const auto& one) { return std::string(one.param.name); });

struct BadCase {
  const char* name;
  const char* config;  // laid over the tiny Llama's; null takes a key away
  const char* complaint;
};

class BadConfig : public testing::TestWithParam<BadCase> {};

TEST_P(BadConfig, IsRefused) {
  const std::string message =
      inputErrorOf([] { specOf([](Json& c) { c.merge_patch(Json::parse(GetParam().config)); }); });
  EXPECT_THAT(message, HasSubstr(GetParam().complaint));
  EXPECT_THAT(message, HasSubstr("config.json: "));
}

INSTANTIATE_TEST_SUITE_P(
    Configs, BadConfig,
    testing::ValuesIn(std::vector<BadCase>{
        {"unknown_type", R"({"model_type":"mamba"})",
         "architecture: expected one of llama, mistral, ministral, "},
        {"unknown_class", R"({"model_type":null,"architectures":["BertModel"]})", "found \"BertModel\""},
        {"no_architecture", R"({"model_type":null,"architectures":null})",
         "architecture: expected one of llama, mistral, "},
        {"type_is_number", R"({"model_type":7,"architectures":[3]})", "found none"},
        {"gptq", R"({"quantization_config":{"quant_method":"gptq","bits":4}})",
         "the quantisation gptq is not supported"},
        {"unnamed_quantisation", R"({"quantization_config":{"bits":4}})",
         "the quantisation unnamed is not supported"},
        {"no_layers", R"({"num_hidden_layers":null})",
         "num_hidden_layers: expected a whole number from 1 to 4096, found none"},
        {"zero_layers", R"({"num_hidden_layers":0})",
         "num_hidden_layers: expected a whole number from 1 to 4096, found 0"},
        {"layers_text", R"({"num_hidden_layers":"2"})", "found \"2\""},
        {"layers_fraction", R"({"num_hidden_layers":2.0})", "found 2.0"},
        {"layers_huge", R"({"num_hidden_layers":1000000000})", "found 1000000000"},
        {"hidden_negative", R"({"hidden_size":-32})", "hidden_size: expected a whole number"},
        {"hidden_beyond_int64", R"({"hidden_size":18446744073709551615})", "found 18446744073709551615"},
        {"heads_do_not_divide", R"({"num_attention_heads":5,"num_key_value_heads":5})",
         "a divisor of hidden size 32, found 5"},
        {"kv_do_not_divide", R"({"num_key_value_heads":3})", "a divisor of the 4 query heads, found 3"},
        {"zero_kv", R"({"num_key_value_heads":0})", "num_key_value_heads: expected a whole number from 1"},
        {"head_dim_zero", R"({"head_dim":0})", "head_dim: expected a whole number from 2"},
        {"head_dim_one", R"({"num_attention_heads":32,"num_key_value_heads":32})",
         "head_dim: expected a head size from 2"},
        {"head_dim_odd", R"({"head_dim":5})", "an even number of rotated dimensions, found 5"},
        {"eps_negative", R"({"rms_norm_eps":-1})", "rms_norm_eps: expected a number"},
        {"vocabulary_huge", R"({"vocab_size":4000000000})", "vocab_size: expected a whole number"},
        {"bias_text", R"({"attention_bias":"yes"})", "attention_bias: expected true or false, found \"yes\""},
        {"activation", R"({"hidden_act":"mish"})", "hidden_act: expected one of gelu"},
        {"experts", R"({"num_local_experts":8})",
         "num_local_experts: expected a Llama without experts, found 8"},

        {"rope_kind", R"({"rope_scaling":{"type":"ntk","factor":2}})",
         "rope_type: expected one of default, linear, dynamic, llama3, yarn, longrope, proportional, found "
         "\"ntk\"; --rope-override sets other values"},
        {"rope_by_layer_type", R"({"rope_parameters":{"full_attention":{"rope_type":"default"},"factor":2}})",
         "expected one set of values in this architecture, found one for "
         "full_attention"},
        {"rope_text", R"({"rope_scaling":"linear"})", "rope_scaling: expected an object, found \"linear\""},
        {"rope_partial_and_scaled",
         R"({"partial_rotary_factor":0.5,"rope_scaling":{"type":"linear","factor":2}})",
         "partial_rotary_factor: expected 1 in this architecture, found 0.5"},
        {"rope_misspelt", R"({"rope_scaling":{"type":"yarn","factr":2}})",
         "RoPE setting factor: expected a value, which kind yarn needs"},
        {"rope_no_factor", R"({"rope_scaling":{"type":"linear"}})",
         "RoPE setting factor: expected a value, which kind linear needs"},
        {"rope_factor_text", R"({"rope_scaling":{"type":"linear","factor":"2"}})",
         "factor: expected a number, found \"2\""},
        {"rope_factor_zero", R"({"rope_scaling":{"type":"linear","factor":0}})",
         "factor: expected a value from"},
        {"rope_theta_negative", R"({"rope_theta":-1})", "rope_theta: expected a value from"},
        {"rope_theta_list", R"({"rope_theta":[1]})", "rope_theta: expected a number, found [1]"},
        {"rope_llama3_bands",
         R"({"rope_scaling":{"type":"llama3","factor":8,"low_freq_factor":4,"high_freq_factor":4}})",
         "high_freq_factor must be larger than low_freq_factor"},
        {"rope_original_fraction",
         R"({"rope_scaling":{"type":"yarn","factor":8,"original_max_position_embeddings":10.5}})",
         "a whole number, found 10.5"},
        {"rope_betas", R"({"rope_scaling":{"type":"yarn","factor":8,"beta_fast":1,"beta_slow":2}})",
         "beta_fast must be larger than beta_slow"},
        {"rope_longrope_lists",
         R"({"rope_scaling":{"type":"longrope","short_factor":[1,1],"long_factor":[1,1,1,1]}})",
         "must have 4 numbers, they have 2 and 4"},
        {"rope_longrope_text",
         R"({"rope_scaling":{"type":"longrope","short_factor":[1,1,1,"1"],"long_factor":[1,1,1,1]}})",
         "short_factor: expected a number, found \"1\""},
        {"rope_partial", R"({"model_type":"glm","head_dim":8,"partial_rotary_factor":0.375})",
         "an even number of rotated dimensions, found 3"},
        {"rope_truncate", R"({"rope_scaling":{"type":"yarn","factor":8,"truncate":1}})",
         "truncate: expected true or false"},
    }),
    [](const auto& one) { return std::string(one.param.name); });

TEST(HfConfig, BrokenFilesAreRefused) {
  TemporaryFolder folder;
  const auto file = folder / "config.json";
  put(folder / "model.safetensors", "x");
  const auto read = [&] { return inputErrorOf([&] { readModelSpec(folder.path()); }); };
  EXPECT_THAT(read(), HasSubstr("there is no config.json in this model folder"));
  put(file, "{\"model_type\":");
  EXPECT_THAT(read(), HasSubstr("not valid JSON"));
  put(file, "[1]");
  EXPECT_THAT(read(), HasSubstr("expected a JSON object"));
  put(file, std::string(100, '[') + std::string(100, ']'));
  EXPECT_THAT(read(), HasSubstr("nesting"));
  EXPECT_THAT(inputErrorOf([&] { readModelSpec(folder / "nowhere"); }),
              HasSubstr("there is no such file or folder"));
}

}  // namespace
}  // namespace plastiscope::test
