// Damaged and unknown tokenizers: what was found is named, with what would be known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/text/regex_split.h"
#include "tests/support/stop_at_question.h"
#include "tests/support/temporary_folder.h"
#include "tests/text/golden.h"
#include "tests/weights/file_builders.h"

namespace plastiscope {
namespace {

using testing::HasSubstr;

// tokenizer.json of `kind`, changed.
std::string complaint(const std::function<void(Json&)>& change, const std::string& kind = "gpt2") {
  const test::TemporaryFolder folder;
  Json json = readJsonFile(test::textData(kind) / "tokenizer.json");
  change(json);
  writeFileAtomically(folder / "tokenizer.json", json.dump());
  return test::inputErrorOf([&] { openTokenizer(folder.path()); });
}

TEST(TokenizerRefusal, UnknownKindsAreNamedWithTheKnownOnes) {
  EXPECT_THAT(complaint([](Json& json) { json["model"]["type"] = "WordPiece"; }),
              HasSubstr("model: expected one of BPE, Unigram, found WordPiece"));
  EXPECT_THAT(
      complaint([](Json& json) { json["normalizer"] = {{"type", "Lowercase"}}; }),
      HasSubstr("normalizer: expected one of NFC, NFD, NFKC, NFKD, Prepend, Replace, Strip, Precompiled, "
                "found Lowercase"));
  EXPECT_THAT(complaint([](Json& json) { json["pre_tokenizer"] = {{"type", "UnicodeScripts"}}; }),
              HasSubstr("pre_tokenizer: expected one of Split, Digits, Punctuation, WhitespaceSplit, "
                        "Whitespace, Metaspace, ByteLevel, found UnicodeScripts"));
  EXPECT_THAT(
      complaint([](Json& json) { json["post_processor"] = {{"type", "BertProcessing"}}; }),
      HasSubstr("post_processor: expected one of ByteLevel, TemplateProcessing, found BertProcessing"));
}

// llama3's tokenizer.json with another pattern.
std::function<void(Json&)> withPattern(const std::string& pattern) {
  return [pattern](Json& json) { json["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = pattern; };
}

TEST(TokenizerRefusal, AnUnknownPatternIsNamed) {
  const std::string text = complaint(withPattern("(a+b"), "llama3");
  EXPECT_THAT(text, HasSubstr("pre_tokenizer.pretokenizers[0].pattern.Regex"));
  EXPECT_THAT(text, HasSubstr("the pattern \"(a+b\" cannot be used: end pattern with unmatched parenthesis"));
}

// Constructs that no tokenizer needs, and patterns that match the empty text.
TEST(TokenizerRefusal, UnusualPatternsAreNamed) {
  const std::pair<const char*, const char*> patterns[] = {{"\\h+", "\\h"},
                                                          {"(?m)a", "(?m)"},
                                                          {"(*UTF)a", "(*"},
                                                          {"a*", "it matches the empty text"},
                                                          {"a{2}?", "it matches the empty text"},
                                                          {"(?=a)", "it matches the empty text"},
                                                          {"[]a]", "an empty class"}};
  for (const auto& [pattern, reason] : patterns)
    EXPECT_THAT(complaint(withPattern(pattern), "llama3"), HasSubstr(reason)) << pattern;
}

std::vector<std::string> cutBy(const std::string& pattern, const std::string& text) {
  std::vector<Cut> cuts;
  TextLimits limits(text.size());
  RegexSplitter(pattern, "tokenizer.json", "pattern").scan(text, cuts, limits);
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  for (const Cut& cut : cuts) {
    pieces.push_back(text.substr(begin, cut.end - begin));
    begin = cut.end;
  }
  return pieces;
}

// As pre_tokenizers.Split(Regex(pattern), "isolated") of tokenizers 0.23.3.
TEST(TokenizerPatterns, ClassesAndCountsCutLikeTheReferenceLibrary) {
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(cutBy("[a&&]", "aab a"), Pieces({"aab a"}));
  EXPECT_EQ(cutBy("[[:alpha:]]+", "ab1 \u00e9!"), Pieces({"ab", "1 ", "\u00e9", "!"}));
  EXPECT_EQ(cutBy("a{1,3}+", "aaaaab"), Pieces({"aaaaa", "b"}));
  EXPECT_EQ(cutBy("[\\w&&[^0]]+", "a0b"), Pieces({"a", "0", "b"}));
  EXPECT_EQ(cutBy("[\\w&&\\P{Lu}]+", "abCde F"), Pieces({"ab", "C", "de", " F"}));
  EXPECT_EQ(cutBy("\\x{41}|\\x62", "xAbc"), Pieces({"x", "A", "b", "c"}));
}

TEST(TokenizerPatterns, VeryManyNestedClassesAreFast) {
  std::string pattern;
  for (int i = 0; i < 65; ++i) pattern += "[\\w&&[^" + std::to_string(i) + "]]";
  EXPECT_EQ(cutBy(pattern, std::string(66, 'x')).size(), 2u);
}

TEST(TokenizerRefusal, PatternsWithEndlessSearchesAreNamed) {
  const test::TemporaryFolder folder;
  Json json = readJsonFile(test::textData("llama3") / "tokenizer.json");
  withPattern("(a+)+b")(json);
  writeFileAtomically(folder / "tokenizer.json", json.dump());
  const auto tokenizer = openTokenizer(folder.path());
  EXPECT_FALSE(tokenizer->encode("aab aaab", false).ids.empty());
  EXPECT_THAT(
      test::inputErrorOf([&] { tokenizer->encode(std::string(60, 'a') + "cb", false); }),
      HasSubstr("the pattern \"(a+)+b\" cannot be used: its search in this text takes too many steps"));
}

TEST(TokenizerRefusal, InvalidStepsAreNamed) {
  const auto preTokenizer = [](Json step) { return [step](Json& json) { json["pre_tokenizer"] = step; }; };
  EXPECT_THAT(
      complaint([](Json& json) { json["pre_tokenizer"]["pretokenizers"][0]["behavior"] = "Sideways"; },
                "llama3"),
      HasSubstr("expected one of Isolated, Removed, MergedWithPrevious, MergedWithNext, Contiguous, found "
                "Sideways"));
  EXPECT_THAT(complaint(
                  [](Json& json) {
                    auto& steps = json["pre_tokenizer"]["pretokenizers"];
                    std::swap(steps[0], steps[1]);
                  },
                  "llama3"),
              HasSubstr("nothing behind ByteLevel"));
  EXPECT_THAT(complaint(preTokenizer({{"type", "Metaspace"}, {"replacement", "ab"}})),
              HasSubstr("expected one character, found \"ab\""));
  EXPECT_THAT(
      complaint(preTokenizer({{"type", "Metaspace"}, {"replacement", "_"}, {"prepend_scheme", "sometimes"}})),
      HasSubstr("one of always, first, never, found sometimes"));
  EXPECT_THAT(complaint(preTokenizer({{"type", "Metaspace"},
                                      {"replacement", "_"},
                                      {"add_prefix_space", false},
                                      {"prepend_scheme", "always"}})),
              HasSubstr("add_prefix_space is false"));
  EXPECT_THAT(
      complaint(preTokenizer({{"type", "Split"}, {"pattern", {{"String", ""}}}, {"behavior", "Removed"}})),
      HasSubstr("a text to split at"));
}

TEST(TokenizerRefusal, InvalidNormalisersAreNamed) {
  const auto normalizer = [](Json step) { return [step](Json& json) { json["normalizer"] = step; }; };
  EXPECT_THAT(
      complaint(normalizer({{"type", "Replace"}, {"pattern", {{"Regex", "a+"}}}, {"content", "b"}})),
      HasSubstr("normalizer.pattern: expected a String or the Regex \" {2,}\", found the Regex \"a+\""));
  EXPECT_THAT(complaint(normalizer({{"type", "Precompiled"}, {"precompiled_charsmap", "!"}})),
              HasSubstr("base64"));
  EXPECT_THAT(complaint(normalizer({{"type", "Precompiled"}, {"precompiled_charsmap", "AAQAAAAAAAAA"}})),
              HasSubstr("the size of a trie"));
}

TEST(TokenizerRefusal, InvalidUnigramVocabulariesAreNamed) {
  EXPECT_THAT(complaint([](Json& json) { json["model"]["unk_id"] = nullptr; }, "unigram"),
              HasSubstr("model: expected \"unk_id\""));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["unk_id"] = 100000; }, "unigram"),
              HasSubstr("less than 640"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["vocab"][3] = {"a"}; }, "unigram"),
              HasSubstr("model.vocab[3]: expected a token and its score"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["vocab"][3][1] = "x"; }, "unigram"),
              HasSubstr("model.vocab[3][1]: expected a score"));
  EXPECT_THAT(complaint([](Json& json) { json["post_processor"] = {{"type", "ByteLevel"}}; }, "unigram"),
              HasSubstr("the pieces are not bytes"));
}

TEST(TokenizerRefusal, ModelOptionsOfOtherVocabulariesAreRefused) {
  EXPECT_THAT(complaint([](Json& json) { json["model"]["byte_fallback"] = true; }),
              HasSubstr("byte_fallback"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["dropout"] = 0.1; }), HasSubstr("dropout"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["end_of_word_suffix"] = "</w>"; }),
              HasSubstr("end_of_word_suffix"));
}

TEST(TokenizerRefusal, DamagedVocabulariesAreRefused) {
  EXPECT_THAT(complaint([](Json& json) { json["model"].erase("vocab"); }), HasSubstr("\"vocab\""));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["vocab"]["a"] = -1; }), HasSubstr("\"a\""));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["vocab"]["a"] = 1e9; }), HasSubstr("a token id"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["vocab"]["a"] = 4'000'000; }),
              HasSubstr("a token id"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["vocab"]["a"] = json["model"]["vocab"]["b"]; }),
              HasSubstr("which another entry has"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["merges"][3] = "qq zz"; }),
              HasSubstr("merge 4 (qq zz)"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["merges"][3] = "nospace"; }),
              HasSubstr("model.merges[3]"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["merges"][3] = {"a", "b", "c"}; }),
              HasSubstr("model.merges[3]: expected two tokens"));
  EXPECT_THAT(complaint([](Json& json) { json["added_tokens"][0]["content"] = std::string(2000, 'x'); }),
              HasSubstr("1,000 bytes"));
  EXPECT_THAT(complaint([](Json& json) { json["added_tokens"][0]["id"] = "one"; }),
              HasSubstr("added_tokens[0].id"));
}

TEST(TokenizerRefusal, TemplatesWithoutTheTextAreRefused) {
  EXPECT_THAT(
      complaint([](Json& json) { json["post_processor"]["processors"][1]["single"].erase(1); }, "llama3"),
      HasSubstr("the text once"));
  EXPECT_THAT(complaint([](Json& json) { json["post_processor"]["processors"][1]["special_tokens"].clear(); },
                        "llama3"),
              HasSubstr("special_tokens"));
}

TEST(TokenizerRefusal, BrokenFilesAndMissingOnesAreNamed) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(
      test::inputErrorOf([&] { openTokenizer(folder.path()); }),
      HasSubstr("expected one of tokenizer.json, tokenizer.model, tekken.json, vocab.json, found none"));
  writeFileAtomically(folder / "vocab.txt", "x");
  EXPECT_THAT(test::inputErrorOf([&] { openTokenizer(folder.path()); }),
              HasSubstr("vocab.txt, which this version does not read"));
  const std::string whole = readFile(test::textData("gpt2") / "tokenizer.json");
  writeFileAtomically(folder / "tokenizer.json", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(test::inputErrorOf([&] { openTokenizer(folder.path()); }), HasSubstr("not valid JSON"));
}

// Nine rules that each make eight letters of one: 134 million of one letter.
TEST(TokenizerRefusal, RulesThatMultiplyTheTextAreRefused) {
  const test::TemporaryFolder folder;
  Json json = readJsonFile(test::textData("gpt2") / "tokenizer.json");
  const auto encode = [&](const Json& normalizer, std::string_view text) {
    json["normalizer"] = normalizer;
    writeFileAtomically(folder / "tokenizer.json", json.dump());
    return openTokenizer(folder.path())->encode(text).ids.size();
  };
  Json rules = Json::array();
  for (int i = 0; i < 9; ++i)
    rules.push_back({{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", std::string(8, 'a')}});
  const Json growing = {{"type", "Sequence"}, {"normalizers", rules}};
  EXPECT_THAT(
      test::inputErrorOf([&] { encode(growing, std::string(1000, 'a')); }),
      testing::AllOf(HasSubstr("tokenizer.json: normalizer: expected at most 16 times the bytes of a text")));
  EXPECT_GT(encode({{"type", "Sequence"}, {"normalizers", {rules[0]}}}, std::string(1000, 'a')), 0u);
  EXPECT_GT(encode(growing, "no such letter in it but one: b"), 0u);
  const Json prepend = {{"type", "Prepend"}, {"prepend", std::string(100'000, 'a')}};
  EXPECT_THAT(test::inputErrorOf([&] { encode(prepend, "b"); }), HasSubstr("normalizer"));
}

TEST(TokenizerRefusal, IdsFarBeyondTheVocabularyAreRefused) {
  EXPECT_THAT(complaint([](Json& json) { json["model"]["vocab"]["a"] = 3'999'999; }),
              HasSubstr("expected ids below"));
}

TEST(TokenizerRefusal, LongTemplatesAreRefused) {
  EXPECT_THAT(complaint(
                  [](Json& json) {
                    Json& single = json["post_processor"]["processors"][1]["single"];
                    const Json token = single[0];
                    for (int i = 0; i < 100; ++i) single.insert(single.begin(), token);
                  },
                  "llama3"),
              HasSubstr("at most 64 tokens around the text"));
}

TEST(TokenizerRefusal, LongPatternsAreNotPrintedWhole) {
  const std::string sentence = complaint([](Json& json) {
    json["pre_tokenizer"] = {{"type", "Split"},
                             {"pattern", {{"Regex", std::string(200'000, '.') + "\x1b[2J"}}},
                             {"behavior", "Isolated"},
                             {"invert", false}};
  });
  EXPECT_LT(sentence.size(), 1500u);
  EXPECT_THAT(sentence, testing::AllOf(HasSubstr("bytes left out"), testing::Not(HasSubstr("\x1b"))));
}

TEST(TokenizerStop, CanBeStoppedWithinLongTextsAndWords) {
  std::string words, word(300'000, 'a');
  for (int i = 0; i < 50'000; ++i) words += "word" + std::to_string(i) + " ";
  for (const char* name : {"gpt2", "smollm", "llama3"}) {
    const auto tokenizer = openTokenizer(test::textData(name));
    for (const std::string& text : {words, word}) {
      const test::StopAtQuestion soon(2);
      EXPECT_THROW(tokenizer->encode(text, true, &soon), Stopped) << name;
    }
  }
}

// Whatever is cut off or changed, the answer is a sentence or a working tokenizer.
TEST(TokenizerRefusal, ChangedBytesAreReadOrRefused) {
  const std::string whole = readFile(test::textData("smollm") / "tokenizer.json");
  const test::TemporaryFolder folder;
  std::uint32_t state = 7;
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string changed = whole;
    for (int i = 0; i < 3; ++i) {
      state = state * 1664525 + 1013904223;
      changed[state % changed.size()] = "{}[]\",:0x \\\xff"[state >> 28 & 7];
    }
    writeFileAtomically(folder / "tokenizer.json", changed);
    try {
      openTokenizer(folder.path())->encode("It's 12 <|end|> \xE4\xB8\xAD", true);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(TokenizerDescription, ListsTheTokensOfTheTemplateAndConflicts) {
  EXPECT_EQ(openTokenizer(test::textData("gpt2"))->description(), "byte-level BPE, 563 tokens, no BOS added");
  EXPECT_EQ(openTokenizer(test::textData("llama3"))->description(),
            "byte-level BPE, 563 tokens, adds <|endoftext|> at the start");
  const test::TemporaryFolder folder;
  std::filesystem::copy(test::textData("gpt2") / "tokenizer.json", folder / "tokenizer.json");
  writeFileAtomically(folder / "tokenizer_config.json", R"({"add_bos_token": true})");
  EXPECT_THAT(
      openTokenizer(folder.path())->description(),
      HasSubstr(
          "tokenizer_config.json has add_bos_token = true, but the template of tokenizer.json is used"));
  writeFileAtomically(folder / "tokenizer_config.json", R"({"add_bos_token": false})");
  EXPECT_EQ(openTokenizer(folder.path())->description(), "byte-level BPE, 563 tokens, no BOS added");
}

}  // namespace
}  // namespace plastiscope
