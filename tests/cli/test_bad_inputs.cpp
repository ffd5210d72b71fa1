// Bad inputs: exit code, one clear sentence, no partial output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

struct BadModel {
  const char* name;
  std::function<void(const fs::path& folder)> make;  // writes the broken model into `folder`
  std::vector<const char*> words;                    // words expected in the message
};

void withConfig(const fs::path& folder, const std::function<void(TinyLlama&)>& change) {
  TinyLlama model;
  change(model);
  model.write(folder);
}

void withHeader(const fs::path& folder, const std::function<void(Json&)>& edit) {
  TinyLlama model;
  model.write(folder);
  writeFileAtomically(folder / "model.safetensors", model.safetensors(edit));
}

const std::vector<BadModel>& badModels() {
  static const std::vector<BadModel> kCases{
      {"missing", [](const fs::path&) {}, {"model"}},
      {"folder_without_weights",
       [](const fs::path& folder) {
         TinyLlama().write(folder);
         fs::remove(folder / "model.safetensors");
       },
       {"safetensors"}},
      {"pickle_only",
       [](const fs::path& folder) {
         TinyLlama().write(folder);
         fs::rename(folder / "model.safetensors", folder / "pytorch_model.bin");
       },
       {"pytorch_model.bin", "the weights are pickled"}},
      {"truncated_safetensors",
       [](const fs::path& folder) {
         TinyLlama().write(folder);
         fs::resize_file(folder / "model.safetensors", fs::file_size(folder / "model.safetensors") - 1000);
       },
       {"model.safetensors", "cut short"}},
      {"header_longer_than_the_file",
       [](const fs::path& folder) {
         TinyLlama().write(folder);
         std::string content = readFile(folder / "model.safetensors");
         content[3] = '\x01';  // 16 MB more header
         writeFileAtomically(folder / "model.safetensors", content);
       },
       {"model.safetensors", "header"}},
      {"overlapping_offsets",
       [](const fs::path& folder) {
         withHeader(folder, [](Json& header) {
           header["model.norm.weight"]["data_offsets"] = header["model.embed_tokens.weight"]["data_offsets"];
           header["model.norm.weight"]["shape"] = header["model.embed_tokens.weight"]["shape"];
         });
       },
       {"model.safetensors"}},
      {"size_differs_from_shape",
       [](const fs::path& folder) {
         withHeader(folder, [](Json& header) { header["model.norm.weight"]["shape"] = {31}; });
       },
       {"model.norm.weight", "expected", "found"}},
      {"unknown_dtype",
       [](const fs::path& folder) {
         withHeader(folder,
                    [](Json& header) { header["model.layers.0.input_layernorm.weight"]["dtype"] = "F12"; });
       },
       {"F12"}},
      {"missing_and_misshaped_tensors_together",
       [](const fs::path& folder) {
         withConfig(folder, [](TinyLlama& m) {
           m.tensors.erase("model.layers.1.mlp.up_proj.weight");
           m.tensors["model.layers.0.self_attn.k_proj.weight"] = {8, 32};
           m.tensors["model.layers.0.self_attn.extra.weight"] = {4};
         });
       },
       {"layers.1.mlp.up_proj.weight", "layers.0.self_attn.k_proj.weight",
        "layers.0.self_attn.extra.weight"}},
      {"unknown_architecture",
       [](const fs::path& folder) {
         withConfig(folder, [](TinyLlama& m) {
           m.config["model_type"] = "lama9";
           m.config["architectures"] = {"Lama9ForCausalLM"};
         });
       },
       {"lama9", "llama"}},
      {"unknown_rope",
       [](const fs::path& folder) {
         withConfig(folder, [](TinyLlama& m) {
           m.config["rope_scaling"] = {{"rope_type", "spiral"}, {"factor", 2.0}};
         });
       },
       {"spiral", "yarn"}},
      {"unknown_quantisation",
       [](const fs::path& folder) {
         withConfig(folder, [](TinyLlama& m) {
           m.config["quantization_config"] = {{"quant_method", "gptq"}};
         });
       },
       {"gptq"}},
      {"heads_do_not_divide",
       [](const fs::path& folder) {
         withConfig(folder, [](TinyLlama& m) { m.config["num_key_value_heads"] = 3; });
       },
       {"num_key_value_heads", "3"}},
      {"broken_json",
       [](const fs::path& folder) {
         TinyLlama().write(folder);
         writeFileAtomically(folder / "config.json", std::string_view("{\"model_type\": \"llama\", "));
       },
       {"config.json", "JSON"}},
      {"empty_gguf",
       [](const fs::path& folder) {
         fs::create_directories(folder);
         writeFileAtomically(folder / "model.gguf",
                             std::string_view("GGUF\x03\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f", 16));
       },
       {"model.gguf"}},
  };
  return kCases;
}

class BadModels : public ::testing::TestWithParam<BadModel> {};

TEST_P(BadModels, InfoNamesTheProblem) {
  const TemporaryFolder folder;
  GetParam().make(folder / "model");
  const ProgramResult result = runProgram("plastiscope-cli", {"info", (folder / "model").string()});
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_THAT(result.err, StartsWith("plastiscope-cli: "));
  for (const char* word : GetParam().words) EXPECT_THAT(result.err, HasSubstr(word));
}

#if PLASTISCOPE_HAS_TORCH
TEST_P(BadModels, CaptureLeavesNothingBehind) {
  const TemporaryFolder folder;
  GetParam().make(folder / "model");
  writeTokenFile(folder / "t.jsonl", 1, 50);
  fs::create_directories(folder / "out");
  const ProgramResult result = runProgram(
      "plastiscope-cli", {"capture", "--model", (folder / "model").string(), "--tokens",
                          (folder / "t.jsonl").string(), "--out", (folder / "out" / "c.h5").string()});
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_TRUE(fs::is_empty(folder / "out")) << result.err;
}
#endif

INSTANTIATE_TEST_SUITE_P(Cli, BadModels, ::testing::ValuesIn(badModels()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(BadFiles, AnalyzeVerifyAndExportNameTheFile) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "text.h5", std::string_view("this is no HDF5 file"));
  const std::string text = (folder / "text.h5").string(), missing = (folder / "missing.h5").string();
  const std::string out = (folder / "out.h5").string();
  const std::vector<std::vector<std::string>> calls{{"analyze", text, "--out", out},
                                                    {"verify", missing},
                                                    {"export", "csv", text, "--out", out},
                                                    {"analyze", missing, "--out", out},
                                                    {"export", "csv", missing, "--out", out}};
  for (const auto& call : calls) {
    const ProgramResult result = runProgram("plastiscope-cli", call);
    EXPECT_EQ(result.exitCode, 3) << call.front() << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr(".h5")) << call.front();
  }
  EXPECT_EQ(runProgram("plastiscope-cli", {"verify", text}).exitCode, 3);
  EXPECT_EQ(folder.listing(), "text.h5");
}

}  // namespace
}  // namespace plastiscope::test
