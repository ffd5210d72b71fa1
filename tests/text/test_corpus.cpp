#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/text/corpus.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/temporary_folder.h"
#include "tests/weights/file_builders.h"

namespace plastiscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Corpus : public testing::Test {
 protected:
  std::filesystem::path put(const std::string& name, std::string_view content) {
    return test::put(m_folder / name, content);
  }
  std::vector<CorpusText> read(std::vector<std::filesystem::path> files) {
    m_options.files = std::move(files);
    return readCorpus(m_options, m_progress);
  }
  std::string complaint(std::vector<std::filesystem::path> files) {
    return test::inputErrorOf([&] { read(std::move(files)); });
  }
  static std::vector<std::string> ids(const std::vector<CorpusText>& texts) {
    std::vector<std::string> result;
    for (const CorpusText& text : texts) result.push_back((text.numericId ? "#" : "") + text.id);
    return result;
  }
  static std::vector<std::string> contents(const std::vector<CorpusText>& texts) {
    std::vector<std::string> result;
    for (const CorpusText& text : texts) result.push_back(text.text);
    return result;
  }

  test::TemporaryFolder m_folder;
  CorpusOptions m_options;
  test::RecordedProgress m_progress;
};

TEST_F(Corpus, PlainFilesAreNamedAfterThemselves) {
  const auto texts =
      read({put("a.txt", "one\r\n"), put("GPL-3", "two"), put("LGPL-2.1", "three"), put("notes.md", "four")});
  EXPECT_THAT(ids(texts), ElementsAre("a", "GPL-3", "LGPL-2.1", "notes.md"));
  EXPECT_THAT(contents(texts), ElementsAre("one\r\n", "two", "three", "four"));
  EXPECT_THAT(m_progress.warnings, IsEmpty());
}

TEST_F(Corpus, RemovesByteOrderMarks) {
  EXPECT_THAT(contents(read({put("a.txt", "\xEF\xBB\xBFone")})), ElementsAre("one"));
}

TEST_F(Corpus, ReadsNaNAndInfinityAsPythonWritesThem) {
  const std::string lines =
      "{\"text\": \"one\", \"score\": NaN}\n{\"loss\": [-Infinity], \"text\": \"NaN\"}\n";
  const std::string list =
      "[{\"text\": \"two\", \"score\": Infinity},\n {\"score\": NaN, \"text\": \"three\"}]";
  EXPECT_THAT(contents(read({put("a.jsonl", lines), put("b.json", list)})),
              ElementsAre("one", "NaN", "two", "three"));
  m_options.select = {{"text", "three"}};  // a field behind one
  EXPECT_THAT(contents(read({m_folder / "b.json"})), ElementsAre("three"));
}

TEST_F(Corpus, ZeroBytesAreNamedWithTheirLine) {
  EXPECT_THAT(complaint({put("a.txt", std::string_view("one\nx\0y", 7))}),
              testing::EndsWith("a.txt: line 2, column 2: expected UTF-8 text, found a zero byte"));
  // JSON can spell one: the text keeps it, with a warning; an id cannot be stored.
  EXPECT_THAT(contents(read({put("a.jsonl", "{\"text\": \"x\"}\n{\"text\": \"a\\u0000b\"}\n")})),
              ElementsAre("x", std::string("a\0b", 3)));
  EXPECT_THAT(m_progress.warnings,
              ElementsAre(HasSubstr("a.jsonl: line 2: the text holds 1 zero character")));
  EXPECT_THAT(complaint({put("b.jsonl", "{\"text\": \"x\", \"id\": \"a\\u0000b\"}\n")}),
              HasSubstr("line 1, field id: expected an id without zero characters"));
}

// What iconv makes of "Grüße, 2 Zeilen\n{}" and the like: each letter of Latin-1 is its code and a zero byte.
std::string utf16(std::string_view latin, bool bigEndian) {
  std::string bytes;
  for (const char letter : latin) bytes += bigEndian ? std::string{'\0', letter} : std::string{letter, '\0'};
  return bytes;
}

TEST_F(Corpus, OtherEncodingsAreRefusedByName) {
  const std::string text =
      "Gr\xfc\xdf"
      "e, 2 Zeilen\nund ein Wort";
  for (const bool big : {false, true}) {
    const std::string name = big ? "UTF-16 (big-endian)" : "UTF-16 (little-endian)";
    const std::string mark = big ? "\xFE\xFF" : "\xFF\xFE";
    EXPECT_THAT(complaint({put("a.txt", utf16(text, big))}),
                HasSubstr("a.txt: expected UTF-8 text, found " + name + " without a byte order mark"));
    EXPECT_THAT(complaint({put("a.txt", mark + utf16(text, big))}), HasSubstr("found " + name + ": convert"));
    for (const char* file : {"a.json", "a.jsonl"}) {
      EXPECT_THAT(complaint({put(file, utf16("[{\"text\": \"x\"}]", big))}), HasSubstr("found " + name));
      EXPECT_THAT(complaint({put(file, mark + utf16("[{\"text\": \"x\"}]", big))}),
                  HasSubstr("found " + name));
    }
  }
}

TEST_F(Corpus, RefusesRepeatedKeys) {
  const auto file = put("a.jsonl", "{\"text\": \"x\"}\n{\"text\": \"one\", \"text\": \"two\"}\n");
  EXPECT_THAT(complaint({file}),
              testing::EndsWith("a.jsonl: line 2: the JSON key \"text\" appears twice in one object"));
  m_options.select = {{"n", "1"}};
  EXPECT_THAT(complaint({file}), HasSubstr("line 2: the JSON key \"text\" appears twice"));
}

TEST_F(Corpus, FileNamesMayHoldAnyByte) {
  const auto texts =
      read({put("\xff\xfe caf\xe9.txt", "one"), put("a\nb\x1b.txt", "two"), put("\\xFF.txt", "three")});
  EXPECT_THAT(ids(texts), ElementsAre(R"(\xFF\xFE caf\xE9)", "a\nb\x1b", R"(\x5CxFF)"));
}

TEST_F(Corpus, BrokenUtf8IsRepairedWithAWarning) {
  const auto texts = read({put("a.txt", "x\xFFy\xE4\xB8z"), put("b.jsonl", "{\"text\": \"q\xC3\"}\n")});
  EXPECT_THAT(contents(texts), ElementsAre("x\uFFFDy\uFFFDz", "q\uFFFD"));
  ASSERT_EQ(m_progress.warnings.size(), 2u);
  EXPECT_THAT(m_progress.warnings[0], HasSubstr("a.txt: 2 invalid UTF-8 parts"));
  EXPECT_THAT(m_progress.warnings[1], HasSubstr("b.jsonl: line 1: 1 invalid UTF-8 part "));
}

TEST_F(Corpus, LinesAreRecordsWithTheirOwnIds) {
  const auto file = put("a.jsonl",
                        "{\"id\": 7, \"text\": \"one\"}\r\n\n{\"_id\": \"7\", \"context\": \"two\"}\n"
                        "{\"prompt\": \"three\"}\n{\"id\": -3, \"document\": \"four\"}");
  const auto texts = read({file});
  EXPECT_THAT(ids(texts), ElementsAre("#7", "7", "#2", "#-3"));
  EXPECT_THAT(contents(texts), ElementsAre("one", "two", "three", "four"));
}

TEST_F(Corpus, ArraysAreReadElementByElement) {
  const auto file =
      put("a.json", " [ {\"text\": \"a]},{\\\"b\"},\n{\"text\": \"two\", \"more\": [1, {\"x\": \"]\"}]} ]\n");
  EXPECT_THAT(contents(read({file})), ElementsAre("a]},{\"b", "two"));
  EXPECT_THAT(complaint({put("empty.json", "[]")}), HasSubstr("at least one text"));
}

TEST_F(Corpus, FieldsCanBeNamed) {
  m_options.textField = "body";
  m_options.idField = "key";
  const auto texts = read({put("a.jsonl", R"({"id": 1, "text": "no", "body": "yes", "key": "k"})")});
  EXPECT_THAT(ids(texts), ElementsAre("k"));
  EXPECT_THAT(contents(texts), ElementsAre("yes"));
}

TEST_F(Corpus, SelectionAndLimitKeepTheRunningIndex) {
  const auto file = put("a.jsonl",
                        "{\"text\": \"a\", \"language\": \"English\", \"n\": 1}\n{\"text\": \"b\", "
                        "\"language\": \"Chinese\", \"n\": 1}\n"
                        "{\"text\": \"c\", \"language\": \"English\", \"n\": 1}\n{\"text\": \"d\", "
                        "\"language\": \"English\", \"n\": 2}\n"
                        "{\"text\": \"e\", \"language\": \"English\", \"n\": 1}\n");
  m_options.select = {{"language", "English"}, {"n", "1"}};
  EXPECT_THAT(ids(read({file})), ElementsAre("#0", "#2", "#4"));
  m_options.maxExamples = 2;
  EXPECT_THAT(ids(read({file})), ElementsAre("#0", "#2"));
  m_options.select = {{"language", "German"}};
  EXPECT_THAT(complaint({file}), HasSubstr("at least one text with language = German"));
}

TEST_F(Corpus, SelectionOfPlainTextsIsAUsageError) {
  m_options.select = {{"language", "English"}};
  EXPECT_THROW(read({put("a.txt", "x")}), UsageError);
}

TEST_F(Corpus, TheLimitCountsOverAllFiles) {
  m_options.maxExamples = 2;
  EXPECT_EQ(read({put("a.txt", "x"), put("b.txt", "y"), put("c.txt", "z")}).size(), 2u);
  EXPECT_EQ(read({put("a.jsonl", "{\"text\": \"1\"}\n{\"text\": \"2\"}\nnot JSON, never read")}).size(), 2u);
}

TEST_F(Corpus, TheSameIdTwiceIsRefused) {
  std::filesystem::create_directory(m_folder / "sub");
  EXPECT_THAT(complaint({put("a.txt", "x"), put("sub/a.txt", "y")}), HasSubstr("\"a\" again"));
  EXPECT_THAT(complaint({put("a.jsonl", "{\"id\": 5, \"text\": \"a\"}\n{\"id\": 5, \"text\": \"b\"}\n")}),
              testing::AllOf(HasSubstr("a.jsonl: line 2"), HasSubstr("a.jsonl: line 1 has it too")));
}

TEST_F(Corpus, EmptyTextsAreLeftOutWithAWarning) {
  EXPECT_THAT(ids(read({put("a.jsonl", "{\"text\": \"\"}\n{\"text\": \"b\"}\n"), put("c.txt", "")})),
              ElementsAre("#1"));
  EXPECT_EQ(m_progress.warnings.size(), 2u);
}

// A record without a text, in every kind of file.
TEST_F(Corpus, RecordsWithoutATextAreLeftOutOrStop) {
  for (const char* bad :
       {R"({"text": null})", R"({"text": ""})", R"({"text": " \n\t "})", R"({"n": 1})", "{}"}) {
    const std::string text = bad, good = R"({"text": "b"})";
    for (const auto& file :
         {put("a.jsonl", text + "\n" + good + "\n"), put("a.json", "[" + text + ",\n" + good + "]")}) {
      m_options.strict = false;
      m_progress.warnings.clear();
      EXPECT_THAT(ids(read({file})), ElementsAre("#1")) << bad;
      ASSERT_EQ(m_progress.warnings.size(), 1u) << bad;
      EXPECT_THAT(m_progress.warnings[0],
                  testing::AllOf(HasSubstr(file.filename().string() + ": line 1: "), HasSubstr("left out")));
      m_options.strict = true;
      EXPECT_THAT(complaint({file}), HasSubstr("line 1: expected a text, found"));
    }
  }
  m_options.strict = false;
  m_options.textField = "body";
  EXPECT_THAT(contents(read({put("b.jsonl", "{\"body\": null}\n{\"body\": \"b\"}\n")})), ElementsAre("b"));
}

// What is no text is refused, whatever its name.
TEST_F(Corpus, NamesPointersAndErrorMessagesInPlaceOfTexts) {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9\n";
  for (const char* name : {"a.txt", "a.md", "a.jsonl", "a.json"})
    EXPECT_THAT(complaint({put(name, pointer)}), HasSubstr("git lfs pull")) << name;
  EXPECT_THAT(complaint({put("a.json", "<html>")}), HasSubstr("a web page"));
  EXPECT_THAT(contents(read({put("page.html", "<html>")})), ElementsAre("<html>"));
}

TEST_F(Corpus, LoneSurrogatesAreReplacedWithAWarning) {
  const auto file = put("a.jsonl", R"({"text": "\ud83d\ude00 \ud800 x \udc00\\ud800 \ud800\ud83d\ude00"})");
  EXPECT_THAT(contents(read({file})), ElementsAre("😀 \uFFFD x \uFFFD\\ud800 \uFFFD😀"));
  ASSERT_EQ(m_progress.warnings.size(), 1u);
  EXPECT_THAT(m_progress.warnings[0], HasSubstr("3 lone surrogate escapes"));
}

TEST_F(Corpus, ErrorsNameFileAndLine) {
  EXPECT_THAT(complaint({put("a.jsonl", "{\"text\": \"x\"}\n{\"text\": }\n")}),
              HasSubstr("a.jsonl: line 2, column 10: "));
  EXPECT_THAT(complaint({put("a.jsonl", "[1]\n")}),
              HasSubstr("line 1: expected a JSON object, found a JSON array"));
  EXPECT_THAT(
      complaint({put("a.jsonl", "{\"title\": \"x\", \"n\": 1}\n")}),
      HasSubstr("line 1: none of the fields text, context, content, document, prompt holds a text (the "
                "fields n, title); --text-field names another"));
  EXPECT_THAT(complaint({put("a.jsonl", "{\"text\": 5}\n")}),
              HasSubstr("line 1, field text: expected a text, found 5"));
  EXPECT_THAT(complaint({put("a.jsonl", "{\"text\": \"x\", \"id\": 1.5}\n")}),
              HasSubstr("a text or a whole number, found 1.5"));
  EXPECT_THAT(complaint({put("a.jsonl", "{\"text\": \"x\", \"id\": 18446744073709551615}\n")}),
              HasSubstr("field id"));
  EXPECT_THAT(complaint({put("a.json", "{\"text\": \"x\"}")}), HasSubstr("a JSON array of objects"));
  EXPECT_THAT(complaint({put("a.json", "[{\"text\": \"x\"},\n{\"text\": \"y")}), HasSubstr("a.json: line 2"));
  EXPECT_THAT(complaint({put("a.json", "[{\"text\": \"x\"}] x")}), HasSubstr("behind \"]\""));
  EXPECT_THAT(complaint({put("a.json", "[{\"text\": \"x\"},]")}), HasSubstr("line 1"));
  EXPECT_THAT(complaint({m_folder / "none.txt"}), HasSubstr("none.txt: cannot be opened"));
  EXPECT_THAT(complaint({m_folder.path()}), HasSubstr("found a folder"));
  EXPECT_THAT(complaint({put("a.docx", "x")}), HasSubstr("a .docx file"));
  EXPECT_THAT(complaint({put("a.bin", std::string("\x7F"
                                                  "ELF\0\xFF\xFE\xFD",
                                                  8))}),
              HasSubstr("binary data"));
}

TEST_F(Corpus, TemplatesJoinFields) {
  const auto file = put("a.jsonl", "{\"a\": \"x\\ny\", \"n\": 2.5, \"none\": null, \"list\": [1]}\n");
  const auto made = [&](const std::string& form) {
    m_options.form = form;
    return contents(read({file})).front();
  };
  EXPECT_EQ(made("{a}\\n\\t\\\\n{{{n}}} end"), "x\ny\n\t\\n{2.5} end");
  const auto refused = [&](const std::string& form) {
    m_options.form = form;
    return complaint({file});
  };
  EXPECT_THAT(refused("{a}{b}"), HasSubstr("a.jsonl: line 1: expected a text or number in the field b of "
                                           "--template, found the fields a, list, n, none"));
  EXPECT_THAT(refused("{none}"), HasSubstr("the field none of --template, found null"));
  EXPECT_THAT(refused("{list}"), HasSubstr("the field list of --template, found [1]"));
  for (const char* form : {"{a", "a}", "{}", "{a}}"}) {
    m_options.form = form;
    EXPECT_THROW(read({file}), UsageError) << form;
  }
  m_options.form = "{a}";
  m_options.textField = "a";
  EXPECT_THROW(read({file}), UsageError);
}

TEST_F(Corpus, OtherFieldsAreKeptWithinBounds) {
  std::string line = "{\"_id\": 4, \"text\": \"t\", \"at\": \"" + std::string(256, 'x') +
                     "\", \"beyond\": \"" + std::string(257, 'x') + "\", \"list\": [1], \"none\": null";
  for (int i = 10; i < 60; ++i) line += ", \"n" + std::to_string(i) + "\": " + std::to_string(i);
  const Json kept = Json::parse(read({put("a.jsonl", line + "}")}).front().fields);
  EXPECT_EQ(kept.size(), 32u);
  EXPECT_EQ(kept.at("at"), std::string(256, 'x'));
  EXPECT_EQ(kept.at("n40"), 40);  // "at" and 31 numbers
  for (const char* name : {"_id", "text", "beyond", "list", "none", "n41"})
    EXPECT_FALSE(kept.contains(name)) << name;
  EXPECT_EQ(read({put("b.jsonl", "{\"text\": \"t\"}")}).front().fields, "");
  EXPECT_EQ(readTokenFile(put("t.jsonl", "{\"tokens\": [1], \"kind\": true}")).front().fields,
            "{\"kind\":true}");
}

TEST_F(Corpus, MessagesComeFromTheirFieldOrATextAlone) {
  m_options.chat = true;
  const std::string list = "[{\"role\": \"user\", \"content\": \"Hi\"}]";
  const auto texts =
      read({put("a.jsonl", "{\"text\": \"t\", \"messages\": " + list + "}\n{\"conversations\": " + list +
                               "}\n{\"text\": \"alone\"}\n"),
            put("b.txt", "plain")});
  EXPECT_EQ(*texts.at(0).messages, Json::parse(list));
  EXPECT_EQ(*texts.at(1).messages, Json::parse(list));
  EXPECT_TRUE(texts.at(2).messages->is_null());
  EXPECT_EQ(texts.at(2).text + texts.at(3).text, "aloneplain");
}

TEST_F(Corpus, StoppingEndsTheReading) {
  struct Stopping : Progress {
    bool stopRequested() const override { return true; }
  } progress;
  m_options.files = {put("a.txt", "x")};
  EXPECT_THROW(readCorpus(m_options, progress), Stopped);
}

TEST_F(Corpus, TokenFilesGiveTheirIdsUnchanged) {
  const auto file = put(
      "t.jsonl", "{\"id\": 3, \"tokens\": [1, 2, 3]}\n{\"id\": \"x\", \"tokens\": [0]}\n{\"tokens\": [9]}\n");
  const auto texts = readTokenFile(file);
  EXPECT_THAT(ids(texts), ElementsAre("#3", "x", "#2"));
  EXPECT_THAT(texts[0].tokens, ElementsAre(1, 2, 3));
  EXPECT_TRUE(texts[0].text.empty());
  EXPECT_EQ(readTokenFile(file, 1).size(), 1u);
  EXPECT_EQ(readTokenFile(file, 0).size(), 0u);
}

TEST_F(Corpus, TokenFileErrorsNameTheLine) {
  const auto tokenComplaint = [&](std::string_view content) {
    return test::inputErrorOf([&] { readTokenFile(put("t.jsonl", content)); });
  };
  EXPECT_THAT(tokenComplaint("{\"id\": 1}\n"), HasSubstr("line 1: expected \"tokens\""));
  EXPECT_THAT(tokenComplaint("{\"id\": 1, \"tokens\": []}\n"), HasSubstr("at least one token id"));
  EXPECT_THAT(tokenComplaint("{\"id\": 1, \"tokens\": [1, -1]}\n"),
              HasSubstr("line 1.tokens[1]: expected a token id, found -1"));
  EXPECT_THAT(tokenComplaint("{\"id\": 1, \"tokens\": [1.5]}\n"), HasSubstr("a token id"));
  EXPECT_THAT(tokenComplaint("{\"id\": 1, \"tokens\": [4000000]}\n"), HasSubstr("found 4000000"));
  EXPECT_THAT(tokenComplaint("{\"id\": 1, \"tokens\": {\"a\": 1}}\n"), HasSubstr("expected a list"));
  EXPECT_THAT(tokenComplaint("{\"id\": 1, \"tokens\": [1]}\n{\"id\": 1, \"tokens\": [2]}\n"),
              HasSubstr("\"1\" again"));
  EXPECT_THAT(tokenComplaint(""), HasSubstr("at least one line"));
  EXPECT_THAT(test::inputErrorOf([&] { readTokenFile(put("t.txt", "x")); }), HasSubstr(".jsonl"));
}

}  // namespace
}  // namespace plastiscope
