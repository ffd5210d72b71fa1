// Rows of tables as records, and compressed texts. Files are made by tests/data/qk_sniffer/make_qk_sniffer.py
// and tests/data/text/tables/make_tables.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/parquet/qk_table.h"
#include "core/parquet/table_rows.h"
#include "core/text/corpus.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

const fs::path kTexts = fs::path(PLASTISCOPE_TEST_DATA) / "qk_sniffer" / "texts.parquet";

class TableRows : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!parquetAvailable()) GTEST_SKIP() << "a build without Arrow";
  }
  static std::vector<Json> rowsOf(const fs::path& file, TableKind kind = TableKind::Parquet) {
    std::vector<Json> rows;
    readTableRows(file, kind, [&](std::int64_t row, Json record) {
      EXPECT_EQ(row, static_cast<std::int64_t>(rows.size()));
      rows.push_back(std::move(record));
      return true;
    });
    return rows;
  }
};

TEST_F(TableRows, GivesColumnsAsRecords) {
  const std::vector<Json> rows = rowsOf(kTexts);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0],
            Json({{"id", 10},
                  {"text", "one"},
                  {"score", 0.5},
                  {"good", true},
                  {"small", 1},
                  {"large", 1},
                  {"tags", Json::array({"a"})}}));
  EXPECT_EQ(rows[1].at("text"), "zwei \u00e4\u6f22");
  EXPECT_EQ(rows[1].at("id"), -3);
  EXPECT_EQ(rows[1].at("large"), 18446744073709551615ULL);
  EXPECT_EQ(rows[2].at("id"), std::int64_t{1} << 40);
  EXPECT_TRUE(rows[2].at("text").is_null());
  EXPECT_EQ(rows[3].at("text").get<std::string>().size(), 1500u);
  EXPECT_EQ(rows[3].at("small"), 250);
}

TEST_F(TableRows, ReadingStops) {
  int taken = 0;
  readTableRows(kTexts, TableKind::Parquet, [&](std::int64_t, const Json&) { return ++taken < 2; });
  EXPECT_EQ(taken, 2);
}

TEST_F(TableRows, AreTextsOfACorpus) {
  const TemporaryFolder folder;
  const std::string line = Json({{"text", "after"}, {"good", false}}).dump() + "\n";
  writeFileAtomically(folder / "after.jsonl", line);
  CorpusOptions options;
  options.files = {kTexts, folder / "after.jsonl"};
  options.select = {{"good", "false"}};
  Progress progress;
  const std::vector<CorpusText> texts = readCorpus(options, progress);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[0].id, "-3");
  EXPECT_TRUE(texts[0].numericId);
  EXPECT_EQ(texts[0].text, "zwei \u00e4\u6f22");
  EXPECT_EQ(texts[1].id, "4");  // the table's four rows come before
  options.select.clear();
  options.strict = true;
  EXPECT_THAT(test::failureOf<InputError>([&] { readCorpus(options, progress); }), HasSubstr("row 2"));
}

TEST_F(TableRows, NamesTheProblem) {
  const TemporaryFolder folder;
  const std::string good = readFile(kTexts);
  writeFileAtomically(folder / "cut.parquet", good.substr(0, good.size() / 2));
  EXPECT_THROW(rowsOf(folder / "cut.parquet"), InputError);
  EXPECT_THROW(rowsOf(folder / "none.parquet"), InputError);
  EXPECT_THROW(rowsOf(folder.path()), InputError);
  EXPECT_THAT(test::failureOf<InputError>([&] { rowsOf(kTexts, TableKind::Arrow); }),
              HasSubstr("texts.parquet"));
}

const fs::path kTables = fs::path(PLASTISCOPE_TEST_DATA) / "text" / "tables";

TEST_F(TableRows, EveryFormatHoldsTheSameRecords) {
  const Json records = readJsonFile(kTables / "records.json");
  const auto same = [&](const char* name, TableKind kind) {
    EXPECT_EQ(Json(rowsOf(kTables / name, kind)), records) << name;
  };
  same("plain.parquet", TableKind::Parquet);
  same("stream.arrow", TableKind::Arrow);
  same("file.arrow", TableKind::Arrow);
  same("quoted.csv", TableKind::Csv);
  EXPECT_EQ(Json(rowsOf(kTables / "chats.parquet")), readJsonFile(kTables / "chats.json"));
}

TEST_F(TableRows, EveryFormatGivesTheSameTexts) {
  const Json records = readJsonFile(kTables / "records.json");
  for (const char* name : {"plain.parquet", "stream.arrow", "file.arrow", "quoted.csv", "lines.jsonl.gz",
                           "lines.jsonl.zst", "saved", "records.json"}) {
    CorpusOptions options;
    options.files = {kTables / name};
    options.form = "{context}\\n{{{question}}}";
    options.select = {{"good", "true"}};
    Progress progress;
    const std::vector<CorpusText> texts = readCorpus(options, progress);
    ASSERT_EQ(texts.size(), 2u) << name;
    for (const std::size_t i : {0, 1}) {
      const Json& record = records[2 * i];
      EXPECT_EQ(texts[i].id, record["id"]) << name;
      EXPECT_EQ(texts[i].text,
                record["context"].get<std::string>() + "\n{" + record["question"].get<std::string>() + "}")
          << name;
      Json kept = record;
      kept.erase("id");
      if (i == 1) kept.erase("context");  // 3,000 bytes
      EXPECT_EQ(Json::parse(texts[i].fields), kept) << name;
    }
  }
}

TEST_F(TableRows, DamagedFilesAreNamed) {
  const TemporaryFolder folder;
  Progress progress;
  CorpusOptions options;
  options.textField = "context";
  for (const char* name : {"stream.arrow", "file.arrow", "lines.jsonl.gz", "lines.jsonl.zst"}) {
    const std::string bytes = readFile(kTables / name);
    options.files = {folder / name};
    writeFileAtomically(folder / name, bytes.substr(0, bytes.size() - 20));
    EXPECT_THAT(test::failureOf<InputError>([&] { readCorpus(options, progress); }), HasSubstr(name));
    writeFileAtomically(folder / name, "no such data");
    EXPECT_THAT(test::failureOf<InputError>([&] { readCorpus(options, progress); }), HasSubstr(name));
  }
  writeFileAtomically(folder / "a.csv", "id,context\n1,one\n2\n");
  options.files = {folder / "a.csv"};
  EXPECT_THAT(test::failureOf<InputError>([&] { readCorpus(options, progress); }),
              HasSubstr("a.csv: CSV parse error: Row #3: Expected 2 columns, got 1"));
}

// The number of values of the vectors, as the footer states it, becomes the largest that there is.
TEST_F(TableRows, AnImpossibleNumberOfValuesIsRefused) {
  const std::vector<std::int32_t> numbers = {0, 1, 2};
  const std::vector<float> vectors(15, 1.0f);
  std::string bytes = encodeQkTable({numbers, numbers, numbers, vectors, 5, {}});
  const std::string stated("\x16\x1e\x16", 3), largest = "\x16\xfe" + std::string(8, '\xff') + "\x01\x16";
  const std::size_t place = bytes.rfind(stated);
  ASSERT_NE(place, std::string::npos);
  bytes.replace(place, stated.size(), largest);
  std::uint32_t footer = 0;
  char* const length = bytes.data() + bytes.size() - 8;
  std::memcpy(&footer, length, sizeof footer);
  footer += static_cast<std::uint32_t>(largest.size() - stated.size());
  std::memcpy(length, &footer, sizeof footer);
  const TemporaryFolder folder;
  const fs::path file = folder / "data.parquet";
  writeFileAtomically(file, bytes);
  const std::int64_t headDim = readQkIndex(file).headDim;
  EXPECT_GT(headDim, std::int64_t{1} << 60);
  EXPECT_THROW(readQkVectors(file, headDim, [](std::span<const float>) {}), InputError);
}

}  // namespace
}  // namespace plastiscope::test
