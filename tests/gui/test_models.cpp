#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QCoreApplication>
#include <QMap>
#include <QMimeData>
#include <QTemporaryDir>
#include <QUrl>
#include <fstream>

#include "core/base/error.h"
#include "core/base/json.h"
#include "figures/figure_study.h"
#include "store/sample_capture.h"
#include "support/tiny_llama.h"
#include "widgets/capture/files_source.h"
#include "widgets/models/head_table_model.h"
#include "widgets/models/library_model.h"
#include "widgets/pages/library_panel.h"

namespace plastiscope {
namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

TEST(HeadTable, PassesTheModelTesterAfterEveryChange) {
  const auto study = test::figureStudy(60);
  HeadTableModel model;
  const QAbstractItemModelTester tester(&model, kFatal);
  HeadTableProxy proxy(model);
  const QAbstractItemModelTester proxyTester(&proxy, kFatal);
  model.setHeads(study->analysis);
  EXPECT_EQ(model.rowCount(), 68);  // 12 x 6 less the four that were not captured
  model.setMarked({{2, 1}});
  model.setColumns({"ap_overall", "nonsense", "taxonomy"});
  EXPECT_EQ(model.columns(), (std::vector<std::string>{"ap_overall", "taxonomy"}));
  proxy.setExpression("layer < 2");
  EXPECT_EQ(proxy.rowCount(), 12);
  model.setColumns(HeadTableModel::standardColumns());
  EXPECT_EQ(proxy.rowCount(), 12) << "the filter outlives other columns";
  model.setHeads(nullptr);
  EXPECT_EQ(proxy.rowCount(), 0);
}

TEST(HeadTable, MissingValuesAreEmptyAndSortLastBothWays) {
  const auto study = test::figureStudy(60);
  HeadTableModel model;
  model.setHeads(study->analysis);
  const int row = model.rowOf({2, 1});  // has no plasticity
  ASSERT_GE(row, 0);
  const int column = HeadTableModel::FirstValueColumn + 1;  // ap_overall
  EXPECT_EQ(model.index(row, column).data().toString(), QString());
  EXPECT_FALSE(model.index(row, column).data(HeadTableModel::SortRole).isValid());
  EXPECT_FALSE(model.index(0, column).data().toString().isEmpty());
  EXPECT_EQ(model.rowOf({5, 4}), -1);
  HeadTableProxy proxy(model);
  for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
    proxy.sort(column, order);
    const QModelIndex last = proxy.index(proxy.rowCount() - 1, HeadTableModel::NameColumn);
    EXPECT_EQ(last.data().toString(), QStringLiteral("L2 H1"));
    double before = proxy.index(0, column).data(HeadTableModel::SortRole).toDouble();
    for (int i = 1; i + 1 < proxy.rowCount(); ++i) {
      const double now = proxy.index(i, column).data(HeadTableModel::SortRole).toDouble();
      EXPECT_TRUE(order == Qt::AscendingOrder ? before <= now : before >= now);
      before = now;
    }
  }
}

TEST(HeadTable, NamesSortAsNumbersAndHeadersAreExplained) {
  const auto study = test::figureStudy(60);
  HeadTableModel model;
  model.setHeads(study->analysis);
  HeadTableProxy proxy(model);
  proxy.sort(HeadTableModel::NameColumn, Qt::AscendingOrder);
  EXPECT_EQ(proxy.index(0, HeadTableModel::NameColumn).data().toString(), QStringLiteral("L0 H0"));
  EXPECT_EQ(proxy.index(proxy.rowCount() - 1, HeadTableModel::NameColumn).data().toString(),
            QStringLiteral("L11 H5"));
  const int column = HeadTableModel::FirstValueColumn;
  EXPECT_TRUE(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole)
                  .toString()
                  .contains(QStringLiteral("ap_drop")));
  EXPECT_FALSE(
      model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().contains(QLatin1Char('<')));
}

TEST(HeadTable, ClassesAreShortInTheCellAndWholeInItsTip) {
  const auto study = test::figureStudy(60);
  HeadTableModel model;
  model.setHeads(study->analysis);
  model.setColumns({"taxonomy"});
  const int column = HeadTableModel::FirstValueColumn;
  EXPECT_EQ(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Class"));
  QMap<QString, QString> cells;
  for (int row = 0; row < model.rowCount(); ++row) {
    const QModelIndex cell = model.index(row, column);
    cells[cell.data(Qt::ToolTipRole).toString()] = cell.data().toString();
  }
  EXPECT_EQ(cells.value(QStringLiteral("position_dominated")), QStringLiteral("position"));
  EXPECT_EQ(cells.value(QStringLiteral("q_positional")), QStringLiteral("q-position"));
}

TEST(LibrarySearch, ListsOpenedModelsBesideTheFoundOnes) {
  const QTemporaryDir folder;
  const std::filesystem::path root = folder.path().toStdString();
  test::TinyLlama tiny;
  tiny.write(root / "found" / "one");
  tiny.write(root / "opened");
  Progress progress;
  std::vector<std::string> paths;
  const auto entries =
      findModelEntries({root / "found"}, {root / "opened", root / "found" / "one", root / "gone"}, progress);
  for (const LibraryEntry& each : entries) {
    if (each.path.string().starts_with(root.string())) paths.push_back(each.path.filename().string());
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"one", "opened"}));
}

TEST(LibrarySearch, APartOfACaptureIsLabelled) {
  const QTemporaryDir folder;
  const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "a.part-1-of-4.h5";
  test::SampleCapture part;
  part.editable().settings.set("part", "1/4");
  part.editable().settings.set("examples", 8);
  part.editable().settingsHash = sha256Hex(canonicalJson(part.editable().settings));
  Progress progress;
  writeCapture(part, file, progress);
  const LibraryEntry found = readEntry(file);
  EXPECT_TRUE(found.summary.startsWith(QStringLiteral("part 1 of 4"))) << found.summary.toStdString();
  EXPECT_EQ(found.card.front(),
            std::pair(QStringLiteral("Part"), QStringLiteral("part 1 of 4, 2 of 8 texts")));
}

LibraryEntry entry(EntryKind kind, const char* path, const char* name, const char* architecture) {
  LibraryEntry result;
  result.kind = kind;
  result.path = path;
  result.name = QString::fromLatin1(name);
  result.architecture = QString::fromLatin1(architecture);
  result.card = {{QStringLiteral("Heads"), QStringLiteral("<b>30</b>")}};
  return result;
}

TEST(Library, GroupsByKindAndFamily) {
  LibraryModel model;
  const QAbstractItemModelTester tester(&model, kFatal);
  model.setModels({entry(EntryKind::Model, "/m/b", "b", "qwen3"),
                   entry(EntryKind::Model, "/m/a", "a", "llama"),
                   entry(EntryKind::Model, "/m/c", "c", "qwen3")});
  model.setStudies({entry(EntryKind::Capture, "/c/x.h5", "x", "llama")});
  ASSERT_EQ(model.rowCount(), 4);
  const QModelIndex models = model.index(0, 0);
  EXPECT_EQ(models.data(LibraryModel::NoteRole).toString(), QStringLiteral("3"));
  ASSERT_EQ(model.rowCount(models), 2);
  const QModelIndex qwen = model.index(1, 0, models);
  EXPECT_EQ(qwen.data().toString(), QStringLiteral("qwen3"));
  EXPECT_EQ(model.rowCount(qwen), 2);
  EXPECT_EQ(model.entryAt(model.index(1, 0, qwen))->path, "/m/c");
  EXPECT_EQ(model.entryAt(qwen), nullptr);
  const QModelIndex added = model.add(entry(EntryKind::Capture, "/c/x.h5", "renamed", "llama"));
  EXPECT_EQ(added.data().toString(), QStringLiteral("renamed"));
  EXPECT_EQ(model.entries(EntryKind::Capture).size(), 1u);
  const std::unique_ptr<QMimeData> dragged(static_cast<const QAbstractItemModel&>(model).mimeData({added}));
  EXPECT_EQ(dragged->urls(), QList<QUrl>{QUrl::fromLocalFile(QStringLiteral("/c/x.h5"))});
  EXPECT_TRUE(cardText(*model.entryOf("/m/a")).contains(QStringLiteral("&lt;b&gt;")))
      << "names from files are no markup";
  EXPECT_EQ(model.entryOf("/nowhere"), nullptr);
}

TEST(Library, AnAnalysisOfAllPairsIsLabelled) {
  const LibraryEntry entry = analysisEntry("all.h5", *test::figureStudy()->analysis);
  EXPECT_EQ(entry.note, QStringLiteral("all pairs"));
}

TEST(Library, EqualNamesAreToldApartByTheirFolders) {
  LibraryModel model;
  model.setStudies({entry(EntryKind::Capture, "/c/one/x.h5", "x", "llama"),
                    entry(EntryKind::Capture, "/c/two/x.h5", "x", "llama"),
                    entry(EntryKind::Capture, "/c/two/y.h5", "y", "llama")});
  const auto note = [&](const char* path) {
    return model.indexOf(path).data(LibraryModel::NoteRole).toString();
  };
  EXPECT_EQ(note("/c/one/x.h5"), QStringLiteral("one"));
  EXPECT_EQ(note("/c/two/x.h5"), QStringLiteral("two"));
  EXPECT_EQ(note("/c/two/y.h5"), QString());
}

TEST(Library, TheSelectionSurvivesANewSearch) {
  LibraryModel model;
  LibraryPanel panel(model);
  const LibraryEntry one = entry(EntryKind::Capture, "/c/x.h5", "x", "llama");
  model.setStudies({one});
  panel.select("/c/x.h5");
  ASSERT_NE(panel.selected(), nullptr);
  model.setStudies({one, entry(EntryKind::Analysis, "/c/x.analysis.h5", "x", "llama")});
  QCoreApplication::processEvents();
  ASSERT_NE(panel.selected(), nullptr);
  EXPECT_EQ(panel.selected()->path, "/c/x.h5");
}

TEST(Library, NamesTheKindOfAForeignFile) {
  const QTemporaryDir folder;
  const auto said = [&](const std::string& content) {
    const std::filesystem::path file = folder.filePath(QStringLiteral("x.h5")).toStdString();
    std::ofstream(file) << content;
    try {
      classifyPath(file);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(said("plain words").ends_with("found a text file"));
  EXPECT_TRUE(said("").ends_with("found an empty file"));
}

TEST(Library, RecognisesWeightFilesAsModels) {
  const QTemporaryDir folder;
  for (const char* name : {"model.safetensors", "model-00001-of-00002.safetensors"}) {
    const std::filesystem::path file = folder.filePath(QString::fromLatin1(name)).toStdString();
    std::ofstream(file) << "weights";
    EXPECT_EQ(classifyPath(file), PathKind::Model) << name;
  }
}

TEST(Texts, CountsCutsAndChoices) {
  TextsModel model;
  const QAbstractItemModelTester tester(&model, kFatal);
  model.addFiles({"/t/a.txt", "/t/b.jsonl", "/t/a.txt", "/t/c.txt"});
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(model.nextUncounted()->file, "/t/a.txt");
  TextCount one, many;
  one.lengths = {7658};
  many.lengths = {100, 5000};
  model.setCount("/t/a.txt", one);
  model.setCount("/t/b.jsonl", many);
  model.setProblem("/t/c.txt", QStringLiteral("not UTF-8"));
  EXPECT_TRUE(model.allCounted());
  model.setWindow(4096);
  EXPECT_EQ(model.lengths(), (std::vector<std::int64_t>{7658, 100, 5000}));
  const TextTotals totals = totalsOf(model.lengths(), 4096);
  EXPECT_EQ(totals.texts, 3);
  EXPECT_EQ(totals.tokens, 12758);
  EXPECT_EQ(totals.longest, 7658);
  EXPECT_EQ(totals.afterCut, 4096 + 100 + 4096);
  EXPECT_EQ(totals.shorter, 1);
  EXPECT_EQ(model.index(0, TextsModel::CutColumn).data().toString(), QStringLiteral("cut to 4,096"));
  EXPECT_EQ(model.index(1, TextsModel::CutColumn).data().toString(), QStringLiteral("2 texts"));
  EXPECT_EQ(model.takenFiles(), (std::vector<std::filesystem::path>{"/t/a.txt", "/t/b.jsonl"}));
  model.setData(model.index(0, 0), Qt::Unchecked, Qt::CheckStateRole);
  EXPECT_EQ(model.lengths(), (std::vector<std::int64_t>{100, 5000}));
  model.forgetCounts();
  EXPECT_TRUE(model.lengths().empty());
  EXPECT_FALSE(model.allCounted());
  model.removeRows({model.index(0, 0), model.index(2, 0), model.index(0, 1)});
  ASSERT_EQ(model.rowCount(), 1);
  EXPECT_EQ(model.rows()[0].file, "/t/b.jsonl");
}

}  // namespace
}  // namespace plastiscope
