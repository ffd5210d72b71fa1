// The texts of the capture dialog as records of a benchmark file, and the advanced settings.
#include <gtest/gtest.h>

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTextEdit>
#include <fstream>

#include "core/base/json.h"
#include "gui/capture_dialog_fixture.h"
#include "widgets/capture/record_list.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;
using Pairs = std::vector<std::pair<std::string, std::string>>;

// Records in the format of LongBench-Pro (huggingface.co/datasets/caskcsg/LongBench-Pro).
std::string longBenchPro() {
  const auto record = [](const std::string& id, const std::string& language, const std::string& length,
                         const std::string& task) {
    return Json({{"id", id},
                 {"context", "a text of " + id},
                 {"language", language},
                 {"token_length", length},
                 {"primary_task", task},
                 {"secondary_task", task + ".1"},
                 {"contextual_requirement", "Full"},
                 {"question_nonthinking", "Why?"},
                 {"question_thinking", "Why?"},
                 {"answer", {"a", "b"}},
                 {"difficulty", "Easy"}})
        .dump();
  };
  return "[" + record("p1", "English", "8k", "T1") + "," + record("p2", "Chinese", "16k", "T1") + "," +
         record("p3", "English", "128k", "T2") + "," + record("p4", "English", "8k", "T2") + "," +
         record("p5", "Chinese", "128k", "T2") + "," + record("p6", "English", "16k", "T1") + "]";
}

class CaptureTexts : public test::CaptureDialogFixture {
 protected:
  CaptureTexts() {
    std::ofstream(folder / "longbench_pro.json") << longBenchPro();
    model = provideModel();
    showRecords();
  }
  QString summary() { return find<QLabel>("captureSummary")->text(); }
  void open(const fs::path& file) {
    dialog->addTexts({file});
    ASSERT_TRUE(waitFor([this] { return table().rowCount() > 0; }));
  }

  fs::path model;
};

TEST_F(CaptureTexts, RecordsAreFilteredAndBecomeSelectOptions) {
  open(folder / "longbench_pro.json");
  auto* filters = find<QTreeWidget>("recordFilters");
  QStringList titles;
  for (int f = 0; f < filters->topLevelItemCount(); ++f) titles << filters->topLevelItem(f)->text(0);
  ASSERT_EQ(titles.join(QLatin1Char(' ')).toStdString(), "Language Length Task Subtask")
      << "a value that all records share is no filter";
  EXPECT_EQ(filter(1, 0)->text(0), QStringLiteral("8k")) << "by number, not by letter";
  EXPECT_EQ(filter(1, 2)->text(0), QStringLiteral("128k"));
  EXPECT_EQ(filter(1, 0)->text(1), QStringLiteral("2"));
  EXPECT_EQ(table().rowCount(), 6);
  EXPECT_TRUE(dialog->draft().corpus.select.empty());

  filter(0, 1)->setCheckState(0, Qt::Checked);  // English
  filter(1, 0)->setCheckState(0, Qt::Checked);  // 8k
  filter(1, 1)->setCheckState(0, Qt::Checked);  // 16k
  EXPECT_EQ(table().rowCount(), 3);
  EXPECT_EQ(filter(1, 2)->text(1), QStringLiteral("1")) << "English ones of 128k";
  EXPECT_EQ(filter(2, 0)->text(1), QStringLiteral("2"));
  EXPECT_EQ(dialog->draft().corpus.select,
            (Pairs{{"language", "English"}, {"token_length", "8k"}, {"token_length", "16k"}}));
  const QString command = find<QPlainTextEdit>("commandLine")->toPlainText();
  EXPECT_TRUE(command.contains(QStringLiteral("--select token_length=16k"))) << command.toStdString();
}

TEST_F(CaptureTexts, ARecordLeftOutMakesAListOfIds) {
  open(folder / "longbench_pro.json");
  filter(0, 1)->setCheckState(0, Qt::Checked);
  table().setData(table().index(1, 0), Qt::Unchecked, Qt::CheckStateRole);  // p3
  EXPECT_EQ(dialog->draft().corpus.select, (Pairs{{"id", "p1"}, {"id", "p4"}, {"id", "p6"}}));
  filter(2, 0)->setCheckState(0, Qt::Checked);  // T1, of which none is left out
  EXPECT_EQ(dialog->draft().corpus.select, (Pairs{{"language", "English"}, {"primary_task", "T1"}}));
}

TEST_F(CaptureTexts, TokensOfTheChosenRecordsAreCounted) {
  dialog->chooseModel(model);
  open(folder / "longbench_pro.json");
  ASSERT_TRUE(waitFor([this] {
    return summary().startsWith(QStringLiteral("6 texts")) && !summary().contains(QStringLiteral("counting"));
  })) << summary().toStdString();
  EXPECT_TRUE(find<QPushButton>("captureStart")->isEnabled());
  ASSERT_TRUE(waitFor([this] { return !find<QTextEdit>("tokenPreview")->toPlainText().isEmpty(); }));
  EXPECT_EQ(find<QTextEdit>("tokenPreview")->toPlainText(), QStringLiteral("a text of p1"));
  filter(0, 0)->setCheckState(0, Qt::Checked);
  ASSERT_TRUE(waitFor([this] { return summary().startsWith(QStringLiteral("2 texts")); }));
  find<QTableView>("recordTable")->selectRow(1);
  EXPECT_TRUE(waitFor(
      [this] { return find<QTextEdit>("tokenPreview")->toPlainText() == QStringLiteral("a text of p5"); }));
}

TEST_F(CaptureTexts, ReadsAFolderOfLinesAndReportsABrokenFile) {
  fs::create_directories(folder / "data/test");
  std::ofstream(folder / "data/README.md") << "no records";
  std::ofstream lines(folder / "data/test/part.jsonl");
  for (int i = 0; i < 8; ++i)
    lines << Json({{"text", "words " + std::to_string(i)}, {"split_name", i < 4 ? "a" : "b"}}).dump() << "\n";
  lines.close();
  open(folder / "data");
  EXPECT_EQ(find<QTreeWidget>("recordFilters")->topLevelItem(0)->text(0), QStringLiteral("Split name"));
  EXPECT_FALSE(table().flags(table().index(0, 0)) & Qt::ItemIsUserCheckable) << "they have no ids";
  filter(0, 1)->setCheckState(0, Qt::Checked);
  EXPECT_EQ(dialog->draft().corpus.files, std::vector<fs::path>{folder / "data/test/part.jsonl"});
  EXPECT_EQ(dialog->draft().corpus.select, (Pairs{{"split_name", "b"}}));

  std::ofstream(folder / "broken.jsonl") << "{\"text\": \"a\"}\n{\"text\": }\n";
  dialog->addTexts({folder / "broken.jsonl"});
  ASSERT_TRUE(
      waitFor([this] { return find<QLabel>("recordsHint")->text().contains(QStringLiteral("line 2")); }));
  EXPECT_EQ(table().rowCount(), 0);
}

// Fields whose values differ from record to record, such as ids, texts and numbers, are no filters.
TEST(RecordFields, OnlyFieldsWithFewValuesFilter) {
  std::vector<std::map<std::string, std::string>> records;
  for (int i = 0; i < 200; ++i)
    records.push_back({{"id", std::to_string(i)},
                       {"length", std::to_string(1000 + i)},
                       {"kind", i % 2 == 0 ? "even" : "odd"},
                       {"difficulty", i % 3 == 0 ? "hard" : "easy"},
                       {"same", "x"}});
  const auto fields = filterFields(records);
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].name, "difficulty") << "known fields first";
  EXPECT_EQ(fields[1].title, QStringLiteral("Kind"));
}

TEST_F(CaptureTexts, AdvancedSettingsReachTheCommandLine) {
  dialog->chooseModel(model);
  open(folder / "longbench_pro.json");
  const auto hint = [this] { return find<QLabel>("captureHint")->text(); };
  ASSERT_TRUE(waitFor([this] { return find<QPushButton>("captureStart")->isEnabled(); }));
  find<QLineEdit>("captureAblate")->setText(QStringLiteral("L0H99"));
  EXPECT_FALSE(find<QPushButton>("captureStart")->isEnabled());
  EXPECT_TRUE(hint().startsWith(QStringLiteral("Ablate"))) << hint().toStdString();
  find<QLineEdit>("captureAblate")->setText(QStringLiteral("L0H1-2"));
  find<QLineEdit>("captureClampBias")->setText(QStringLiteral("L0H3"));
  EXPECT_TRUE(hint().contains(QStringLiteral("analysis"))) << hint().toStdString();
  find<QLineEdit>("captureClampFrom")->setText(QStringLiteral("/a/x.analysis.h5"));
  find<QLineEdit>("captureRopeOverride")->setText(QStringLiteral("{\"factor\": "));
  EXPECT_FALSE(find<QPushButton>("captureStart")->isEnabled());
  find<QLineEdit>("captureRopeOverride")->setText(QStringLiteral("{\"rope_type\":\"yarn\",\"factor\":4}"));
  find<QSpinBox>("captureHeadSeed")->setValue(7);
  find<QSpinBox>("captureSampleSeed")->setValue(0);
  find<QSpinBox>("captureMemoryLimit")->setValue(2048);
  find<QSpinBox>("captureMaxExamples")->setValue(3);
  ASSERT_TRUE(waitFor([this] { return summary().startsWith(QStringLiteral("3 texts")); }))
      << summary().toStdString();
  EXPECT_TRUE(find<QPushButton>("captureStart")->isEnabled()) << hint().toStdString();
  const QString command = find<QPlainTextEdit>("commandLine")->toPlainText();
  for (const char* part : {"--ablate L0H1-2", "--clamp-bias L0H3", "--clamp-from /a/x.analysis.h5",
                           "--rope-override '{\"factor\":4,\"rope_type\":\"yarn\"}'", "--head-seed 7",
                           "--sample-seed 0", "--memory-limit 2048MiB", "--max-examples 3"})
    EXPECT_TRUE(command.contains(QString::fromLatin1(part))) << part << "\n" << command.toStdString();
  // An unfinished capture keeps its settings for a restart.
  const CaptureRequest draft = dialog->draft();
  EXPECT_EQ(captureArguments(CaptureRequest::fromJson(draft.toJson())), captureArguments(draft));
}

TEST_F(CaptureTexts, FitsASmallScreen) {
  dialog->resize(1264, 680);
  test::settleEvents();
  EXPECT_LE(dialog->height(), 680) << "no control needs more height";
  EXPECT_LE(dialog->width(), 1264);
}

}  // namespace
}  // namespace plastiscope
