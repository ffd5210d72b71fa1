// Large corpora: found record by record without being held in memory, and the shapes of the LongBench files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/text/corpus.h"
#include "core/text/corpus_index.h"
#include "core/text/record_scan.h"
#include "tests/support/temporary_folder.h"
#include "tests/weights/file_builders.h"

namespace plastiscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// As LongBench-Pro has them; the contexts are what makes the file large.
std::string longBenchPro() {
  const auto record = [](const std::string& id, const std::string& language, const std::string& length,
                         const std::string& task, std::size_t bytes) {
    return "  {\"id\": \"" + id + "\", \"context\": \"" + std::string(bytes, 'x') + " \\\"]},{[ end " + id +
           "\", \"language\": \"" + language + "\", \"token_length\": \"" + length +
           "\", \"primary_task\": \"" + task + "\", \"secondary_task\": \"" + task +
           ".1\", \"contextual_requirement\": \"Full\", \"question_nonthinking\": \"?\", "
           "\"question_thinking\": \"?\", \"answer\": [\"a\", {\"b\": 1}], \"difficulty\": \"Easy\"}";
  };
  return "[\n" + record("p1", "English", "8k", "T1", 3'000'000) + ",\n" +
         record("p2", "Chinese", "8k", "T1", 10) + ",\n" + record("p3", "English", "128k", "T2", 1'500'000) +
         ",\n" + record("p4", "English", "8k", "T2", 5) + "\n]\n";
}

class LargeCorpus : public testing::Test {
 protected:
  std::vector<std::string> selected(const std::vector<std::pair<std::string, std::string>>& select) {
    CorpusOptions options;
    options.files = {m_file};
    options.select = select;
    std::vector<std::string> ids;
    for (const CorpusText& text : readCorpus(options, m_progress)) {
      EXPECT_TRUE(text.text.ends_with(" \"]},{[ end " + text.id));
      ids.push_back(text.id);
    }
    return ids;
  }

  test::TemporaryFolder m_folder;
  Progress m_progress;
  std::filesystem::path m_file = test::put(m_folder / "longbench_pro.json", longBenchPro());
};

TEST_F(LargeCorpus, SelectsRecordsByTheirFields) {
  EXPECT_THAT(selected({}), ElementsAre("p1", "p2", "p3", "p4"));
  EXPECT_THAT(selected({{"language", "English"}}), ElementsAre("p1", "p3", "p4"));
  EXPECT_THAT(selected({{"language", "English"}, {"token_length", "8k"}}), ElementsAre("p1", "p4"));
  EXPECT_THAT(selected({{"primary_task", "T2"}, {"secondary_task", "T2.1"}, {"difficulty", "Easy"}}),
              ElementsAre("p3", "p4"));
}

TEST_F(LargeCorpus, OneKeyMayHaveSeveralValues) {
  EXPECT_THAT(selected({{"token_length", "128k"}, {"language", "English"}, {"language", "Chinese"}}),
              ElementsAre("p3"));
  EXPECT_THAT(selected({{"id", "p2"}, {"id", "p4"}}), ElementsAre("p2", "p4"));
}

TEST_F(LargeCorpus, ShortFieldsOfEveryRecord) {
  const std::vector<ShortFields> records = readShortFields(m_file, m_progress);
  ASSERT_EQ(records.size(), 4u);
  std::map<std::string, int> languages, lengths;
  for (const ShortFields& fields : records) {
    ++languages[fields.at("language")];
    ++lengths[fields.at("token_length")];
  }
  EXPECT_THAT(languages, ElementsAre(Pair("Chinese", 1), Pair("English", 3)));
  EXPECT_THAT(lengths, ElementsAre(Pair("128k", 1), Pair("8k", 3)));
  EXPECT_EQ(records[1].at("id"), "p2");
  EXPECT_FALSE(records[0].contains("context"));
  EXPECT_FALSE(records[1].contains("answer"));
}

TEST_F(LargeCorpus, NamesRecordsThatAreNotObjects) {
  const auto file = test::put(m_folder / "bad.json", "[{\"a\": 1},\n 5]");
  EXPECT_THAT(test::inputErrorOf([&] { readShortFields(file, m_progress); }),
              HasSubstr("line 2: expected a JSON object, found a JSON number"));
  const auto broken = test::put(m_folder / "bad.jsonl", "{\"a\": 1}\n{\"a\": }\n");
  EXPECT_THAT(test::inputErrorOf([&] { readShortFields(broken, m_progress); }),
              HasSubstr("bad.jsonl: line 2, column 7: "));
}

// Version 1: a line a record; version 2: an array. Neither has a field called "id".
TEST_F(LargeCorpus, OtherLongBenchFilesGiveTheirContexts) {
  CorpusOptions options;
  options.files = {
      test::put(m_folder / "qasper.jsonl",
                "{\"input\": \"q\", \"context\": \"one\", \"answers\": [\"a\"], \"length\": 10, \"dataset\": "
                "\"qasper\", \"language\": \"en\", \"all_classes\": null, \"_id\": \"abc\"}\n"),
      test::put(
          m_folder / "data.json",
          "[{\"_id\": \"66f\", \"domain\": \"Law\", \"sub_domain\": \"x\", \"difficulty\": \"hard\", "
          "\"length\": \"short\", \"question\": \"?\", \"choice_A\": \"a\", \"answer\": \"A\", \"context\": "
          "\"two\"}]")};
  const auto texts = readCorpus(options, m_progress);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[0].id + texts[0].text, "abcone");
  EXPECT_EQ(texts[1].id + texts[1].text, "66ftwo");
}

// Everything that a scanner may meet at the edge of a block.
TEST(RecordScanners, BlocksMayEndAnywhere) {
  const test::TemporaryFolder folder;
  for (std::size_t shift = 0; shift < 40; ++shift) {
    const std::string filler((std::size_t{1} << 20) - 30 + shift, 'y');
    const std::string first = "{\"t\":\"" + filler + "\"}";
    const std::string second = "{\"t\":\"\\\\\\\"}]\\\\\", \"n\" : [ 1 , {} ]}";
    for (const bool array : {true, false}) {
      const std::string content =
          array ? "[" + first + "\r\n ,\n" + second + "]\n" : first + "\r\n\n" + second;
      const auto file = test::put(folder / (array ? "a.json" : "a.jsonl"), content);
      std::unique_ptr<RecordScanner> scanner;
      if (array) {
        scanner = std::make_unique<JsonArrayScanner>(file);
      } else {
        scanner = std::make_unique<JsonLineScanner>(file);
      }
      EXPECT_EQ(Json::parse(scanner->next()->bytes).at("t"), filler);
      const auto last = scanner->next();
      EXPECT_EQ(Json::parse(last->bytes), Json::parse(second));
      EXPECT_EQ(last->offset, content.find(second));
      EXPECT_EQ(last->line, 3);
      EXPECT_FALSE(scanner->next());
    }
  }
}

}  // namespace
}  // namespace plastiscope
