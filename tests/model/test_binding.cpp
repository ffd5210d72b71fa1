// Tensors that are missing, unused or of another shape come in one message; prefixes vary.
#include <gmock/gmock.h>

#include <cstring>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/model/model.h"
#include "core/model/model_config.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string opening(const TinyLlama& tiny) {
  TemporaryFolder folder;
  tiny.write(folder.path());
  return inputErrorOf([&] { openModel(folder.path()); });
}

TEST(Binding, TakesAWholeModel) {
  EXPECT_EQ(opening(TinyLlama()), "NO ERROR");
}

TEST(Binding, OpensTheFolderOfAGivenFile) {
  TemporaryFolder folder;
  TinyLlama().write(folder.path());
  for (const char* file : {"config.json", "model.safetensors"}) {
    EXPECT_EQ(openModel(folder / file)->spec.layerCount, 2) << file;
  }
  const std::string shard = testData("model/sharded/model-00002-of-00003.safetensors");
  EXPECT_EQ(openModel(shard)->weights->tensors().size(), 20u);
  EXPECT_EQ(openModel(testData("model/sharded/model.safetensors.index.json"))->weights->tensors().size(),
            20u);
  put(folder / "README.md", "hello");
  EXPECT_THAT(inputErrorOf([&] { openModel(folder / "README.md"); }), HasSubstr("expected a model folder"));
  EXPECT_THAT(inputErrorOf([&] { openModel(folder / "typo"); }),
              HasSubstr("there is no such file or folder"));
}

TEST(Binding, ReportsAllProblemsTogether) {
  TinyLlama tiny;
  tiny.tensors.erase("model.layers.0.mlp.up_proj.weight");
  tiny.tensors.erase("model.layers.1.input_layernorm.weight");
  tiny.tensors["model.layers.1.self_attn.k_proj.weight"] = {16, 31};
  tiny.tensors["model.layers.0.self_attn.q_proj.bias"] = {32};
  tiny.tensors["model.layers.1.mlp.extra.weight"] = {48, 32};
  EXPECT_THAT(
      opening(tiny),
      AllOf(HasSubstr("the tensors do not fit the architecture llama: "),
            HasSubstr("missing: model.layers.0.mlp.up_proj.weight, model.layers.1.input_layernorm.weight; "),
            HasSubstr(
                "wrong: model.layers.1.self_attn.k_proj.weight (expected shape [16, 32], found [16, 31]); "),
            HasSubstr("model.layers.0.self_attn.q_proj.bias"), HasSubstr("model.layers.1.mlp.extra.weight")));
}

TEST(Binding, NeedsFloatingPointWeights) {
  TinyLlama tiny;
  TemporaryFolder folder;
  tiny.write(folder.path());
  put(folder / "model.safetensors", tiny.safetensors([](Json& header) {
    header["model.layers.0.self_attn.v_proj.weight"]["dtype"] = "I32";
  }));
  EXPECT_THAT(
      inputErrorOf([&] { openModel(folder.path()); }),
      HasSubstr("model.layers.0.self_attn.v_proj.weight (expected floating point weights, found type I32)"));
}

TEST(Binding, CutsLongLists) {
  TinyLlama tiny;
  for (int i = 0; i < 100; ++i) tiny.tensors["model.layers.0.stray." + std::to_string(100 + i)] = {1};
  EXPECT_THAT(opening(tiny), AllOf(HasSubstr("unused: model.layers.0.stray.100, model.layers.0.stray.101"),
                                   HasSubstr("and 76 more"), Not(HasSubstr("stray.190"))));
}

TEST(Binding, IgnoresTensorsThatACaptureDoesNotNeed) {
  TinyLlama tiny;
  for (const char* name :
       {"lm_head.weight", "model.layers.0.self_attn.rotary_emb.inv_freq", "vision_tower.x.weight",
        "model.vision_tower.layers.0.self_attn.q_proj.weight", "multi_modal_projector.linear.bias"}) {
    tiny.tensors[name] = {2};
  }
  EXPECT_EQ(opening(tiny), "NO ERROR");
}

// The tiny model of a family that has layers beyond its last one, for prediction, with one more tensor.
std::string openingWith(const std::string& tensor) {
  TemporaryFolder folder;
  const std::filesystem::path model = testData("families/glm4_moe");
  std::filesystem::copy_file(model / "config.json", folder / "config.json");
  std::string bytes = readFile(model / "model.safetensors");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  Json header = Json::parse(bytes.substr(sizeof length, length));
  bytes.erase(0, sizeof length + length);
  header[tensor] = {
      {"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {bytes.size(), bytes.size() + sizeof(float)}}};
  bytes.append(sizeof(float), '\0');
  const std::string head = header.dump();
  put(folder / "model.safetensors", little<std::uint64_t>(head.size()) + head + bytes);
  return inputErrorOf([&] { openModel(folder.path()); });
}

TEST(Binding, LayersBeyondTheLastAreLeftOut) {
  EXPECT_EQ(openingWith("model.layers.9.eh_proj.weight"), "NO ERROR");
  EXPECT_THAT(openingWith("model.layers.1.eh_proj.weight"), HasSubstr("unused: model.layers.1.eh_proj"));
}

TEST(Binding, BiasesFollowTheConfiguration) {
  TinyLlama tiny;
  tiny.config["attention_bias"] = true;
  EXPECT_THAT(opening(tiny),
              AllOf(HasSubstr("q_proj.bias"), HasSubstr("o_proj.bias"), Not(HasSubstr("gate_proj.bias"))));
  for (const char* layer : {"model.layers.0.self_attn.", "model.layers.1.self_attn."}) {
    tiny.tensors[std::string(layer) + "q_proj.bias"] = {32};
    tiny.tensors[std::string(layer) + "k_proj.bias"] = {16};
    tiny.tensors[std::string(layer) + "v_proj.bias"] = {16};
    tiny.tensors[std::string(layer) + "o_proj.bias"] = {32};
  }
  EXPECT_EQ(opening(tiny), "NO ERROR");
}

TinyLlama withPrefix(const std::string& prefix) {
  TinyLlama tiny;
  std::map<std::string, std::vector<std::int64_t>> renamed;
  for (const auto& [name, shape] : tiny.tensors)
    renamed[prefix + name.substr(std::string("model.").size())] = shape;
  tiny.tensors = renamed;
  return tiny;
}

TEST(Binding, FindsThePrefix) {
  for (const char* prefix : {"", "language_model.model.", "model.language_model.", "a.b.c."}) {
    EXPECT_EQ(opening(withPrefix(prefix)), "NO ERROR") << prefix;
  }
}

TEST(Binding, RefusesTwoDecoders) {
  TinyLlama tiny;
  for (const auto& [name, shape] : withPrefix("draft.").tensors) tiny.tensors[name] = shape;
  EXPECT_THAT(opening(tiny), HasSubstr("expected one decoder, found several: draft.layers., model.layers."));
}

// Heads, buffers and further decoders beside the layers: one note with model.norm, and the model opens.
class Unneeded : public testing::TestWithParam<const char*> {};

TEST_P(Unneeded, IsNoted) {
  const std::string name = GetParam();
  for (const bool other : {false, true}) {
    TinyLlama tiny;
    tiny.tensors[name] = {2};
    TemporaryFolder folder;
    tiny.write(folder.path());
    put(folder / "model.safetensors", tiny.safetensors([&](Json& header) {
      if (other) header[name]["dtype"] = "F8_E8M0";
    }));
    const auto model = openModel(folder.path());
    ASSERT_EQ(model->notes.size(), 1u);
    EXPECT_THAT(model->notes.front(), HasSubstr("2 tensors are not needed for a capture ("));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Names, Unneeded,
    testing::Values("score.weight", "v_head.summary.weight", "value_head.bias", "classifier.weight",
                    "medusa_head.0.0.linear.weight", "mtp.layers.0.self_attn.q_proj.weight",
                    "mtp.0.self_attn.q_proj.weight", "model.position_ids", "model.rotary_emb.freqs_cis",
                    "lm_head.weight_scale", "model.mtp_layers.0.fc.weight",
                    "audio_tower.layers.0.self_attn.q_proj.weight", "model.layers.7.self_attn.q_proj.weight",
                    "model.layers.0.self_attn.rotary_emb.inv_freq", "model.layers.0.self_attn.masked_bias"));

TEST(Binding, RefusesUnreadTypesAndUnknownTensorsInALayer) {
  TinyLlama tiny;
  TemporaryFolder folder;
  tiny.write(folder.path());
  put(folder / "model.safetensors", tiny.safetensors([](Json& header) {
    header["model.layers.0.self_attn.v_proj.weight"]["dtype"] = "F8_E8M0";
  }));
  EXPECT_THAT(inputErrorOf([&] { openModel(folder.path()); }),
              AllOf(HasSubstr("v_proj.weight: expected a type of F64"), HasSubstr("found \"F8_E8M0\"")));
  tiny.tensors["model.layers.1.self_attn.lora_A.weight"] = {2};
  EXPECT_THAT(opening(tiny), HasSubstr("unused: model.layers.1.self_attn.lora_A.weight"));
}

// transformers 5.23, modeling_utils.py, tie_weights(): both there and different: not tied; one there: tied to
// it.
TEST(Binding, TheWeightsDecideWhetherTheOutputIsTied) {
  TinyLlama tiny;
  tiny.config["tie_word_embeddings"] = true;
  const auto embedding = tiny.tensors.at("model.embed_tokens.weight");
  const auto opened = [&] {
    TemporaryFolder folder;
    tiny.write(folder.path());
    return openModel(folder.path());
  };
  EXPECT_TRUE(opened()->spec.tiedEmbeddings);
  tiny.tensors["lm_head.weight"] = embedding;
  const auto own = opened();
  EXPECT_FALSE(own->spec.tiedEmbeddings);
  ASSERT_EQ(own->warnings.size(), 1u);
  EXPECT_THAT(own->warnings.front(), HasSubstr("tie_word_embeddings is true, but lm_head.weight differs"));
  EXPECT_EQ(outputHeadOf(*own).matrix.info.name, "lm_head.weight");
  tiny.tensors.erase("model.embed_tokens.weight");
  const auto swapped = opened();
  EXPECT_EQ(swapped->embedding.info.name, "lm_head.weight");
  EXPECT_EQ(outputHeadOf(*swapped).matrix.info.name, "lm_head.weight");
}

TEST(Patterns, StarStandsForAnyText) {
  EXPECT_TRUE(fitsPattern("abc", "abc"));
  EXPECT_TRUE(fitsPattern("abc", "*"));
  EXPECT_TRUE(fitsPattern("abc", "a*c"));
  EXPECT_TRUE(fitsPattern("abcbc", "a*bc"));
  EXPECT_TRUE(fitsPattern("a.x.b", "*.x.*"));
  EXPECT_TRUE(fitsPattern("", "*"));
  EXPECT_FALSE(fitsPattern("abc", "ab"));
  EXPECT_FALSE(fitsPattern("abc", "b*"));
  EXPECT_FALSE(fitsPattern("", "a"));
}

}  // namespace
}  // namespace plastiscope::test
