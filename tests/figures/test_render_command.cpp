// The command plastiscope render, run without a screen.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/compare/csv_text.h"
#include "core/store/analysis_file.h"
#include "core/views/study_facts.h"
#include "figures/figure_study.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

namespace {

struct Ended {
  int code = -1;
  std::string out, error;
};

Ended runProgram(const QStringList& arguments,
                 QProcessEnvironment environment = QProcessEnvironment::systemEnvironment()) {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(name);
  QProcess process;
  process.setProcessEnvironment(environment);
  process.start(QStringLiteral(PLASTISCOPE_BIN "/plastiscope"), QStringList("render") + arguments);
  if (!process.waitForFinished(120000)) return {};
  return {process.exitCode(), process.readAllStandardOutput().toStdString(),
          process.readAllStandardError().toStdString()};
}

class RenderCommand : public testing::Test {
 protected:
  void SetUp() override {
    writeAnalysis(*test::figureStudy()->analysis, path("study.analysis.h5").toStdString());
  }
  QString path(const QString& name) const { return m_folder.filePath(name); }
  QTemporaryDir m_folder;
};

}  // namespace

TEST_F(RenderCommand, WritesFigureNumbersAndProvenance) {
  const Ended ended =
      runProgram({path("study.analysis.h5"), "--figure", "map", "--head", "L4H2", "--size", "82x60mm",
                  "--font-size", "8pt", "--theme", "dark", "--range", "0,0.9", "--out", path("map.pdf")});
  EXPECT_EQ(ended.code, 0) << ended.error;
  for (const char* name : {"map.pdf", "map.csv", "map.json"}) EXPECT_TRUE(QFile::exists(path(name))) << name;
}

TEST_F(RenderCommand, RefusesADifferenceOfMapsWithoutPairs) {
  AnalysisFile analysis = *test::figureStudy()->analysis;
  for (Table& table : analysis.tables) {
    if (!table.name.starts_with("map")) continue;
    for (Column& column : table.columns) std::visit([](auto& values) { values.clear(); }, column.values);
  }
  writeAnalysis(analysis, path("few.analysis.h5").toStdString());
  const auto render = [this](const char* other) {
    return runProgram({path("study.analysis.h5"), path(other), "--figure", "map-difference", "--out",
                       path("difference.svg")});
  };
  const Ended refused = render("few.analysis.h5");
  EXPECT_EQ(refused.code, 3) << refused.error;
  EXPECT_NE(refused.error.find("no cell of the map has key pairs in both inputs"), std::string::npos)
      << refused.error;
  EXPECT_FALSE(QFile::exists(path("difference.svg")));
  EXPECT_EQ(render("study.analysis.h5").code, 0) << "the difference of equal maps is 0";
}

TEST_F(RenderCommand, DrawsTheBenchmarkFromShippedScores) {
  const Ended ended = runProgram({"--figure", "benchmark", "--out", path("benchmark.pdf")});
  EXPECT_EQ(ended.code, 0) << ended.error;
  for (const char* name : {"benchmark.pdf", "benchmark.csv", "benchmark.json"})
    EXPECT_TRUE(QFile::exists(path(name))) << name;
}

TEST_F(RenderCommand, RefusesWrongScoresWithTheReason) {
  QFile scores(path("scores.csv"));
  ASSERT_TRUE(scores.open(QIODevice::WriteOnly));
  scores.write("model,points\nqwen3-4b,1\n");
  scores.close();
  const Ended wrong =
      runProgram({"--figure", "benchmark", "--scores", path("scores.csv"), "--out", path("benchmark.pdf")});
  EXPECT_EQ(wrong.code, 3) << wrong.error;
  EXPECT_NE(wrong.error.find("model and score"), std::string::npos) << wrong.error;
  const Ended group =
      runProgram({"--figure", "benchmark", "--group", "mine", "--out", path("benchmark.pdf")});
  EXPECT_EQ(group.code, 2) << group.error;
}

TEST_F(RenderCommand, DrawsTheMeanOfSomeHeadsAndTheGridInAnOrder) {
  const Ended ended = runProgram(
      {path("study.analysis.h5"), "--figure", "quintiles", "--mean-of", "L4H0-2", "--out", path("mean.svg")});
  ASSERT_EQ(ended.code, 0) << ended.error;
  const auto study = test::figureStudy();
  const Table& heads = *study->analysis->find("heads");
  double first = 0;
  for (const std::int64_t head : {0, 1, 2})
    first += heads.numbers("ap_quintile_1")[*headRow(heads, {4, head})] / 3;
  const Table mean = tableOf(parseCsv(readFile(path("mean.csv").toStdString()), "mean.csv"), "mean");
  EXPECT_EQ(mean.numbers("heads").at(0), 3);
  EXPECT_NEAR(mean.numbers("ap").at(0), first, 1e-9);

  const Ended grid = runProgram({path("study.analysis.h5"), "--figure", "head-grid", "--grid-order", "value",
                                 "--out", path("grid.svg")});
  ASSERT_EQ(grid.code, 0) << grid.error;
  const Table shown = tableOf(parseCsv(readFile(path("grid.csv").toStdString()), "grid.csv"), "grid");
  const auto &layer = shown.numbers("layer"), &value = shown.numbers("ap_overall");
  ASSERT_GT(shown.rows(), 0U);
  for (std::size_t i = 1; i < shown.rows(); ++i) {
    if (layer[i] == layer[i - 1] && std::isfinite(value[i]) && std::isfinite(value[i - 1])) {
      EXPECT_LE(value[i - 1], value[i]) << i;
    }
  }
}

TEST_F(RenderCommand, SeveralHeadsBecomePanels) {
  const Ended ended = runProgram({path("study.analysis.h5"), "--figure", "map", "--head",
                                  "L4H2,L1H0,L8H5,L2H2", "--out", path("maps.svg")});
  ASSERT_EQ(ended.code, 0) << ended.error;
  QFile csv(path("maps.csv")), json(path("maps.json"));
  ASSERT_TRUE(csv.open(QFile::ReadOnly) && json.open(QFile::ReadOnly));
  const std::string rows = csv.readAll().toStdString();
  EXPECT_EQ(rows.rfind("panel,distance_cell,", 0), 0U) << rows.substr(0, 100);
  EXPECT_NE(rows.find("\nd L2H2,0,"), std::string::npos);
  const Json provenance = parseJson(json.readAll().toStdString(), "maps.json");
  EXPECT_EQ(provenance.at("figure").at("heads"), Json::array({"L4H2", "L1H0", "L8H5", "L2H2"}));
}

TEST_F(RenderCommand, PageCombinesFiguresOfAnyKind) {
  const QString study = path("study.analysis.h5");
  const QString parts = "map:L4H2, head-grid:ap_drop:2, profile:L8";
  const Ended ended = runProgram({study, study, "--figure", "page", "--parts", parts, "--columns", "2",
                                  "--names", "one,two", "--out", path("page.svg")});
  ASSERT_EQ(ended.code, 0) << ended.error;
  QFile csv(path("page.csv")), json(path("page.json")), svg(path("page.svg"));
  ASSERT_TRUE(csv.open(QFile::ReadOnly) && json.open(QFile::ReadOnly) && svg.open(QFile::ReadOnly));
  const std::string rows = csv.readAll().toStdString();
  for (const char* panel :
       {"\n\"a Plasticity map, L4H2, one\",", "\n\"b Head grid, two\",", "\n\"c Profile, layer 8, one\","})
    EXPECT_NE(rows.find(panel), std::string::npos) << panel << rows.substr(0, 400);
  const Json provenance = parseJson(json.readAll().toStdString(), "page.json");
  EXPECT_EQ(provenance.at("figure").at("parts"),
            Json::array({"map:L4H2", " head-grid:ap_drop:2", " profile:L8"}));
  // A panel has the same numbers as the single figure.
  ASSERT_EQ(runProgram({study, "--figure", "map", "--head", "L4H2", "--out", path("map.svg")}).code, 0);
  QFile alone(path("map.csv"));
  ASSERT_TRUE(alone.open(QFile::ReadOnly));
  for (const QString& line : QString(alone.readAll()).split('\n', Qt::SkipEmptyParts).mid(1))
    ASSERT_NE(rows.find(line.toStdString()), std::string::npos) << line.toStdString();
}

TEST_F(RenderCommand, NamesAnInvalidPanelOfAPage) {
  const std::pair<const char*, const char*> kWrong[] = {{"map:L4H2:2", "input from 1 to 1"},
                                                        {"map:L4H2:0", "input from 1 to 1"},
                                                        {"page", "cannot be a panel of a page"},
                                                        {"mpa", "unknown figure"},
                                                        {"taxonomy:ap_drop", "--metric"},
                                                        {"head-grid:L4H2", "takes no --head"},
                                                        {"map:Lx", "not understood"},
                                                        {"component-weights:L99H0", "L99H0"}};
  for (const auto& [parts, sentence] : kWrong) {
    const Ended ended = runProgram(
        {path("study.analysis.h5"), "--figure", "page", "--parts", parts, "--out", path("page.pdf")});
    EXPECT_EQ(ended.code, 2) << parts << ended.error;
    EXPECT_NE(ended.error.find(sentence), std::string::npos) << ended.error;
    EXPECT_FALSE(QFile::exists(path("page.pdf")));
  }
}

// rotation_models.csv: the median slope ratio of Qwen3-0.6B.
TEST_F(RenderCommand, DrawsThesisFiguresFromPublishedNumbers) {
  const Ended ended = runProgram({"--figure", "ROT-05", "--out", path("ratio.svg")});
  ASSERT_EQ(ended.code, 0) << ended.error;
  QFile csv(path("ratio.csv")), svg(path("ratio.svg"));
  ASSERT_TRUE(csv.open(QFile::ReadOnly) && svg.open(QFile::ReadOnly));
  EXPECT_NE(csv.readAll().toStdString().find("qwen3-0.6b,slope_ratio,7.83,,,,,,\n"), std::string::npos);
  EXPECT_NE(svg.readAll().toStdString().find("published: "), std::string::npos);
}

TEST_F(RenderCommand, RefusesFiguresOfSingleHeadsFromMeans) {
  for (const char* figure : {"PCA-02", "density", "AP-05", "AP-01", "PCA-03", "head-grid", "quintiles"}) {
    const Ended ended =
        runProgram({"published:ministral3-3b", "--figure", figure, "--out", path("heads.pdf")});
    EXPECT_NE(ended.code, 0);
    EXPECT_NE(ended.error.find("shows single heads"), std::string::npos) << ended.error;
    EXPECT_NE(ended.error.find("only means are published (profile"), std::string::npos) << ended.error;
    EXPECT_FALSE(QFile::exists(path("heads.pdf")));
  }
}

TEST_F(RenderCommand, WritesAllFiguresOfTheInputsIntoOneFolder) {
  const Ended ended = runProgram({path("study.analysis.h5"), "--all", "--head", "L4H2", "--format", "svg",
                                  "--no-data", "--pgfplots", "--out", path("all")});
  ASSERT_EQ(ended.code, 0) << ended.error;
  for (const char* name :
       {"map-L4H2.svg", "map.svg", "map-L4H2.tex", "map-L4H2.pgf.csv", "head-grid.svg", "profile-L4H2.json"})
    EXPECT_TRUE(QFile::exists(path(QString("all/") + name))) << name;
  EXPECT_FALSE(QFile::exists(path("all/map.csv")));
  EXPECT_EQ(runProgram({path("study.analysis.h5"), "--all"}).code, 2) << "no output folder";
  EXPECT_EQ(runProgram({path("study.analysis.h5"), "--all", "--format", "jpg", "--out", path("all")}).code,
            2);
}

TEST_F(RenderCommand, WritesTheTableToTheDataFileWithoutSidecar) {
  const Ended ended = runProgram({path("study.analysis.h5"), "--figure", "head-grid", "--metric", "ap_drop",
                                  "--no-sidecar", "--data", path("numbers.csv"), "--out", path("grid.svg")});
  EXPECT_EQ(ended.code, 0) << ended.error;
  EXPECT_TRUE(QFile::exists(path("numbers.csv")));
  EXPECT_FALSE(QFile::exists(path("grid.csv")));
  EXPECT_FALSE(QFile::exists(path("grid.json")));
}

TEST_F(RenderCommand, OneFileBesideTheFigureCanBeLeftOut) {
  const auto render = [&](const char* flag, const char* out) {
    return runProgram({path("study.analysis.h5"), "--figure", "head-grid", flag, "--out", path(out)}).code;
  };
  ASSERT_EQ(render("--no-data", "one.svg"), 0);
  EXPECT_FALSE(QFile::exists(path("one.csv")));
  EXPECT_TRUE(QFile::exists(path("one.json")));
  ASSERT_EQ(render("--no-provenance", "two.svg"), 0);
  EXPECT_TRUE(QFile::exists(path("two.csv")));
  EXPECT_FALSE(QFile::exists(path("two.json")));
}

// Only a figure that Plastiscope exported is replaced, with its sidecar files.
TEST_F(RenderCommand, ReplacesOnlyWhatItWrote) {
  const auto file = [&](const char* name) { return path(name).toStdString(); };
  const auto render = [&](const char* out, const QStringList& more = {}) {
    return runProgram(
        QStringList{path("study.analysis.h5"), "--figure", "map", "--head", "L4H2", "--out", path(out)} +
        more);
  };
  for (const char* out : {"map.pdf", "map.png", "map.svg"}) {
    for (const QStringList& how : {QStringList{}, {"--pgfplots"}, {"--no-embed", "--no-sidecar"}, {}})
      EXPECT_EQ(render(out, how).code, 0) << out << how.join(' ').toStdString() << render(out, how).error;
  }
  writeFileAtomically(file("mine.csv"), std::string_view("my numbers"));
  const Ended beside = render("mine.pdf");
  EXPECT_EQ(beside.code, 3);
  EXPECT_NE(beside.error.find(
                "mine.csv: expected a new file or the table of an exported figure, found a text file: "
                "--force replaces it"),
            std::string::npos)
      << beside.error;
  EXPECT_FALSE(QFile::exists(path("mine.pdf")));
  EXPECT_EQ(readFile(file("mine.csv")), "my numbers");
  writeFileAtomically(file("map.csv"), std::string_view("changed by hand"));
  EXPECT_EQ(render("map.pdf").code, 3);
  EXPECT_EQ(render("map.pdf", {"--force"}).code, 0);

  writeFileAtomically(file("foreign.pdf"), std::string_view("%PDF-1.4 of another program"));
  EXPECT_EQ(render("foreign.pdf").code, 3);
  EXPECT_EQ(render("foreign.pdf", {"--force"}).code, 0);
  ASSERT_EQ(::mkfifo(file("pipe.png").c_str(), 0600), 0);
  EXPECT_NE(render("pipe.png", {"--force"}).error.find("found a named pipe"), std::string::npos);
  ASSERT_TRUE(QFile::link(path("study.analysis.h5"), path("link.pdf")));
  EXPECT_NE(render("link.pdf", {"--force"}).error.find("this file is an input"), std::string::npos);
  EXPECT_EQ(render("other.pdf", {"--data", path("other.pdf")}).code, 2);
  const Ended all =
      runProgram({path("study.analysis.h5"), "--all", "--out", m_folder.path(), "--format", "pdf"});
  EXPECT_EQ(all.code, 0) << all.error;
  writeFileAtomically(file("depth.csv"), std::string_view("mine"));
  EXPECT_EQ(runProgram({path("study.analysis.h5"), "--all", "--out", m_folder.path()}).code, 3);
}

TEST_F(RenderCommand, ReportsErrorsOfStandardOutput) {
  const std::string command = PLASTISCOPE_BIN "/plastiscope render --list 2> ";
  const std::string err = path("err").toStdString();
  for (const auto& [where, code] : {std::pair{" > /dev/full", 4}, {" >&-", 3}}) {
    const int status = std::system((command + err + where).c_str());
    EXPECT_EQ(WEXITSTATUS(status), code);
    EXPECT_EQ(readFile(err).rfind("plastiscope: standard output: ", 0), 0U) << readFile(err);
  }
}

// Table 6.1 of the thesis: Ministral-3-14B.
TEST_F(RenderCommand, WritesPublishedNumbersToTheTableOfTheFigure) {
  const Ended ended = runProgram({path("study.analysis.h5"), "--figure", "quintiles", "--reference",
                                  "ministral3-14b", "--out", path("fifths.svg")});
  ASSERT_EQ(ended.code, 0) << ended.error;
  QFile csv(path("fifths.csv")), json(path("fifths.json")), svg(path("fifths.svg"));
  ASSERT_TRUE(csv.open(QFile::ReadOnly) && json.open(QFile::ReadOnly) && svg.open(QFile::ReadOnly));
  const std::string rows = csv.readAll().toStdString();
  EXPECT_NE(rows.find("\"thesis: Ministral-3-14B-Base-2512, printed\",1,,,,0.655,,,\n"), std::string::npos)
      << rows;
  EXPECT_NE(json.readAll().toStdString().find("\"reference\": \"ministral3-14b\""), std::string::npos);
}

// resources/reference/smollm3_checkpoints.csv: AP_drop of two checkpoints.
TEST_F(RenderCommand, WritesPublishedNumbersBesideTheModels) {
  for (const char* id : {"s1-40k", "lc2-20k"}) {
    AnalysisFile analysis = *test::figureStudy()->analysis;
    analysis.provenance.capture.set("model", id);
    writeAnalysis(analysis, path(QString(id) + ".h5").toStdString());
  }
  const auto rowsOf = [&](const QStringList& more) {
    const Ended ended =
        runProgram(QStringList{path("s1-40k.h5"), path("lc2-20k.h5"), "--figure", "trajectory", "--metric",
                               "ap_drop", "--out", path("models.svg")} +
                   more);
    EXPECT_EQ(ended.code, 0) << ended.error;
    QFile csv(path("models.csv"));
    EXPECT_TRUE(csv.open(QFile::ReadOnly));
    return csv.readAll().toStdString();
  };
  const std::string rows = rowsOf({"--published"});
  EXPECT_NE(rows.find("0,\"s1-40k, published\",ap_drop,0.04,,,,,\n"), std::string::npos) << rows;
  EXPECT_NE(rows.find("1,\"lc2-20k, published\",ap_drop,0.161,,,,,\n"), std::string::npos) << rows;
  EXPECT_EQ(rowsOf({}).find("published"), std::string::npos);
}

TEST_F(RenderCommand, CommandOfTheWindowWritesTheSameBytesTwice) {
  FigureSpec spec;
  spec.figure = "profile";
  spec.scope.head = HeadName{4, 2};
  spec.preset = "icml";
  std::vector<QByteArray> files;
  for (const char* name : {"one.png", "two.png"}) {
    QStringList arguments = QProcess::splitCommand(QString::fromStdString(renderCommand(renderArguments(
        spec, {path("study.analysis.h5").toStdString()}, path(name).toStdString(), {"--fixed-date"}))));
    EXPECT_EQ(arguments.mid(0, 2), (QStringList{"plastiscope", "render"}));
    const Ended ended = runProgram(arguments.mid(2));
    EXPECT_EQ(ended.code, 0) << ended.error;
    QFile file(path(name));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    files.push_back(file.readAll());
  }
  EXPECT_EQ(files[0], files[1]);
}

// Every process seeds its own hash tables, and Qt's PDF writer keeps its fonts in one.
TEST_F(RenderCommand, EveryProcessWritesTheSameBytes) {
  for (const char* extension : {"pdf", "svg", "png"}) {
    QByteArray first;
    for (const char* seed : {"", "", "", "1", "7", "0"}) {
      QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
      environment.remove("QT_HASH_SEED");
      if (*seed != '\0') environment.insert("QT_HASH_SEED", seed);
      const QString out = path(QStringLiteral("same.%1").arg(extension));
      const Ended ended = runProgram({path("study.analysis.h5"), "--figure", "profile-quintiles", "--head",
                                      "L4H2", "--reference", "qwen3-0.6b", "--fixed-date", "--out", out},
                                     environment);
      ASSERT_EQ(ended.code, 0) << ended.error;
      QFile figure(out), csv(path("same.csv")), json(path("same.json"));
      ASSERT_TRUE(figure.open(QFile::ReadOnly) && csv.open(QFile::ReadOnly) && json.open(QFile::ReadOnly));
      const QByteArray bytes = figure.readAll() + csv.readAll() + json.readAll();
      if (first.isEmpty()) first = bytes;
      EXPECT_EQ(bytes == first, true) << extension << ", seed \"" << seed << "\"";
    }
  }
}

// The window adds intervals to a capture; the command does so only with --intervals.
TEST_F(RenderCommand, ComputesIntervalsOfACaptureOnlyOnRequest) {
  ASSERT_TRUE(QFile::copy(QStringLiteral(PLASTISCOPE_TEST_DATA "/analysis/odd.h5"), path("odd.h5")));
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("XDG_CACHE_HOME"), path("cache"));
  const auto table = [&](const QStringList& more) {
    const QStringList arguments = {path("odd.h5"), "--figure",      "quintiles",    "--head", "L0H0",
                                   "--out",        path("odd.svg"), "--plasticity", "binned"};
    const Ended ended = runProgram(arguments + more, environment);
    EXPECT_EQ(ended.code, 0) << ended.error;
    return readFile(path("odd.csv").toStdString());
  };
  EXPECT_EQ(table({}).find(",examples\n"), std::string::npos);
  const std::string with = table({"--intervals"});
  EXPECT_NE(with.find(",examples\n"), std::string::npos) << with;
  EXPECT_EQ(table({"--intervals"}), with);
  EXPECT_EQ(table({}).find(",examples\n"), std::string::npos) << "stored, but not requested";
}

// L5H0 and L5H1 were captured, L5H2 to L5H5 not.
TEST_F(RenderCommand, RangesOfHeadsSelectCapturedHeads) {
  const Ended ended = runProgram(
      {path("study.analysis.h5"), "--figure", "map", "--head", "L5H0-5,L4H2", "--out", path("range.svg")});
  ASSERT_EQ(ended.code, 0) << ended.error;
  QFile json(path("range.json"));
  ASSERT_TRUE(json.open(QFile::ReadOnly));
  EXPECT_EQ(parseJson(json.readAll().toStdString(), "range.json").at("figure").at("heads"),
            Json::array({"L5H0", "L5H1", "L4H2"}));
  const Ended missing = runProgram(
      {path("study.analysis.h5"), "--figure", "map", "--head", "L5H2-5", "--out", path("none.svg")});
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.error.find("none of the heads L5H2-5 was captured"), std::string::npos) << missing.error;
}

TEST_F(RenderCommand, OwnDataWithoutAScoreAreRefused) {
  const Ended ended =
      runProgram({path("study.analysis.h5"), "--figure", "AP-10", "--out", path("refused.pdf")});
  EXPECT_EQ(ended.code, 2) << ended.error;
  EXPECT_NE(ended.error.find("Formula-12x6"), std::string::npos) << ended.error;
  EXPECT_FALSE(QFile::exists(path("refused.pdf")));
}

TEST_F(RenderCommand, DrawsSeveralAnalysesAndNamesAllOfThem) {
  const auto studies = test::figureStudies(3);
  QStringList files;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    files.append(path(QStringLiteral("study%1.analysis.h5").arg(i)));
    writeAnalysis(*studies[i]->analysis, files.back().toStdString());
  }
  const Ended ended = runProgram(files + QStringList{"--figure", "trajectory", "--metric", "ap_drop",
                                                     "--names", "one,two,three", "--out", path("run.svg")});
  ASSERT_EQ(ended.code, 0) << ended.error;
  QFile csv(path("run.csv")), json(path("run.json"));
  ASSERT_TRUE(csv.open(QFile::ReadOnly) && json.open(QFile::ReadOnly));
  const std::string rows = csv.readAll().toStdString();
  EXPECT_EQ(
      rows.rfind("index,model,metric,mean,sd,heads,mean_low,mean_high,interval_over\n0,one,ap_drop,", 0), 0U)
      << rows;
  EXPECT_NE(rows.find("\n2,three,ap_drop,"), std::string::npos) << rows;
  const Json provenance = parseJson(json.readAll().toStdString(), "run.json");
  ASSERT_EQ(provenance.at("inputs").size(), 3U);
  EXPECT_EQ(provenance.at("inputs").at(1).at("capture_fingerprint"), std::string(64, 'b'));
  EXPECT_EQ(provenance.at("figure").at("names").at(2), "three");
}

TEST_F(RenderCommand, ListsFiguresAndPresets) {
  const Ended ended = runProgram({"--list"});
  EXPECT_EQ(ended.code, 0);
  for (const FigureKind& kind : figureKinds())
    EXPECT_NE(ended.out.find(kind.id), std::string::npos) << kind.id;
  EXPECT_NE(ended.out.find("AP-01 *"), std::string::npos);
  EXPECT_NE(ended.out.find("ROT-08 "), std::string::npos);
  EXPECT_NE(ended.out.find("neurips"), std::string::npos);
  EXPECT_NE(runProgram({"--help"}).out.find("Example:"), std::string::npos);
}

TEST_F(RenderCommand, ListsItsOptionsAsJson) {
  const Json render = parseJson(runProgram({"--list-options"}).out, "options");
  const auto preset = std::ranges::find(render.at("options"), "--preset", [](const Json& option) {
    return option.at("name").get<std::string>();
  });
  ASSERT_NE(preset, render.at("options").end());
  EXPECT_EQ(preset->at("default"), "neurips");
}

TEST_F(RenderCommand, BadArgumentsEndWithOneSentence) {
  struct Case {
    QStringList arguments;
    int code;
    std::string part;
  };
  const QString study = path("study.analysis.h5"), out = path("x.pdf");
  const std::vector<Case> cases = {
      {{study, "--figure", "mapp", "--out", out}, 2, "did you mean map?"},
      {{study, "--figure", "map", "--head", "L4H2", "--mean-of", "L4H3", "--out", out},
       2,
       "--mean-of selects"},
      {{study, "--figure", "depth", "--mean-of", "L4H3", "--out", out}, 2, "takes no --mean-of"},
      {{study, "--figure", "loss", "--out", out}, 2, "captured with --loss"},
      {{study, "--figure", "head-grid", "--grid-order", "similar", "--grid-show", "layers", "--out", out},
       2,
       "orders heads"},
      {{study, "--figur", "map", "--out", out}, 2, "did you mean --figure?"},
      {{study, "--figure", "map", "--out", path("x.docx")}, 2, ".pdf, .svg, .png or .html"},
      {{study, "--figure", "map"}, 2, "--out"},
      {{"--figure", "map", "--out", out}, 2, "one capture or analysis, found 0"},
      {{"--figure", "PCA-02", "--out", out}, 2, "figure PCA-02 shows 1 to 32 captures or analyses, found 0"},
      {{study, "--figure", "PCA-06", "--out", out}, 3, "captured rows"},
      {{study, "--figure", "AP-5", "--out", out}, 2, "did you mean AP-05?"},
      {{study, "--figure", "map", "--head", "L4H2,L99H0", "--out", out}, 2, "L99H0 was not captured"},
      {{study, "--figure", "map", "--panels", "family", "--out", out}, 2, "takes no --panels"},
      {{study, "--figure", "density", "--panels", "famly", "--out", out}, 2, "did you mean family?"},
      {{study, "--figure", "compare", "--out", out}, 2, "2 to 32 captures or analyses, found 1"},
      {{study, study, "--figure", "compare", "--names", "a", "--out", out}, 2, "one name per input"},
      {{study, study, "--figure", "compare", "--looks", "3", "--out", out}, 2, "one look per input"},
      {{study, study, "--figure", "compare", "--looks", "3,80", "--out", out}, 2, "from 0 to 79"},
      {{study, study, "--figure", "compare", "--published", "--out", out}, 2, "no profile of any"},
      {{study, study, "--figure", "compare", "--axis", "token", "--out", out}, 2, "did you mean tokens?"},
      {{study, study, "--figure", "trajectory", "--order", "colour", "--out", out}, 2, "given, name"},
      {{study, study, "--figure", "trajectory", "--metric", "ap_dorp", "--out", out},
       2,
       "did you mean ap_drop?"},
      {{study, "--figure", "map", "--axis", "tokens", "--out", out}, 2, "takes no --axis"},
      {{study, "--figure", "map", "--no-intervals", "--out", out}, 2, "takes no --no-intervals"},
      {{study, "--figure", "map", "--head", "L99H0", "--out", out}, 2, "L99H0 was not captured"},
      {{study, "--figure", "map", "--head", "nonsense", "--out", out}, 2, "nonsense"},
      {{study, "--figure", "map", "--size", "big", "--out", out}, 2, "5.5x2.1in"},
      {{study, "--figure", "map", "--range", "1,0", "--out", out}, 2, "MIN,MAX"},
      {{study, "--figure", "map", "--theme", "drak", "--out", out}, 2, "did you mean dark?"},
      {{study, "--figure", "head-grid", "--metric", "ap_dorp", "--out", out}, 2, "did you mean ap_drop?"},
      {{study, "--figure", "map", "--reference", "qwen3-4b", "--out", out}, 2, "takes no --reference"},
      {{study, "--figure", "profile", "--reference", "qwen3-4bb", "--out", out}, 2, "did you mean qwen3-4b?"},
      {{study, "--figure", "depth", "--reference", "qwen3-4b", "--out", out}, 2, "no ap_overall by depth"},
      {{path("none.h5"), "--figure", "map", "--out", out}, 3, "none.h5"},
      {{study, "--figure", "ab-scatter", "--head", "L4H2", "--out", out}, 3, "captured rows"},
      {{study, "--figure", "map", "--out", study + "/x.pdf"}, 3, ""},
  };
  for (const Case& c : cases) {
    const Ended ended = runProgram(c.arguments);
    SCOPED_TRACE(c.arguments.join(QLatin1Char(' ')).toStdString());
    EXPECT_EQ(ended.code, c.code) << ended.error;
    EXPECT_EQ(ended.error.rfind("plastiscope: ", 0), 0U) << ended.error;
    EXPECT_EQ(std::count(ended.error.begin(), ended.error.end(), '\n'), 1) << ended.error;
    EXPECT_NE(ended.error.find(c.part), std::string::npos) << ended.error;
  }
  EXPECT_FALSE(QFile::exists(out));
}

}  // namespace plastiscope
