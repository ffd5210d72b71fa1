// Changed bytes in any tokenizer file: a sentence or a working tokenizer, never anything else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/support/temporary_folder.h"
#include "tests/text/golden.h"
#include "tests/weights/file_builders.h"

namespace plastiscope {
namespace {

using testing::HasSubstr;

// A small generator with a fixed order of numbers.
class Numbers {
 public:
  std::size_t below(std::size_t limit) {
    m_state = m_state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>((m_state >> 33) % limit);
  }

 private:
  std::uint64_t m_state = 7;
};

std::string mutated(std::string bytes, bool isText, Numbers& numbers) {
  const std::size_t kind = numbers.below(8);
  if (kind == 0) return bytes.substr(0, numbers.below(bytes.size()));
  if (kind == 1) {  // a part again, somewhere else
    const std::size_t from = numbers.below(bytes.size()), size = numbers.below(64);
    return bytes.insert(numbers.below(bytes.size()), bytes.substr(from, size));
  }
  for (std::size_t i = 0; i <= numbers.below(4); ++i) {
    char& place = bytes[numbers.below(bytes.size())];
    place = isText ? "{}[]\",:0x \\\xff-9el"[numbers.below(16)] : static_cast<char>(numbers.below(256));
  }
  return bytes;
}

// One value somewhere inside replaced or taken out.
std::string mutatedJson(Json json, Numbers& numbers) {
  static const Json kValues = {nullptr, true, false, -1,  0,  1,        300,           1e9,    1.5,
                               "",      "a",  "▁",   " ", {}, "<0x41>", Json::array(), "\n\n", "Sequence"};
  Json* node = &json;
  while (node->is_structured() && !node->empty() && (node == &json || numbers.below(4) != 0)) {
    auto child = node->begin();
    std::advance(child, static_cast<std::ptrdiff_t>(numbers.below(node->size())));
    if (numbers.below(20) == 0) {
      node->erase(child);
      return json.dump();
    }
    node = &*child;
  }
  *node = kValues[numbers.below(kValues.size())];
  return json.dump();
}

std::filesystem::path fileOf(const std::string& name) {
  const auto path = test::textData(test::goldenOf(name).at("folder").get<std::string>());
  if (!std::filesystem::is_directory(path)) return path;
  for (const char* file : {"tokenizer.json", "tokenizer.model", "tekken.json"}) {
    if (std::filesystem::exists(path / file)) return path / file;
  }
  return path;
}

class MutatedFiles : public testing::TestWithParam<std::string> {};

TEST_P(MutatedFiles, NeverCrash) {
  const auto file = fileOf(GetParam());
  const std::string whole = readFile(file);
  const bool isText = file.extension() == ".json";
  const Json json = isText ? Json::parse(whole) : Json();
  const int rounds = whole.size() < 50'000 ? 120 : 30;
  const test::TemporaryFolder folder;
  Numbers numbers;
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const bool inside = isText && round % 4 != 0;
    std::ofstream(folder / file.filename(), std::ios::binary)
        << (inside ? mutatedJson(json, numbers) : mutated(whole, isText, numbers));
    try {
      const auto tokenizer = openTokenizer(folder / file.filename());
      for (const char* text : {"It's 12 <|end|> \xE4\xB8\xAD", "  a\n\n▁▁<s>e\xCC\x81 Ａ\xEF\xBB\xBF", ""}) {
        const Encoding encoding = tokenizer->encode(text, true);
        EXPECT_EQ(encoding.ids.size(), encoding.offsets.size());
        for (const auto& [begin, end] : encoding.offsets) {
          EXPECT_LE(0, begin);
          EXPECT_LE(begin, end);
          EXPECT_LE(end, static_cast<std::int64_t>(std::string_view(text).size()));
        }
        for (const std::int32_t id : encoding.ids) tokenizer->tokenText(id);
      }
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, rounds);
}

INSTANTIATE_TEST_SUITE_P(Kinds, MutatedFiles, testing::ValuesIn(test::goldenNames()),
                         [](const auto& kind) { return kind.param; });

// ---- tokenizer.model, field by field

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string field(std::uint32_t number, std::string_view content) {
  return varint(number << 3 | 2) + varint(content.size()) + std::string(content);
}
std::string number(std::uint32_t fieldNumber, std::uint64_t value) {
  return varint(fieldNumber << 3) + varint(value);
}
std::string piece(std::string_view text, std::uint64_t kind, float score = 0) {
  return field(1, field(1, text) + varint(2 << 3 | 5) + test::little(score) + number(3, kind));
}

std::string complaint(const std::string& content) {
  const test::TemporaryFolder folder;
  const auto file = test::put(folder / "tokenizer.model", content);
  return test::inputErrorOf([&] { openTokenizer(file); });
}

TEST(SentencePieceFile, ReadsSmallFiles) {
  const test::TemporaryFolder folder;
  test::put(folder / "tokenizer.model", piece("<unk>", 2) + piece("<s>", 3) + piece("a", 1) + piece("b", 1) +
                                            piece("ab", 1, -1) + field(2, number(3, 2)));
  const auto tokenizer = openTokenizer(folder.path());
  EXPECT_EQ(tokenizer->description(), "SentencePiece BPE, 5 tokens, adds <s> at the start");
  EXPECT_EQ(tokenizer->encode("ab", true).ids, (std::vector<std::int32_t>{1, 0, 4}));
  EXPECT_EQ(tokenizer->tokenText(4), "ab");
  test::put(folder / "tokenizer_config.json", R"({"add_bos_token": false})");
  // As transformers reads it when no class is named: without BOS, and without a space before the text.
  EXPECT_EQ(openTokenizer(folder.path())->encode("b", true).ids, (std::vector<std::int32_t>{3}));
}

TEST(SentencePieceFile, NamesInvalidFields) {
  const std::string unknown = piece("<unk>", 2);
  EXPECT_THAT(complaint(""), HasSubstr("expected pieces, found none"));
  EXPECT_THAT(complaint("x"), HasSubstr("model, byte 1"));
  EXPECT_THAT(complaint(piece("a", 1)), HasSubstr("expected one unknown piece, found 0"));
  EXPECT_THAT(complaint(unknown + piece("a", 1) + piece("a", 1)),
              HasSubstr("piece 2: expected a unique text"));
  EXPECT_THAT(complaint(unknown + piece("", 1)), HasSubstr("piece 1: expected a text of 1 to"));
  EXPECT_THAT(complaint(unknown + piece("a", 9)), HasSubstr("a piece type from 1 to 6, found 9"));
  EXPECT_THAT(complaint(unknown + piece("a", 1, std::numeric_limits<float>::quiet_NaN())),
              HasSubstr("piece 1: expected a score"));
  EXPECT_THAT(complaint(unknown + field(2, number(35, 1))), HasSubstr("256 byte pieces"));
  EXPECT_THAT(complaint(unknown + field(2, number(3, 3))), HasSubstr("1 (Unigram) or 2 (BPE), found 3"));
  EXPECT_THAT(complaint(unknown + field(3, field(2, "\x10\x10\x10\x10zz"))), HasSubstr("normalizer_spec"));
  EXPECT_THAT(complaint(unknown + varint(1 << 3 | 2) + varint(1'000'000)),
              HasSubstr("cut short or damaged: 0 of 1000000 bytes"));
  EXPECT_THAT(complaint(unknown + std::string(12, '\xFF')), HasSubstr("at most ten bytes"));
}

TEST(TekkenFile, NamesInvalidFields) {
  const Json whole = readJsonFile(test::textData("tekken") / "tekken.json");
  const auto tekkenComplaint = [&](auto change) {
    Json json = whole;
    change(json);
    const test::TemporaryFolder folder;
    test::put(folder / "tekken.json", json.dump());
    return test::inputErrorOf([&] { openTokenizer(folder.path()); });
  };
  EXPECT_THAT(tekkenComplaint([](Json& json) { json["config"]["pattern"] = "(a+b"; }),
              testing::AllOf(HasSubstr("config.pattern"), HasSubstr("tekken"), HasSubstr("(a+b")));
  EXPECT_THAT(tekkenComplaint([](Json& json) { json["vocab"][300]["rank"] = 5; }), HasSubstr("rank 300"));
  EXPECT_THAT(tekkenComplaint([](Json& json) { json["vocab"][300]["token_bytes"] = "?"; }),
              HasSubstr("base64"));
  EXPECT_THAT(tekkenComplaint([](Json& json) { json["vocab"][7]["token_bytes"] = "AA=="; }),
              HasSubstr("the single bytes first"));
  EXPECT_THAT(tekkenComplaint([](Json& json) { json["config"]["default_vocab_size"] = 100'000; }),
              HasSubstr("at least 99,990 tokens"));
  EXPECT_THAT(tekkenComplaint([](Json& json) { json["special_tokens"].erase(1); }), HasSubstr("<s>"));
}

}  // namespace
}  // namespace plastiscope
