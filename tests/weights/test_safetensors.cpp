// Files that must be refused, and why; and the few odd ones that must not.
#include <gmock/gmock.h>

#include "core/weights/tensor_source.h"
#include "tests/support/temporary_folder.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

using testing::HasSubstr;

// A header with one float32 tensor "a" of two elements, and its 8 data bytes.
constexpr const char* kGood = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";

std::string one(const std::string& entry, std::size_t data = 8) {
  return safetensorsFile("{\"a\":" + entry + "}", data);
}

std::vector<FileCase> headerCases() {
  const std::string deep = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  const std::string deepObjects = [] {
    std::string text;
    for (int i = 0; i < 50'000; ++i) text += "{\"a\":";
    return text;
  }();
  return {
      {"good", safetensorsFile(kGood, 8), ""},
      {"trailing_spaces", safetensorsFile(std::string(kGood) + "   ", 8), ""},
      {"no_tensors", safetensorsFile("{}", 0), ""},
      {"metadata", safetensorsFile(R"({"__metadata__":{"format":"pt"}})", 0), ""},
      {"empty_tensor", one(R"({"dtype":"F32","shape":[0,4],"data_offsets":[0,0]})", 0), ""},
      {"scalar", one(R"({"dtype":"F64","shape":[],"data_offsets":[0,8]})"), ""},

      {"empty_file", "", "cut short: it ends after 0 of at least 8 bytes"},
      {"seven_bytes", "1234567", "cut short: it ends after 7 of at least 8 bytes"},
      {"header_longer_than_file", little<std::uint64_t>(1000) + kGood,
       "cut short: it ends after 62 of at least 1,008 bytes"},
      {"header_length_wraps", little<std::uint64_t>(~0ull) + kGood, "expected at most 100,000,000"},
      {"header_length_huge", little<std::uint64_t>(100'000'001) + kGood, "expected at most 100,000,000"},
      {"empty_header", safetensorsFile("", 0), "expected a JSON object"},
      {"array_header", safetensorsFile("[]", 0), "expected a JSON object"},
      {"leading_space", safetensorsFile(" {}", 0), "expected a JSON object"},
      {"byte_order_mark", safetensorsFile("\xEF\xBB\xBF{}", 0), "expected a JSON object"},
      {"broken_json", safetensorsFile("{\"a\":", 0), "not valid JSON"},
      {"text_after_object", safetensorsFile("{} {}", 0), "not valid JSON"},
      {"nul_after_object", safetensorsFile(std::string_view("{}\0{}", 5), 0), "NUL"},
      {"bad_utf8", safetensorsFile("{\"\xC3\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8),
       "not valid JSON"},
      {"nesting_arrays", safetensorsFile(deep, 0), "expected an object, found an array"},
      {"nesting_objects", safetensorsFile(deepObjects, 0), "found an object"},

      {"entry_is_number", one("3", 0), "expected an object, found the number 3"},
      {"entry_is_null", one("null", 0), "found null"},
      {"no_dtype", one(R"({"shape":[2],"data_offsets":[0,8]})"), "expected \"dtype\", found none"},
      {"no_shape", one(R"({"dtype":"F32","data_offsets":[0,8]})"), "expected \"shape\", found none"},
      {"no_offsets", one(R"({"dtype":"F32","shape":[2]})"), "expected \"data_offsets\", found none"},
      {"unknown_dtype", one(R"({"dtype":"F8_E8M0","shape":[8],"data_offsets":[0,8]})"), ""},
      {"block_dtype", one(R"({"dtype":"Q8_0","shape":[8],"data_offsets":[0,8]})"), ""},
      {"empty_dtype", one(R"({"dtype":"","shape":[8],"data_offsets":[0,8]})"), "expected a type of F64, F32"},
      {"dtype_is_number", one(R"({"dtype":1,"shape":[2],"data_offsets":[0,8]})"), "expected a type name"},
      {"fractional_offset", one(R"({"dtype":"F32","shape":[2],"data_offsets":[0.0,8]})"),
       "found the number 0.0"},
      {"exponent_offset", one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8e0]})"),
       "found the number 8e0"},
      {"negative_offset", one(R"({"dtype":"F32","shape":[2],"data_offsets":[-8,0]})"), "found the number -8"},
      {"minus_zero", one(R"({"dtype":"F32","shape":[2],"data_offsets":[-0,8]})"), "found the number -0"},
      {"huge_offset", one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551616]})"),
       "expected plain unsigned integers"},
      {"text_offset", one(R"({"dtype":"F32","shape":[2],"data_offsets":["0",8]})"), "found the text \"0\""},
      {"one_offset", one(R"({"dtype":"F32","shape":[2],"data_offsets":[8]})"),
       "expected two data_offsets, found 1"},
      {"three_offsets", one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8,8]})"), "found the number 8"},
      {"fractional_shape", one(R"({"dtype":"F32","shape":[2.0],"data_offsets":[0,8]})"),
       "found the number 2.0"},
      {"nested_shape", one(R"({"dtype":"F32","shape":[[2]],"data_offsets":[0,8]})"), "found an array"},
      {"shape_overflow", one(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]})"),
       "a shape whose size fits 63 bits"},
      {"bytes_overflow", one(R"({"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,8]})"),
       "a shape whose size fits 63 bits"},
      {"wrong_size", one(R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})"),
       "expected 12 bytes by its shape and type, found 8"},
      {"offsets_descend", one(R"({"dtype":"F32","shape":[0],"data_offsets":[0,8]})"), "expected 0 bytes"},
      {"begin_after_end", one(R"({"dtype":"U8","shape":[0],"data_offsets":[8,0]})"), "found offset 8 (a gap"},
      {"gap_at_start", one(R"({"dtype":"F32","shape":[2],"data_offsets":[4,12]})", 12), "a gap in the data"},
      {"data_left_over", one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", 9),
       "expected 8 bytes by the header"},
      {"cut_short", one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", 7), "the file is cut short"},
      {"overlap",
       safetensorsFile(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                       R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                       12),
       "overlapping data"},
      {"gap",
       safetensorsFile(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                       R"("b":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}})",
                       16),
       "a gap in the data"},
      {"tensor_twice",
       safetensorsFile(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                       R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                       8),
       "tensor a: this name appears twice"},
      {"field_twice", one(R"({"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]})"),
       "\"dtype\" appears twice"},
      {"metadata_twice", safetensorsFile(R"({"__metadata__":{},"__metadata__":{}})", 0),
       "\"__metadata__\" appears twice"},
      {"metadata_key_twice", safetensorsFile(R"({"__metadata__":{"a":"1","a":"2"}})", 0),
       "\"a\" appears twice"},
      {"metadata_number", safetensorsFile(R"({"__metadata__":{"a":1}})", 0),
       "expected a text, found the number 1"},
      {"metadata_nested", safetensorsFile(R"({"__metadata__":{"a":{}}})", 0),
       "expected a text, found an object"},
  };
}

class Safetensors : public testing::TestWithParam<FileCase> {};

TEST_P(Safetensors, IsReadOrRefused) {
  expectReadOrRefused(GetParam(), "model.safetensors");
}

INSTANTIATE_TEST_SUITE_P(Files, Safetensors, testing::ValuesIn(headerCases()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(SafetensorsFile, ListsTensorsInDataOrder) {
  TemporaryFolder folder;
  const auto file = put(folder / "model.safetensors",
                        safetensorsFile(R"({"late":{"dtype":"I64","shape":[1],"data_offsets":[8,16]},)"
                                        R"("early":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})",
                                        16));
  const auto source = openTensors(file);
  ASSERT_EQ(source->tensors().size(), 2u);
  EXPECT_EQ(source->tensors()[0].name, "early");
  EXPECT_EQ(source->tensors()[0].shape, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(source->tensors()[1].type, TensorType::I64);
  EXPECT_EQ(source->find("late")->bytes, 8u);
  EXPECT_EQ(source->find("other"), nullptr);
  EXPECT_EQ(source->directoryText(), "early F32 [1,2] 0 " + std::to_string(source->tensors()[0].offset) +
                                         "\nlate I64 [1] 0 " + std::to_string(source->tensors()[1].offset) +
                                         "\n");
}

TEST(SafetensorsFile, MessagesKeepControlCharactersOut) {
  TemporaryFolder folder;
  const std::string name = "\\u001b[31m" + std::string(5000, 'x');
  const auto file =
      put(folder / "m.safetensors",
          safetensorsFile("{\"" + name + R"(":{"dtype":"","shape":[],"data_offsets":[0,0]}})", 0));
  const std::string message = inputErrorOf([&] { openTensors(file); });
  EXPECT_THAT(message, HasSubstr(R"("\x1B[31mxxx)"));
  EXPECT_LT(message.size(), 600u);
}

}  // namespace
}  // namespace plastiscope::test
