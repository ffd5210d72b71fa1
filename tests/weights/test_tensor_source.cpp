#include <gmock/gmock.h>

#include <cstring>

#include "core/base/error.h"
#include "core/weights/tensor_directory.h"
#include "core/weights/tensor_source.h"
#include "core/weights/tensor_type.h"
#include "tests/support/temporary_folder.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A source in memory: one tensor, given bytes.
class OneTensor final : public TensorSource {
 public:
  OneTensor(TensorType type, std::vector<std::int64_t> shape, std::string bytes) : m_bytes(std::move(bytes)) {
    TensorInfo tensor;
    tensor.name = "t";
    tensor.type = type;
    tensor.shape = std::move(shape);
    tensor.bytes = m_bytes.size();
    m_tensors.push_back(tensor);
  }
  const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
  void readBytes(const TensorInfo&, std::uint64_t first, std::span<std::byte> out) const override {
    ASSERT_LE(first + out.size(), m_bytes.size());
    std::memcpy(out.data(), m_bytes.data() + first, out.size());
  }
  void dropPageCache(const TensorInfo&) const override {}
  const std::filesystem::path& path() const override { return m_path; }
  std::string directoryText() const override { return "t"; }
  std::vector<float> rows(std::int64_t first, std::int64_t count, std::size_t size) const {
    std::vector<float> out(size);
    readFloat32Rows(*this, m_tensors[0], first, count, out);
    return out;
  }

 private:
  std::string m_bytes;
  std::vector<TensorInfo> m_tensors;
  std::filesystem::path m_path = "memory";
};

template <typename Number>
std::string numbers(std::initializer_list<Number> values) {
  std::string bytes;
  for (const Number value : values) bytes += little(value);
  return bytes;
}

TEST(ReadFloat32, WidensPlainTypes) {
  EXPECT_THAT(OneTensor(TensorType::F64, {2}, numbers<double>({0.5, -3})).rows(0, 2, 2),
              ElementsAre(0.5f, -3));
  EXPECT_THAT(OneTensor(TensorType::I64, {2}, numbers<std::int64_t>({-5, 1})).rows(0, 2, 2),
              ElementsAre(-5, 1));
  EXPECT_THAT(OneTensor(TensorType::I32, {1}, numbers<std::int32_t>({-70000})).rows(0, 1, 1),
              ElementsAre(-70000));
  EXPECT_THAT(OneTensor(TensorType::I16, {1}, numbers<std::int16_t>({-300})).rows(0, 1, 1),
              ElementsAre(-300));
  EXPECT_THAT(OneTensor(TensorType::I8, {1}, numbers<std::int8_t>({-3})).rows(0, 1, 1), ElementsAre(-3));
  EXPECT_THAT(OneTensor(TensorType::U64, {1}, numbers<std::uint64_t>({1ull << 40})).rows(0, 1, 1),
              ElementsAre(1099511627776.0f));
  EXPECT_THAT(OneTensor(TensorType::U32, {1}, numbers<std::uint32_t>({3000000000u})).rows(0, 1, 1),
              ElementsAre(3000000000.0f));
  EXPECT_THAT(OneTensor(TensorType::U16, {1}, numbers<std::uint16_t>({65535})).rows(0, 1, 1),
              ElementsAre(65535));
  EXPECT_THAT(OneTensor(TensorType::U8, {1}, numbers<std::uint8_t>({255})).rows(0, 1, 1), ElementsAre(255));
  EXPECT_THAT(OneTensor(TensorType::Bool, {2}, numbers<std::uint8_t>({1, 0})).rows(0, 2, 2),
              ElementsAre(1, 0));
  EXPECT_THAT(OneTensor(TensorType::BF16, {2}, numbers<std::uint16_t>({0x3F80, 0xC000})).rows(0, 2, 2),
              ElementsAre(1, -2));
  EXPECT_THAT(OneTensor(TensorType::F16, {2}, numbers<std::uint16_t>({0x3C00, 0xC000})).rows(0, 2, 2),
              ElementsAre(1, -2));
}

TEST(ReadFloat32, TakesRowsOfAMatrixAndElementsOfAVector) {
  const std::string bytes = numbers<float>({1, 2, 3, 4, 5, 6});
  EXPECT_THAT(OneTensor(TensorType::F32, {3, 2}, bytes).rows(1, 2, 4), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(OneTensor(TensorType::F32, {3, 2}, bytes).rows(3, 0, 0), ElementsAre());
  EXPECT_THAT(OneTensor(TensorType::F32, {6}, bytes).rows(2, 3, 3), ElementsAre(3, 4, 5));
  EXPECT_THAT(OneTensor(TensorType::F32, {}, numbers<float>({7})).rows(0, 1, 1), ElementsAre(7));
}

TEST(ReadFloat32, TakesPartOfABlock) {
  // Q8_0: scale 2 (half), values 0..31; a vector's rows are its elements, which share a block.
  std::string block = little<std::uint16_t>(0x4000);
  for (int i = 0; i < 32; ++i) block += little(static_cast<std::int8_t>(i));
  EXPECT_THAT(OneTensor(TensorType::Q8_0, {32}, block).rows(5, 3, 3), ElementsAre(10, 12, 14));
}

TEST(ReadFloat32, RefusesBuffersOfAnotherSize) {
  const OneTensor source(TensorType::F32, {2, 2}, numbers<float>({1, 2, 3, 4}));
  EXPECT_THROW(source.rows(0, 1, 3), Error);
  EXPECT_THROW(source.rows(1, 2, 4), Error);
  EXPECT_THROW(source.rows(-1, 1, 2), Error);
  EXPECT_THROW(source.rows(0, -1, 2), Error);
}

TEST(TensorSource, FindsByName) {
  const OneTensor source(TensorType::F32, {1}, numbers<float>({1}));
  EXPECT_EQ(source.find("t"), &source.tensors()[0]);
  EXPECT_EQ(source.find("u"), nullptr);
}

TEST(TensorTypes, StandInTheOrderOfTheirNumbers) {
  for (std::size_t i = 0; i < tensorFormats().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(tensorFormats()[i].type), i);
    EXPECT_EQ(formatOf(tensorFormats()[i].type).name, tensorFormats()[i].name);
  }
  EXPECT_EQ(formatOfSafetensors("Q8_0"), nullptr);
  EXPECT_EQ(formatOfGguf(-1), nullptr);
  EXPECT_EQ(nameOf(TensorType::Q4_1), "Q4_1");
}

TEST(TensorTypes, SizesAreCheckedForOverflow) {
  using Shape = std::vector<std::int64_t>;
  EXPECT_EQ(elementCount(Shape{}), 1);
  EXPECT_EQ(elementCount(Shape{3, 0}), 0);
  EXPECT_EQ(elementCount(Shape{1ll << 32, 1ll << 32}), std::nullopt);
  EXPECT_EQ(elementCount(Shape{-1}), std::nullopt);
  EXPECT_EQ(byteCount(formatOf(TensorType::Q4_K), Shape{2, 512}), 2u * 2 * 144);
  EXPECT_EQ(byteCount(formatOf(TensorType::Q4_K), Shape{512, 2}), std::nullopt);
  EXPECT_EQ(byteCount(formatOf(TensorType::F64), Shape{1ll << 61}), std::nullopt);
}

// 2^20 bytes as one tensor.
std::string largeFile(std::string& bytes) {
  bytes.assign(1 << 20, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  return safetensorsFile(R"({"a":{"dtype":"U8","shape":[1048576],"data_offsets":[0,1048576]}})", 0) + bytes;
}

TEST(TensorsOfAFile, CanBeForgottenAndReadAgain) {
  TemporaryFolder folder;
  std::string bytes;
  const auto file = openBytes(put(folder / "m.safetensors", largeFile(bytes)));
  const std::uint64_t dataStart = file->size() - bytes.size();
  file->dropPageCache(dataStart, bytes.size());
  std::string read(bytes.size(), '\0');
  file->read(dataStart, std::as_writable_bytes(std::span(read)));
  EXPECT_EQ(read, bytes);
}

TEST(TensorsOfAFile, AreReadInPiecesFromAnyElement) {
  TemporaryFolder folder;
  std::string bytes;
  const auto source = openTensors(put(folder / "m.safetensors", largeFile(bytes)));
  std::vector<float> values(700'001);
  readFloat32Rows(*source, source->tensors()[0], 12'345, 700'001, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], static_cast<unsigned char>(bytes[i + 12'345])) << i;
  }
}

TEST(TensorsOfAFile, ReportAFileThatBecameShorter) {
  TemporaryFolder folder;
  std::string bytes;
  const auto path = put(folder / "m.safetensors", largeFile(bytes));
  const auto source = openTensors(path);
  std::filesystem::resize_file(path, 5000);
  std::vector<float> values(bytes.size());
  EXPECT_THAT(inputErrorOf([&] { readFloat32(*source, source->tensors()[0], values); }),
              HasSubstr("it was cut short meanwhile"));
  EXPECT_EQ(inputErrorOf(
                [&] { readFloat32Rows(*source, source->tensors()[0], 0, 10, std::span(values).first(10)); }),
            "NO ERROR");
}

}  // namespace
}  // namespace plastiscope::test
