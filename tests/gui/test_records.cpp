// Records of a Parquet file, and of a data set that is in the Hugging Face cache already.
#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTextDocument>
#include <QTextEdit>
#include <fstream>

#include "core/base/error.h"
#include "core/parquet/qk_table.h"
#include "gui/capture_dialog_fixture.h"
#include "widgets/capture/record_list.h"
#include "widgets/models/head_table_model.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;
using Pairs = std::vector<std::pair<std::string, std::string>>;

const fs::path kParquet = fs::path(PLASTISCOPE_TEST_DATA) / "text/records/records.parquet";

class RecordsTest : public test::CaptureDialogFixture {
 protected:
  RecordsTest() {
    for (const char* name : {"HOME", "XDG_CACHE_HOME"}) qputenv(name, folder.path().c_str());
    for (const char* name : {"HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_DATASETS_CACHE"})
      qunsetenv(name);
  }
  void chooseModel() { dialog->chooseModel(provideModel()); }
  void requireParquet() {
    if (!parquetAvailable()) GTEST_SKIP() << "a build without Arrow";
  }
};

// The counts are those that tests/data/text/records/make_records.py prints.
TEST_F(RecordsTest, AParquetFileIsFilteredLikeAnyOther) {
  requireParquet();
  if (IsSkipped()) return;
  showRecords();
  chooseModel();
  dialog->addTexts({kParquet});
  ASSERT_TRUE(waitFor([this] { return table().rowCount() == 9; }))
      << find<QLabel>("recordsHint")->text().toStdString();
  EXPECT_EQ(filter(0, 0)->text(0), QStringLiteral("Chinese"));
  EXPECT_EQ(filter(0, 0)->text(1), QStringLiteral("3"));
  EXPECT_EQ(filter(1, 0)->text(0), QStringLiteral("8k"));
  EXPECT_EQ(filter(1, 0)->text(1), QStringLiteral("4"));
  EXPECT_EQ(filter(1, 2)->text(1), QStringLiteral("2"));
  filter(0, 1)->setCheckState(0, Qt::Checked);  // English
  filter(1, 1)->setCheckState(0, Qt::Checked);  // 16k
  EXPECT_EQ(table().rowCount(), 3);
  const CaptureRequest draft = dialog->draft();
  EXPECT_EQ(draft.corpus.files, std::vector<fs::path>{kParquet});
  EXPECT_EQ(draft.corpus.select, (Pairs{{"language", "English"}, {"token_length", "16k"}}));
  ASSERT_TRUE(waitFor([this] {
    return find<QLabel>("captureSummary")->text().startsWith(QStringLiteral("3 texts")) &&
           find<QTextEdit>("tokenPreview")->toPlainText().startsWith(QStringLiteral("a text of r1"));
  })) << find<QLabel>("captureSummary")->text().toStdString();
}

TEST_F(RecordsTest, OffersADataSetFromTheCache) {
  const fs::path entry = folder / ".cache/huggingface/hub/datasets--caskcsg--LongBench-Pro";
  qputenv("XDG_CACHE_HOME", (folder / ".cache").c_str());
  fs::create_directories(entry / "refs");
  fs::create_directories(entry / "snapshots/abc");
  std::ofstream(entry / "refs/main") << "abc";
  std::ofstream(entry / "snapshots/abc/longbench_pro.json")
      << R"([{"id":"a","context":"one","language":"English"},{"id":"b","context":"two","language":"English"},
            {"id":"c","context":"three","language":"Chinese"},{"id":"d","context":"four","language":"Chinese"}])";
  showRecords();
  chooseModel();
  ASSERT_TRUE(waitFor([this] { return dialog->findChild<QPushButton*>(QStringLiteral("recordsFound0")); }));
  auto* use = find<QPushButton>("recordsFound0");
  EXPECT_TRUE(use->text().contains(QStringLiteral("caskcsg/LongBench-Pro"))) << use->text().toStdString();
  EXPECT_TRUE(waitFor([&] { return use->isVisible(); }));
  use->click();
  ASSERT_TRUE(waitFor([this] { return table().rowCount() == 4; }));
  EXPECT_EQ(dialog->draft().corpus.files, std::vector<fs::path>{entry / "snapshots/abc/longbench_pro.json"});
  EXPECT_TRUE(waitFor([this] {
    return dialog->draft().out.filename().string().find("longbench-pro") != std::string::npos;
  })) << dialog->draft().out;

  find<QPushButton>("recordsOther")->click();
  EXPECT_EQ(table().rowCount(), 0);
  EXPECT_TRUE(use->isVisible()) << "the choice is offered again";
  EXPECT_FALSE(find<QPushButton>("captureStart")->isEnabled());
}

// Qt shows a tool tip that begins like HTML as rich text; values of records and notes must not become images
// or links.
TEST(ForeignTips, ShowRecordsAndNotesAsPlainText) {
  const std::string value = "<img src='file:///etc/hostname'> <b>8k</b>";
  auto list = std::make_shared<RecordList>();
  list->idField = "id";
  list->fields = {{"length", QStringLiteral("length"), {value}}};
  list->records = {{value, {0}}};
  RecordsModel records;
  records.setList(list);
  auto analysis = std::make_shared<AnalysisFile>();
  analysis->tables = {
      {"heads", {{"layer", std::vector<std::int64_t>{0}}, {"head", std::vector<std::int64_t>{0}}}}};
  HeadTableModel table;
  table.setHeads(analysis);
  table.setNotes({{{0, 0}, value}});
  for (const QModelIndex& index :
       {records.index(0, RecordsModel::IdColumn), records.index(0, RecordsModel::FirstField),
        table.index(0, HeadTableModel::NameColumn)}) {
    QTextDocument shown;
    shown.setHtml(index.data(Qt::ToolTipRole).toString());
    EXPECT_EQ(shown.toPlainText().toStdString(), value);
  }
}

TEST_F(RecordsTest, ShowsOnlyTheHintWithoutACache) {
  showRecords();
  ASSERT_TRUE(waitFor([this] { return find<QLabel>("recordsHint")->isVisible(); }));
  workers.waitForDone();
  test::settleEvents();
  EXPECT_EQ(dialog->findChild<QPushButton*>(QStringLiteral("recordsFound0")), nullptr);
}

}  // namespace
}  // namespace plastiscope
