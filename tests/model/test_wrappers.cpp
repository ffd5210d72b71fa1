// The language models of multimodal wrappers: settings nested in `text_config`, tensors named
// language_model.model.* or model.language_model.* beside those of pictures and sound.
#include <gmock/gmock.h>

#include <cstring>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/model/model.h"
#include "tests/support/temporary_folder.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

struct Wrapper {
  std::string family;     // a folder of tests/data/families
  std::string modelType;  // of the wrapper
  std::string prefix;     // of the language model's tensors
  std::vector<std::string> beside;
};

void PrintTo(const Wrapper& wrapper, std::ostream* out) {
  *out << wrapper.modelType << " " << wrapper.prefix;
}

std::vector<Wrapper> wrappers() {
  const std::vector<Wrapper> known = {
      {"ministral3",
       "mistral3",
       "",
       {"vision_tower.layers.0.self_attn.q_proj.weight", "multi_modal_projector.norm.weight"}},
      {"gemma3_text",
       "gemma3",
       "",
       {"vision_tower.encoder.layers.0.self_attn.q_proj.weight", "multi_modal_projector.x"}},
      {"mllama",
       "mllama",
       "",
       {"vision_model.layers.0.self_attn.q_proj.weight", "multi_modal_projector.x.weight"}},
      {"llama4_text",
       "llama4",
       "",
       {"vision_model.layers.0.self_attn.q_proj.weight", "multi_modal_projector.x.weight"}},
      {"qwen3_5_text", "qwen3_5", "", {"visual.blocks.0.norm1.weight", "visual.merger.norm.weight"}},
      {"gemma4_text",
       "gemma4",
       "",
       {"vision_tower.layers.0.self_attn.q_proj.weight", "audio_tower.layers.0.norm_out.weight",
        "embed_vision.embedding_projection.weight", "embed_audio.embedding_projection.weight"}},
      {"gemma4_text_moe", "gemma4", "", {"vision_tower.layers.0.self_attn.q_proj.weight"}},
      {"gemma3n_text",
       "gemma3n",
       "",
       {"vision_tower.timm_model.blocks.0.0.conv_exp.weight", "audio_tower.conformer.0.norm.weight",
        "embed_vision.embedding.weight", "embed_audio.embedding_projection.weight"}},
  };
  std::vector<Wrapper> all;
  for (Wrapper wrapper : known) {
    for (const char* prefix : {"language_model.model.", "model.language_model."}) {
      wrapper.prefix = prefix;
      all.push_back(wrapper);
    }
  }
  return all;
}

// The name behind "model." or another prefix.
std::string ownName(const std::string& name) {
  for (const char* root : {"model.language_model.", "language_model.model.", "model."}) {
    if (name.starts_with(root)) return name.substr(std::strlen(root));
  }
  return name;
}

// The same tensors under other names, and further ones of one number each.
std::string renamed(const std::string& file, const Wrapper& wrapper) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof length);
  const Json header = Json::parse(file.substr(8, length));
  Json changed = Json::object();
  for (const auto& [name, tensor] : header.items()) {
    const bool isTensor = name.starts_with("model.") || name.starts_with("language_model.");
    changed[isTensor && !name.ends_with("lm_head.weight") ? wrapper.prefix + ownName(name) : name] = tensor;
  }
  std::uint64_t end = file.size() - 8 - length;
  for (const std::string& name : wrapper.beside) {
    const std::string whole = (wrapper.prefix.starts_with("model.") ? "model." : "") + name;
    changed[whole] = {{"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {end, end + 4}}};
    end += 4;
  }
  std::string text = changed.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  return little<std::uint64_t>(text.size()) + text + file.substr(8 + length) +
         std::string(4 * wrapper.beside.size(), '\0');
}

Json nested(const Json& config, const Wrapper& wrapper) {
  Json text = config.value("text_config", config);
  text.erase("architectures");
  return {{"model_type", wrapper.modelType}, {"text_config", text}, {"vision_config", {{"hidden_size", 16}}}};
}

class Wrappers : public testing::TestWithParam<Wrapper> {};

TEST_P(Wrappers, HoldTheirLanguageModel) {
  const Wrapper& wrapper = GetParam();
  const std::filesystem::path bare = testData("families/" + wrapper.family);
  TemporaryFolder folder;
  put(folder / "config.json", nested(readJsonFile(bare / "config.json"), wrapper).dump());
  put(folder / "model.safetensors", renamed(readFile(bare / "model.safetensors"), wrapper));
  const auto expected = openModel(bare), model = openModel(folder.path());
  EXPECT_EQ(model->spec.architecture, expected->spec.architecture);
  EXPECT_EQ(ropeJson(model->spec), ropeJson(expected->spec));
  EXPECT_EQ(model->embedding.info.name, wrapper.prefix + ownName(expected->embedding.info.name));
  ASSERT_EQ(model->layers.size(), expected->layers.size());
  EXPECT_EQ(model->besideLayers.size(), expected->besideLayers.size());
  for (std::size_t layer = 0; layer < model->layers.size(); ++layer) {
    ASSERT_EQ(model->layers[layer].size(), expected->layers[layer].size());
    for (const auto& [role, tensor] : expected->layers[layer]) {
      const BoundTensor& own = model->layers[layer].at(role);
      EXPECT_EQ(own.info.name, wrapper.prefix + ownName(tensor.info.name));
      EXPECT_EQ(own.shape, tensor.shape);
      std::vector<float> one(static_cast<std::size_t>(tensor.info.elements())), two(one.size());
      if (!tensor.perExpert.empty()) continue;
      expected->read(tensor, one);
      model->read(own, two);
      EXPECT_EQ(one, two) << own.info.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Known, Wrappers, testing::ValuesIn(wrappers()), [](const auto& test) {
  const bool after = test.param.prefix.starts_with("model.");
  return test.param.family + (after ? "_model_language_model" : "_language_model_model");
});

}  // namespace
}  // namespace plastiscope::test
