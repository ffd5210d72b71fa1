// Quantised Hugging Face weights against the libraries that write them
// (tests/data/weights/quantised/make_quantised_goldens.py).
#include <gmock/gmock.h>

#include <set>

#include "core/base/json.h"
#include "core/weights/quantised.h"
#include "tests/support/temporary_folder.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const fs::path kConfig = "folder/config.json";

std::string goldenFile(const std::string& name) {
  return testData("weights/quantised/" + name);
}

std::shared_ptr<const TensorSource> openQuantised(const std::string& name) {
  return withQuantisation(openTensors(goldenFile(name + ".safetensors")),
                          readJsonFile(goldenFile(name + ".json")), kConfig);
}

std::vector<float> dequantised(const TensorSource& source, const TensorInfo& tensor) {
  std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
  readFloat32(source, tensor, values);
  return values;
}

class QuantisedWeights : public testing::TestWithParam<const char*> {};

TEST_P(QuantisedWeights, EqualTheTensorsOfTheReference) {
  const auto source = openQuantised(GetParam());
  const auto expected = openTensors(goldenFile(std::string(GetParam()) + "_expected.safetensors"));
  std::set<std::string> names, expectedNames;
  for (const TensorInfo& tensor : source->tensors()) names.insert(tensor.name);
  for (const TensorInfo& tensor : expected->tensors()) expectedNames.insert(tensor.name);
  EXPECT_EQ(names, expectedNames);
  for (const TensorInfo& wanted : expected->tensors()) {
    const TensorInfo* tensor = source->find(wanted.name);
    ASSERT_NE(tensor, nullptr) << wanted.name;
    EXPECT_EQ(tensor->shape, wanted.shape) << wanted.name;
    EXPECT_EQ(dequantised(*source, *tensor), dequantised(*expected, wanted)) << wanted.name;
  }
}

TEST_P(QuantisedWeights, RowsAndSinglePiecesAreThoseOfTheWhole) {
  const auto source = openQuantised(GetParam());
  for (const TensorInfo& tensor : source->tensors()) {
    const std::vector<float> whole = dequantised(*source, tensor);
    const auto total = static_cast<std::int64_t>(whole.size());
    for (const std::int64_t first : {std::int64_t{0}, total / 3, total - 1}) {
      std::vector<float> part(static_cast<std::size_t>(std::min<std::int64_t>(total / 2 + 1, total - first)));
      source->readValues(tensor, first, part);
      EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + first))
          << tensor.name << " from " << first;
    }
  }
}

TEST_P(QuantisedWeights, ShowTheBytesOfAllTheirParts) {
  const auto stored = openTensors(goldenFile(std::string(GetParam()) + ".safetensors"));
  const auto source = openQuantised(GetParam());
  for (const TensorInfo& tensor : source->tensors()) {
    std::vector<std::byte> bytes(tensor.bytes), expected;
    for (const std::string part : {"", "_blocks", "_scales", "_scale_inv", "_scale"}) {
      if (tensor.type == TensorType::BF16 && !part.empty()) continue;  // stays plain beside a scale
      if (const TensorInfo* found = stored->find(tensor.name + part)) {
        expected.resize(expected.size() + found->bytes);
        stored->readBytes(*found, 0, std::span(expected).last(found->bytes));
      }
    }
    source->readBytes(tensor, 0, bytes);
    EXPECT_EQ(bytes, expected) << tensor.name;
    std::vector<std::byte> end(bytes.size() / 2);
    source->readBytes(tensor, bytes.size() - end.size(), end);
    EXPECT_TRUE(std::equal(end.begin(), end.end(), bytes.end() - std::ssize(end))) << tensor.name;
    EXPECT_THROW(source->readBytes(tensor, 1, bytes), Error);
    source->dropPageCache(tensor);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, QuantisedWeights,
                         testing::Values("fp8_blocks", "fp8_tensor", "fbgemm_fp8", "compressed_tensor",
                                         "compressed_channel", "compressed_block", "compressed_groups",
                                         "fp8_default", "modelopt", "mxfp4"),
                         [](const auto& one) { return std::string(one.param); });

TEST(Quantisation, WithoutQuantisationReturnsTheSource) {
  const auto source = openTensors(goldenFile("fp8_blocks.safetensors"));
  EXPECT_EQ(withQuantisation(source, nullptr, kConfig), source);
}

TEST(Quantisation, HasADirectoryTextOfStoredTensorsAndSettings) {
  const auto stored = openTensors(goldenFile("fp8_blocks.safetensors"));
  const std::string text = openQuantised("fp8_blocks")->directoryText();
  EXPECT_THAT(text, HasSubstr(stored->directoryText()));
  EXPECT_THAT(text, HasSubstr("\"weight_block_size\":[4,8]"));
}

struct RefusedConfig {
  const char* name;
  const char* json;
  const char* complaint;
};

class UnreadQuantisation : public testing::TestWithParam<RefusedConfig> {};

TEST_P(UnreadQuantisation, IsRefusedByName) {
  const std::string message = inputErrorOf([] { checkQuantisation(Json::parse(GetParam().json), kConfig); });
  EXPECT_THAT(message, HasSubstr(GetParam().complaint));
  EXPECT_THAT(message, HasSubstr("folder/config.json"));
}

INSTANTIATE_TEST_SUITE_P(
    Configs, UnreadQuantisation,
    testing::ValuesIn(std::vector<RefusedConfig>{
        {"gptq", R"({"quant_method":"gptq","bits":4})",
         "the quantisation gptq is not supported (integers packed into words): open the unquantised "
         "safetensors "
         "model (F32, F16, BF16), one quantised by fp8, fbgemm_fp8, compressed-tensors, modelopt, mxfp4, or "
         "a "
         "GGUF "
         "file ("},
        {"awq", R"({"quant_method":"awq","bits":4})", "the quantisation awq is not supported"},
        {"bitsandbytes", R"({"quant_method":"bitsandbytes","load_in_4bit":true})",
         "bitsandbytes is not supported"},
        {"old_bitsandbytes", R"({"load_in_8bit":true})", "the quantisation bitsandbytes is not supported"},
        {"mlx", R"({"group_size":64,"bits":4})", "the quantisation mlx is not supported"},
        {"new_one", R"({"quant_method":"squeeze9"})", "the quantisation squeeze9 is not supported: open"},
        {"unnamed", R"({"bits":4})", "the quantisation unnamed is not supported"},
        {"no_object", "3", "the quantisation unnamed is not supported"},
        {"number", R"({"quant_method":8})", "the quantisation unnamed is not supported"},
        {"block_of_three", R"({"quant_method":"fp8","weight_block_size":[1,2,3]})",
         "weight_block_size: expected two sizes up to 2^20, or null, found [1,2,3]"},
        {"block_of_zero", R"({"quant_method":"fp8","weight_block_size":[0,128]})", "found [0,128]"},
        {"packed",
         R"({"quant_method":"compressed-tensors","format":"pack-quantized","config_groups":{"g":{}}})",
         "compressed-tensors is not supported (format pack-quantized)"},
        {"own_format",
         R"({"quant_method":"compressed-tensors","format":"float-quantized","config_groups":{"g":
            {"format":"nvfp4-pack-quantized"}}})",
         "(format nvfp4-pack-quantized)"},
        {"integers",
         R"({"quant_method":"compressed-tensors","format":"naive-quantized","config_groups":{"g":
            {"weights":{"type":"int","num_bits":8}}}})",
         "(8-bit weights of type int)"},
        {"no_groups", R"({"quant_method":"compressed-tensors","format":"float-quantized"})",
         "(without config_groups)"},
        {"sparse",
         R"({"quant_method":"compressed-tensors","format":"float-quantized","sparsity_config":
            {"format":"sparse-24-bitmask"}})",
         "(sparse weights, sparse-24-bitmask)"},
        {"asymmetric",
         R"({"quant_method":"compressed-tensors","format":"float-quantized","config_groups":{"g":
            {"targets":["Linear"],"weights":{"type":"float","num_bits":8,"symmetric":false}}}})",
         "(asymmetric weights)"},
        {"strategy",
         R"({"quant_method":"compressed-tensors","format":"float-quantized","config_groups":{"g":
            {"targets":["Linear"],"weights":{"type":"float","num_bits":8,"strategy":"token"}}}})",
         "strategy and group_size: expected tensor, channel, block, or group with a size, found token and "
         "null"},
        {"block_of_nothing",
         R"({"quant_method":"compressed-tensors","format":"float-quantized","config_groups":{"g":
            {"targets":["Linear"],"weights":{"type":"float","num_bits":8,"strategy":"block"}}}})",
         "block_structure: expected two sizes where strategy is block, and there alone, found null and "
         "strategy "
         "block"},
        {"pattern",
         R"({"quant_method":"compressed-tensors","format":"float-quantized","config_groups":{"g":
            {"targets":["re:(a"],"weights":{"type":"float","num_bits":8}}}})",
         "targets: expected names of modules, patterns of names, or null, found \"re:(a\""},
        {"list", R"({"quant_method":"mxfp4","modules_to_not_convert":7})",
         "modules_to_not_convert: expected"},
        {"four_bits", R"({"quant_method":"modelopt","quant_algo":"NVFP4"})",
         "the quantisation modelopt is not supported (quant_algo NVFP4)"},
        {"transformed",
         R"({"quant_method":"compressed-tensors","format":"float-quantized","transform_config":
            {"config_groups":{"u":{}}}})",
         "(transformed weights)"},
    }),
    [](const auto& one) { return std::string(one.param.name); });

// Entries of a safetensors header, one after the other.
class HeaderBuilder {
 public:
  HeaderBuilder& add(const std::string& name, const std::string& type, const std::string& shape,
                     std::size_t bytes) {
    m_text += (m_text.empty() ? "{\"" : ",\"") + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape +
              R"(,"data_offsets":[)" + std::to_string(m_bytes) + "," + std::to_string(m_bytes + bytes) + "]}";
    m_bytes += bytes;
    return *this;
  }
  std::string file() const { return safetensorsFile(m_text + "}", m_bytes); }

 private:
  std::string m_text;
  std::size_t m_bytes = 0;
};

struct MisfitCase {
  const char* name;
  HeaderBuilder header;
  const char* config;
  const char* complaint;
};

class MisfittingTensors : public testing::TestWithParam<MisfitCase> {};

TEST_P(MisfittingTensors, AreRefused) {
  TemporaryFolder folder;
  const auto source = openTensors(put(folder / "model.safetensors", GetParam().header.file()));
  EXPECT_THAT(inputErrorOf([&] { withQuantisation(source, Json::parse(GetParam().config), kConfig); }),
              HasSubstr(GetParam().complaint));
}

constexpr const char* kFp8Config = R"({"quant_method":"fp8","weight_block_size":[2,2]})";
constexpr const char* kMxfp4Config = R"({"quant_method":"mxfp4"})";

INSTANTIATE_TEST_SUITE_P(
    Files, MisfittingTensors,
    testing::ValuesIn(std::vector<MisfitCase>{
        {"no_scale", HeaderBuilder().add("a.weight", "F8_E4M3", "[4,4]", 16), kFp8Config,
         "tensor a.weight: expected its scale in the tensor a.weight_scale_inv or a.weight_scale, found "
         "none"},
        {"grid_too_small",
         HeaderBuilder()
             .add("a.weight", "F8_E4M3", "[5,4]", 20)
             .add("a.weight_scale_inv", "F32", "[2,2]", 16),
         kFp8Config,
         "expected one number for every 2 x 2 (the shape [3,2]) of the weight's shape [5,4], found the shape "
         "[2,2]"},
        {"empty_grid",
         HeaderBuilder().add("a.weight", "F8_E4M3", "[4,4]", 16).add("a.weight_scale_inv", "F32", "[0,2]", 0),
         kFp8Config, "found the shape [0,2]"},
        {"other_rank",
         HeaderBuilder().add("a.weight", "F8_E4M3", "[4,4]", 16).add("a.weight_scale_inv", "F32", "[4]", 16),
         kFp8Config, "found the shape [4]"},
        {"other_experts",
         HeaderBuilder().add("a", "F8_E4M3", "[2,4,4]", 32).add("a_scale_inv", "F32", "[3,2,2]", 48),
         kFp8Config, "found the shape [3,2,2]"},
        {"grid_over_a_vector",
         HeaderBuilder().add("a", "F8_E4M3", "[4]", 4).add("a_scale_inv", "F32", "[2]", 8), kFp8Config,
         "found the shape [2]"},
        {"even_grid_of_another_size",
         HeaderBuilder()
             .add("a.weight", "F8_E4M3", "[256,256]", 65536)
             .add("a.weight_scale_inv", "F32", "[4,4]", 64),
         R"({"quant_method":"fp8"})",
         "every 128 x 128 (the shape [2,2]), or one number of the weight's shape"},
        {"grid_for_a_tensor",
         HeaderBuilder()
             .add("a.weight", "F8_E4M3", "[4,4]", 16)
             .add("a.weight_scale_inv", "F32", "[2,2]", 16),
         R"({"quant_method":"fp8","weight_block_size":null})",
         "one number, or one number per row (the shape [4,1]) of the weight's shape [4,4], found the shape "
         "[2,2]"},
        {"grid_for_rows",
         HeaderBuilder().add("a.weight", "F8_E4M3", "[4,4]", 16).add("a.weight_scale", "F32", "[2,2]", 16),
         R"({"quant_method":"fbgemm_fp8"})", "one number per row (the shape [4,1])"},
        {"rows_for_modelopt",
         HeaderBuilder().add("a.weight", "F8_E4M3", "[4,4]", 16).add("a.weight_scale", "F32", "[4]", 16),
         R"({"quant_method":"modelopt","quant_algo":"FP8"})", "expected one number of the weight's shape"},
        {"one_for_channels",
         HeaderBuilder().add("a.weight", "F8_E4M3", "[4,4]", 16).add("a.weight_scale", "F32", "[1]", 4),
         R"({"quant_method":"compressed-tensors","format":"float-quantized","config_groups":{"g":
            {"targets":["Linear"],"weights":{"type":"float","num_bits":8,"strategy":"channel"}}}})",
         "one number per row (the shape [4,1]) of the weight's shape [4,4], found the shape [1]"},
        {"no_target",
         HeaderBuilder().add("a.weight", "F8_E4M3", "[4,4]", 16).add("a.weight_scale", "F32", "[1]", 4),
         R"({"quant_method":"compressed-tensors","format":"float-quantized","config_groups":{"g":
            {"targets":["re:b.*"],"weights":{"type":"float","num_bits":8}}}})",
         "tensor a.weight: expected plain numbers, as no group of config_groups has it among its targets, "
         "found F8_E4M3"},
        {"ignored",
         HeaderBuilder().add("a.weight", "F8_E4M3", "[4,4]", 16).add("a.weight_scale", "F32", "[1]", 4),
         R"({"quant_method":"compressed-tensors","format":"float-quantized","ignore":["re:a"],"config_groups":{"g":
            {"targets":["Linear"],"weights":{"type":"float","num_bits":8}}}})",
         "tensor a.weight: expected plain numbers, as ignore names it (re:a), found F8_E4M3"},
        {"not_converted",
         HeaderBuilder()
             .add("x.a.weight", "F8_E4M3", "[4,4]", 16)
             .add("x.a.weight_scale_inv", "F32", "[1]", 4),
         R"({"quant_method":"fp8","modules_to_not_convert":["x"]})",
         "as modules_to_not_convert names it (x)"},
        {"not_converted_by_the_other_spelling",
         HeaderBuilder()
             .add("model.language_model.a.weight", "F8_E4M3", "[4,4]", 16)
             .add("model.language_model.a.weight_scale", "F32", "[4]", 16),
         R"({"quant_method":"fbgemm_fp8","modules_to_not_convert":["language_model.model.a"]})",
         "as modules_to_not_convert names it (language_model.model.a)"},
        {"within_an_excluded_module",
         HeaderBuilder().add("x.a.weight", "F8_E4M3", "[4,4]", 16).add("x.a.weight_scale", "F32", "[]", 4),
         R"({"quant_method":"modelopt","quant_algo":"FP8","exclude_modules":["?"]})",
         "as exclude_modules names it (?)"},
        {"mx_not_converted",
         HeaderBuilder().add("x.a_blocks", "U8", "[1,1,1,16]", 16).add("x.a_scales", "U8", "[1,1,1]", 1),
         R"({"quant_method":"mxfp4","modules_to_not_convert":["x"]})",
         "as modules_to_not_convert names it (x)"},
        {"scale_of_bytes",
         HeaderBuilder().add("a.weight", "F8_E4M3", "[4,4]", 16).add("a.weight_scale_inv", "U8", "[2,2]", 4),
         kFp8Config, "expected a scale of type F32, F16 or BF16, found U8"},
        {"no_mx_scales", HeaderBuilder().add("a_blocks", "U8", "[1,2,3,16]", 96), kMxfp4Config,
         "tensor a_blocks: expected U8 [experts, out, groups, 16] beside a_scales"},
        {"mx_scales_of_other_shape",
         HeaderBuilder().add("a_blocks", "U8", "[1,2,3,16]", 96).add("a_scales", "U8", "[1,3,2]", 6),
         kMxfp4Config, "expected U8 [experts, out, groups, 16]"},
        {"mx_groups_of_15",
         HeaderBuilder().add("a_blocks", "U8", "[1,2,3,15]", 90).add("a_scales", "U8", "[1,2,3]", 6),
         kMxfp4Config, "expected U8 [experts, out, groups, 16]"},
        {"mx_of_nothing",
         HeaderBuilder()
             .add("a_blocks", "U8", "[0,2,9000000000000000000,16]", 0)
             .add("a_scales", "U8", "[0,2,9000000000000000000]", 0),
         kMxfp4Config, "expected U8 [experts, out, groups, 16]"},
        {"mx_and_plain",
         HeaderBuilder()
             .add("a", "F32", "[1]", 4)
             .add("a_blocks", "U8", "[1,1,1,16]", 16)
             .add("a_scales", "U8", "[1,1,1]", 1),
         kMxfp4Config, "tensor a: expected either quantised or plain, found both"},
    }),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace plastiscope::test
