// Untrusted paths and text in JSON, messages and tables, and back.
#include <gtest/gtest.h>

#include <cerrno>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"

namespace plastiscope {
namespace {

using namespace std::string_literals;

TEST(PathText, BytesThatAreNotUtf8AreEscapedAndNothingElse) {
  EXPECT_EQ(pathText("\xff\xfe caf\xe9.h5"), R"(\xFF\xFE caf\xE9.h5)");
  EXPECT_EQ(pathText("\xbf"), R"(\xBF)");                                  // a lone continuation byte
  EXPECT_EQ(pathText("\xe4\xb8"), R"(\xE4\xB8)");                          // a character cut off
  EXPECT_EQ(pathText("\xed\xa0\x80\xc0\xaf"), R"(\xED\xA0\x80\xC0\xAF)");  // a surrogate, an overlong "/"
  for (const char* same : {"caf\xc3\xa9.h5", "a\nb\x1b[31m", "say \"x\" 'y'", "C:\\x", "a\\b\\\\c", "\\x41",
                           "\\xff", "\\xF", "\\x", "\\"}) {
    EXPECT_EQ(pathText(same), same);
  }
  // Real names that look like the escape.
  EXPECT_EQ(pathText(R"(\xFF.h5)"), R"(\x5CxFF.h5)");
  EXPECT_EQ(pathText(R"(\x5CxFF.h5)"), R"(\x5Cx5CxFF.h5)");
}

TEST(PathText, EveryNameRoundTrips) {
  for (int a = 1; a < 256; ++a) {
    for (const char b : "\1x5CF\\\x80\xBF\xC3\xED\xF4\xFF"s) {
      for (const char* tail : {"", "xFF", "xC3\xC3", "x5C", "xF\\xFF", "FF"}) {
        const std::string name = {static_cast<char>(a), b};
        for (const std::string& each : {name + tail, "\\" + name + tail, "\\x" + name + tail}) {
          const std::string text = textOfBytes(each);
          EXPECT_EQ(bytesOfText(text), each);
          // JSON keeps the name: the writer would throw at invalid UTF-8.
          EXPECT_EQ(bytesOfText(Json::parse(Json(text).dump()).get<std::string>()), each);
        }
      }
    }
  }
  EXPECT_EQ(pathOfText(R"(\xFF\xFE caf\xE9.h5)"), std::filesystem::path("\xff\xfe caf\xe9.h5"));
}

TEST(IndentedJson, WritesTheRestAfterAnInvalidByte) {
  EXPECT_EQ(indentedJson({{"a", "caf\xe9"}, {"b", 1}}, 1), "{\n \"a\": \"caf\uFFFD\",\n \"b\": 1\n}");
}

TEST(Sanitized, ControlAndDirectionMarksAreEscaped) {
  EXPECT_EQ(sanitized("\x1b[31mred\x07\r\nline\t\x7f"), R"(\x1B[31mred\x07\x0D\x0Aline\x09\x7F)");
  EXPECT_EQ(sanitized("caf\xe9 \xff"), R"(caf\xE9 \xFF)");
  EXPECT_EQ(sanitized("a\u009b31mb\u202e\u2066\u2028"), R"(a\u009B31mb\u202E\u2066\u2028)");
  EXPECT_EQ(sanitized("Qwen3 模型 é 😀 \\n"), "Qwen3 模型 é 😀 \\n");
}

TEST(Sanitized, LongTextsAreCutInTheMiddle) {
  EXPECT_EQ(sanitized("0123456789abcdef", 9), "012345 ... (7 bytes left out) ... def");
  EXPECT_EQ(sanitized("aéé", 2), "a ... (4 bytes left out) ... ");  // whole characters only
  EXPECT_LT(sanitized(std::string(200'000, '\x1b')).size(), 600u);
  EXPECT_NE(sanitized(std::string(200'000, 'x')).find("199,880 bytes left out"), std::string::npos);
}

TEST(CsvFields, FormulasGetAnApostropheAndReadBack) {
  for (const char* formula : {"=cmd|' /C calc'!A0", "+SUM(A1)", "-2+3", "@x", "\tx", "-", "'=x", "''+1+1"}) {
    const std::string field = csvField(formula);
    EXPECT_EQ(field.substr(field[0] == '"' ? 1 : 0, 1), "'") << formula;
    EXPECT_EQ(withoutFormulaMark(field), formula);
  }
  EXPECT_EQ(csvField("\rx"), "\"'\rx\"");
  for (const char* same : {"", "-17", "-1.5e3", "+5", "'quoted'", "a=b", "don't", "L0H3"}) {
    EXPECT_EQ(csvField(same), same);
    EXPECT_EQ(withoutFormulaMark(same), same);
  }
}

TEST(CutShort, NamesBothSizes) {
  EXPECT_EQ(cutShort(12, 5008), "the file is cut short: it ends after 12 of at least 5,008 bytes");
}

Failure failureOf(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    return caughtFailure();
  }
  return {};
}

TEST(Failures, HaveOurOwnMessages) {
  const Failure own = failureOf([] { throw InputError({"caf\xe9.h5", "tensor \x1b[2J", "four", "five"}); });
  EXPECT_EQ(own.kind, ErrorKind::Input);
  EXPECT_EQ(own.sentence, R"(caf\xE9.h5: tensor \x1B[2J: expected four, found five)");
  const Failure json = failureOf([] { (void)Json(1).at("x"); });
  EXPECT_EQ(json.sentence.find("json.exception"), std::string::npos);
  EXPECT_NE(json.detail.find("json.exception"), std::string::npos);
  const Failure file = failureOf([] { (void)std::filesystem::file_size("/no/such\xff"); });
  EXPECT_EQ(file.kind, ErrorKind::Input);
  EXPECT_EQ(file.sentence, R"(/no/such\xFF: cannot be used: No such file or directory)");
  const Failure nested = failureOf([] {
    try {
      throw std::runtime_error("library \x1b words");
    } catch (...) {
      std::throw_with_nested(InputError({"a.parquet", "", "", "the file is damaged"}));
    }
  });
  EXPECT_EQ(nested.sentence, "a.parquet: the file is damaged");
  EXPECT_EQ(nested.detail, R"(library \x1B words)");
  const Failure memory = failureOf([] { throw std::bad_alloc(); });
  EXPECT_EQ(memory.kind, ErrorKind::Resources);
  EXPECT_EQ(memory.sentence, "not enough memory; finished work is kept");
  const Failure other = failureOf([] { throw std::runtime_error("library \x1b words"); });
  EXPECT_EQ(other.kind, ErrorKind::Internal);
  EXPECT_EQ(other.sentence, "internal failure, please report it");
  EXPECT_EQ(other.detail, R"(library \x1B words)");
  EXPECT_EQ(failureOf([] { throw 7; }).sentence, other.sentence);
}

// The same kinds as for errors of our own file functions.
TEST(Failures, AFullDiskIsAResourceError) {
  const std::map<int, std::string> words = {{ENOSPC, "the disk is full"},
                                            {EDQUOT, "the quota on this disk is used up"},
                                            {EFBIG, "it would exceed the largest file size allowed here"}};
  for (const auto& [error, expected] : words) {
    const Failure failure = failureOf([error] {
      throw std::filesystem::filesystem_error("copy", "/some/where", {error, std::generic_category()});
    });
    EXPECT_EQ(failure.kind, ErrorKind::Resources) << error;
    EXPECT_EQ(failure.sentence, "/some/where: " + expected);
  }
}

}  // namespace
}  // namespace plastiscope
