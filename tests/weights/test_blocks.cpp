// Every GGUF type against the reference implementation (tests/data/weights/make_block_goldens.py), bit for
// bit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "core/weights/blocks/blocks.h"
#include "core/weights/tensor_source.h"
#include "core/weights/tensor_type.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

std::vector<float> valuesOf(const TensorSource& source, const TensorInfo& tensor) {
  std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
  readFloat32(source, tensor, values);
  return values;
}

class BlockType : public testing::TestWithParam<const TensorFormat*> {};

TEST_P(BlockType, WidensLikeTheReference) {
  const auto blocks = openTensors(testData("weights/blocks.gguf"));
  const auto reference = openTensors(testData("weights/blocks_expected.safetensors"));
  const TensorInfo* tensor = blocks->find(GetParam()->name);
  const TensorInfo* wanted = reference->find(GetParam()->name);
  ASSERT_NE(tensor, nullptr);
  ASSERT_NE(wanted, nullptr);
  EXPECT_EQ(tensor->type, GetParam()->type);
  ASSERT_EQ(tensor->shape, wanted->shape);
  const std::vector<float> values = valuesOf(*blocks, *tensor);
  ASSERT_EQ(wanted->bytes, values.size() * sizeof(float));
  std::vector<float> expected(values.size());
  reference->readBytes(*wanted, 0, std::as_writable_bytes(std::span(expected)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(std::memcmp(&values[i], &expected[i], sizeof(float)), 0)
        << "element " << i << ": " << values[i] << " instead of " << expected[i];
  }
}

TEST_P(BlockType, RowsAreThoseOfTheWhole) {
  const auto blocks = openTensors(testData("weights/blocks.gguf"));
  const TensorInfo& tensor = *blocks->find(GetParam()->name);
  const std::vector<float> whole = valuesOf(*blocks, tensor);
  const std::int64_t columns = tensor.shape[1];
  for (std::int64_t first = 0; first < tensor.shape[0]; ++first) {
    std::vector<float> rows(static_cast<std::size_t>((tensor.shape[0] - first) * columns));
    readFloat32Rows(*blocks, tensor, first, tensor.shape[0] - first, rows);
    EXPECT_EQ(std::memcmp(rows.data(), whole.data() + first * columns, rows.size() * sizeof(float)), 0);
  }
}

class FloatOfEightBits : public testing::TestWithParam<const char*> {};

TEST_P(FloatOfEightBits, WidensLikeTheReference) {
  const auto source = openTensors(testData("weights/float8.safetensors"));
  const TensorInfo& tensor = *source->find(GetParam());
  EXPECT_EQ(nameOf(tensor.type), GetParam());
  const std::vector<float> values = valuesOf(*source, tensor);
  const std::vector<float> expected = valuesOf(*source, *source->find(std::string(GetParam()) + ".float"));
  ASSERT_EQ(values.size(), 256u);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(std::isnan(values[i]), std::isnan(expected[i])) << i;
    if (!std::isnan(expected[i])) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(values[i]), std::bit_cast<std::uint32_t>(expected[i])) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FloatOfEightBits, testing::Values("F8_E4M3", "F8_E5M2"),
                         [](const auto& one) { return std::string(one.param); });

TEST(Codebooks, HaveTheSizesThatTheirIndicesCover) {
  EXPECT_EQ(blocks::iq2xxsCodebook().size(), 256u);
  EXPECT_EQ(blocks::iq2xsCodebook().size(), 512u);
  EXPECT_EQ(blocks::iq2sCodebook().size(), 1024u);
  EXPECT_EQ(blocks::iq3xxsCodebook().size(), 256u);
  EXPECT_EQ(blocks::iq3sCodebook().size(), 512u);
  EXPECT_EQ(blocks::iq1Codebook().size(), 2048u);
}

std::vector<const TensorFormat*> weightTypesOfGguf() {
  std::vector<const TensorFormat*> types;
  for (const TensorFormat& format : tensorFormats()) {
    if (format.isWeight && format.ggufId >= 0) types.push_back(&format);
  }
  return types;
}

INSTANTIATE_TEST_SUITE_P(All, BlockType, testing::ValuesIn(weightTypesOfGguf()),
                         [](const auto& one) { return std::string(one.param->name); });

}  // namespace
}  // namespace plastiscope::test
