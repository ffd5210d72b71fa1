#include <gmock/gmock.h>

#include "core/weights/gguf.h"
#include "core/weights/tensor_type.h"
#include "tests/support/temporary_folder.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kF32 = 0, kQ8 = 8, kNvfp4 = 40;

// One float32 tensor of eight elements after `keys`.
std::string oneTensor(const std::string& tensor, std::uint64_t keys = 0, const std::string& keyBytes = "",
                      std::size_t data = 32) {
  return padded(ggufHead(1, keys) + keyBytes + tensor) + std::string(data, '\0');
}

std::string key(std::uint32_t type, const std::string& value) {
  return ggufHead(0, 1) + ggufText("k") + little(type) + value;
}

std::string array(std::uint32_t type, std::uint64_t count, const std::string& values) {
  return key(9, little(type) + little(count) + values);
}

std::vector<FileCase> cases() {
  const std::string good = ggufTensor("a", {8}, kF32, 0);
  return {
      {"good", oneTensor(good), ""},
      {"version_2",
       padded("GGUF" + little<std::uint32_t>(2) + little<std::uint64_t>(1) + little<std::uint64_t>(0) +
              good) +
           std::string(32, '\0'),
       ""},
      {"nothing_in_it", ggufHead(0, 0), ""},
      {"own_alignment",
       padded(ggufHead(1, 1) + ggufIntegerKey("general.alignment", 64) + good, 64) + std::string(32, '\0'),
       ""},
      {"flat_array", array(5, 2, little<std::int32_t>(-1) + little<std::int32_t>(7)), ""},

      {"cut_in_head", "GGUF" + little<std::uint32_t>(3), "cut short: it ends after 8 of at least 16 bytes"},
      {"version_1", ggufHead(0, 0, 1), "expected 2 or 3, found 1"},
      {"version_4", ggufHead(0, 0, 4), "expected 2 or 3, found 4"},
      {"big_endian", ggufHead(0, 0, 0x03000000), "found a big-endian one"},
      {"tensor_count_huge", ggufHead(~0ull, 0), "tensor count"},
      {"tensor_count_beyond_file", ggufHead(100, 0) + std::string(200, '\0'),
       "100 are stated, but the file is cut short"},
      {"key_count_huge", ggufHead(0, ~0ull), "metadata count"},
      {"key_count_beyond_file", ggufHead(0, 50) + std::string(100, '\0'),
       "50 are stated, but the file is cut short"},
      {"key_length_huge", ggufHead(0, 1) + little<std::uint64_t>(~0ull) + std::string(64, 'x'),
       "metadata key"},
      {"key_length_beyond_file", ggufHead(0, 1) + little<std::uint64_t>(60) + std::string(20, 'x'),
       "metadata key"},
      {"key_twice", ggufHead(0, 2) + ggufIntegerKey("k", 1) + ggufIntegerKey("k", 1), "metadata k before"},
      {"text_length_huge", key(8, little<std::uint64_t>(1ull << 62)), "metadata text"},
      {"unknown_value_type", key(13, little<std::uint64_t>(0)), "a value type of 0 to 12, found 13"},
      {"cut_in_value", key(10, "1234"), "cut short"},
      {"truth_value_2", key(7, "\x02"), "expected 0 or 1 for a truth value, found 2"},
      {"unsigned_beyond_int64", key(10, little<std::uint64_t>(1ull << 63)), "expected at most 2^63 - 1"},
      {"array_length_huge", array(4, ~0ull, ""), "array length"},
      {"array_length_beyond_file", array(4, 1000, std::string(16, '\0')),
       "1000 are stated, but the file is cut short"},
      {"text_array_beyond_file", array(8, 3, little<std::uint64_t>(0)),
       "3 are stated, but the file is cut short"},
      {"array_of_arrays", array(9, 1, little<std::uint32_t>(4) + little<std::uint64_t>(0)),
       "expected a flat array, found an array of arrays"},
      {"array_of_unknown", array(99, 1, "x"), "a value type of 0 to 12, found 99"},

      {"rank_5", oneTensor(ggufTensor("a", {1, 1, 1, 1, 8}, kF32, 0)), "at most 4 dimensions, found 5"},
      {"name_length_huge", ggufHead(1, 0) + little<std::uint64_t>(1ull << 40) + std::string(64, 'x'),
       "tensor name"},
      {"name_not_utf8", oneTensor(ggufTensor("a\xff", {8}, kF32, 0)), "tensor name before byte"},
      {"key_not_utf8", ggufHead(0, 1) + ggufIntegerKey("\xc3(", 1), "expected UTF-8, found"},
      {"size_overflow", oneTensor(ggufTensor("a", {1ull << 32, 1ull << 32}, kF32, 0)),
       "a size that fits 63 bits"},
      {"size_negative", oneTensor(ggufTensor("a", {~0ull}, kF32, 0)), "sizes up to 2^63"},
      {"half_a_block", oneTensor(ggufTensor("a", {16, 2}, kQ8, 0)), "rows of whole blocks"},
      {"unread_type", oneTensor(ggufTensor("a", {256}, kNvfp4, 0)), ""},
      {"unknown_type", oneTensor(ggufTensor("a", {8}, 777, 0)), ""},
      {"offset_beyond_file", oneTensor(ggufTensor("a", {8}, kF32, 64)),
       "the file is cut short: it ends after 96 of at least 160 bytes"},
      {"offset_wraps", oneTensor(ggufTensor("a", {8}, kF32, ~0ull - 31)),
       "expected an offset of at most 2^62, found 18446744073709551584"},
      {"offset_not_aligned", oneTensor(ggufTensor("a", {2}, kF32, 8)), "a multiple of 32, found 8"},
      {"cut_in_data", oneTensor(good, 0, "", 31), "the file is cut short: it ends after"},
      {"no_data", ggufHead(1, 0) + good, "the file is cut short: it ends after"},
      {"overlap", padded(ggufHead(2, 0) + good + ggufTensor("b", {8}, kF32, 0)) + std::string(64, '\0'),
       "overlapping data"},
      {"name_twice", padded(ggufHead(2, 0) + good + ggufTensor("a", {8}, kF32, 32)) + std::string(64, '\0'),
       "tensor a: this name appears twice"},
      {"alignment_3", oneTensor(good, 1, ggufIntegerKey("general.alignment", 3)),
       "a power of two up to 2^20, found 3"},
      {"alignment_0", oneTensor(good, 1, ggufIntegerKey("general.alignment", 0)),
       "a power of two up to 2^20, found 0"},
      {"alignment_text", oneTensor(good, 1, ggufTextKey("general.alignment", "32")), "found no integer"},
      {"alignment_of_64_bits",
       oneTensor(good, 1,
                 ggufText("general.alignment") + little<std::uint32_t>(10) + little<std::uint64_t>(32)),
       "expected an unsigned integer of 32 bits"},
      {"alignment_huge", oneTensor(good, 1, ggufIntegerKey("general.alignment", 1u << 31)),
       "a power of two up to 2^20"},
  };
}

class Gguf : public testing::TestWithParam<FileCase> {};

TEST_P(Gguf, IsReadOrRefused) {
  expectReadOrRefused(GetParam(), "model.gguf");
}

INSTANTIATE_TEST_SUITE_P(Files, Gguf, testing::ValuesIn(cases()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(GgufFile, EveryTruncationIsRefusedOrHarmless) {
  const std::string whole = oneTensor(ggufTensor("a", {8}, kF32, 0), 2,
                                      ggufTextKey("general.architecture", "llama") + ggufIntegerKey("n", 3));
  TemporaryFolder folder;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto file = put(folder / "cut.gguf", whole.substr(0, length));
    EXPECT_THAT(inputErrorOf([&] { openGguf(file); }), HasSubstr("cut.gguf")) << length;
  }
}

TEST(GgufFile, NamesOnlyTypesThatHoldWeights) {
  const std::string names = ", " + ggufTypeNames() + ",";
  for (const std::string weights : {"F64", "F32", "BF16", "Q4_K", "MXFP4"})
    EXPECT_THAT(names, HasSubstr(", " + weights + ","));
  for (const std::string numbers : {"I64", "I32", "I16", "I8", "U8", "BOOL"})
    EXPECT_THAT(names, Not(HasSubstr(", " + numbers + ",")));
}

TEST(GgufFile, TypedLookUps) {
  TemporaryFolder folder;
  const auto file = put(folder / "m.gguf", ggufHead(0, 3) + ggufTextKey("t", "text") +
                                               ggufIntegerKey("i", 7) + ggufFloatKey("f", 0.5f));
  const auto gguf = openGguf(file);
  EXPECT_EQ(gguf->text("t"), "text");
  EXPECT_EQ(gguf->integer("i"), 7);
  EXPECT_EQ(gguf->number("f"), 0.5);
  EXPECT_EQ(gguf->number("i"), 7.0);
  EXPECT_EQ(gguf->flag("absent"), std::nullopt);
  EXPECT_THAT(inputErrorOf([&] { gguf->integer("t"); }), HasSubstr("metadata t: expected an integer"));
  EXPECT_THAT(inputErrorOf([&] { gguf->text("i"); }), HasSubstr("metadata i: expected a text"));
}

TEST(GgufFile, ShapesAreTurnedOutermostFirst) {
  TemporaryFolder folder;
  const auto file = put(folder / "m.gguf", oneTensor(ggufTensor("a", {4, 2}, kF32, 0)));
  EXPECT_EQ(openGguf(file)->find("a")->shape, (std::vector<std::int64_t>{2, 4}));
}

// A split model: every part has its number, the count, and one tensor.
std::string part(std::uint16_t number, std::uint16_t count, const char* tensor, std::uint32_t total = 2) {
  const auto shortKey = [](std::string_view name, std::uint16_t value) {
    return ggufText(name) + little<std::uint32_t>(2) + little(value);
  };
  return oneTensor(ggufTensor(tensor, {8}, kF32, 0), 3,
                   shortKey("split.no", number) + shortKey("split.count", count) +
                       ggufIntegerKey("split.tensors.count", total));
}

TEST(GgufFile, PartsAreOpenedTogetherFromAnyOfThem) {
  TemporaryFolder folder;
  const auto first = put(folder / "m-00001-of-00002.gguf", part(0, 2, "a"));
  const auto second = put(folder / "m-00002-of-00002.gguf", part(1, 2, "b"));
  for (const auto& file : {first, second, folder.path()}) {
    const auto source = openTensors(file);
    ASSERT_EQ(source->tensors().size(), 2u);
    EXPECT_EQ(source->find("b")->file, second);
    EXPECT_EQ(source->path(), first);
  }
}

TEST(GgufFile, PartsThatDoNotBelongTogetherAreRefused) {
  TemporaryFolder folder;
  const auto first = put(folder / "m-00001-of-00002.gguf", part(0, 2, "a"));
  const auto open = [&] { return inputErrorOf([&] { openTensors(first); }); };
  EXPECT_THAT(open(), HasSubstr("m-00002-of-00002.gguf: this part of a model of 2 parts is missing"));
  put(folder / "m-00002-of-00002.gguf", part(0, 2, "b"));
  EXPECT_THAT(open(), HasSubstr("expected part 2 of 2"));
  put(folder / "m-00002-of-00002.gguf", part(1, 2, "a"));
  EXPECT_THAT(open(), HasSubstr("tensor a: this name appears twice"));
  put(folder / "m-00002-of-00002.gguf", part(1, 2, "b"));
  EXPECT_EQ(open(), "NO ERROR");
  put(folder / "m-00001-of-00002.gguf", part(0, 2, "a", 3));
  EXPECT_THAT(open(), HasSubstr("expected 3 tensors in all parts, found 2"));
  const auto odd = put(folder / "odd.gguf", part(0, 2, "a"));
  EXPECT_THAT(inputErrorOf([&] { openTensors(odd); }), HasSubstr("of a split model, found \""));
}

}  // namespace
}  // namespace plastiscope::test
