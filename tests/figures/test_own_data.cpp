// Own data beside the thesis' numbers: every figure draws them or is refused with the reason, published
// curves have a labelled scale, and means have intervals.
#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "figures/figure_cases.h"
#include "figures/figure_study.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/export/thesis_figures.h"
#include "widgets/plots/plot_renderer.h"

namespace plastiscope {

namespace {

// The same study with other numbers.
std::shared_ptr<const Study> changed(const Study& study) {
  auto analysis = std::make_shared<AnalysisFile>(*study.analysis);
  for (Table& table : analysis->tables) {
    for (Column& column : table.columns) {
      if (column.name == "taxonomy") column.values = std::vector<std::string>(table.rows(), "mixed");
      auto* values = std::get_if<std::vector<double>>(&column.values);
      if (values == nullptr || column.name == "start" || column.name == "end" || column.name == "tau")
        continue;
      if (table.name == "axes")  // other directions, still of length 1
        std::rotate(values->begin(), values->begin() + 2, values->end());
      else
        for (double& value : *values) value *= 0.9;
    }
  }
  auto other = std::make_shared<Study>(study);
  other->analysis = analysis;
  return other;
}

std::vector<std::string> thesisIds() {
  std::vector<std::string> ids;
  for (const FigureKind& kind : thesisKinds()) ids.push_back(kind.id);
  return ids;
}

FigureSpec specOf(const std::string& id, std::size_t studies) {
  return test::specOf({id, Theme::Light, studies}, 3.25);
}

// All texts of a figure.
std::string textsOf(const FigureContent& content, const FigureSpec& spec) {
  const FigureLayout layout = layoutOf(spec);
  std::string texts;
  const LaidOutPlot plot = layOutPlot(layout.units, layout.style, content.plot);
  const auto add = [&texts](const Primitives& shapes) {
    for (const Primitive& shape : shapes) texts += shape.text.toStdString() + "\n";
  };
  for (const LaidOutPanel& panel : plot.panels) add(panel.shapes);
  add(plot.legends);
  return texts;
}

// Rows of a figure's table that belong to a series.
std::vector<double> numbersOf(const Table& table, const std::string& column, const std::string& series) {
  std::vector<double> numbers;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.texts("series")[row].rfind(series, 0) == 0) numbers.push_back(table.numbers(column)[row]);
  }
  return numbers;
}

class OwnDataOfTheThesisFigure : public testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(OwnDataOfTheThesisFigure, AreDrawnOrRefusedWithTheReason) {
  const FigureKind& kind = figureKind(GetParam());
  bool tried = false;
  for (const std::size_t count : {1U, 2U, 3U}) {
    if (!kind.holds(count)) continue;
    tried = true;
    const Studies own = test::figureStudies(count);
    Studies others;
    for (const auto& study : own) others.push_back(changed(*study));
    std::string drawn;
    try {
      drawn = toCsv(prepareFigure(own, specOf(kind.id, count)).data);
    } catch (const Error& error) {
      EXPECT_NE(error.exitCode(), 1) << error.what();
      EXPECT_GT(std::string(error.what()).size(), 20U);
      continue;
    }
    EXPECT_NE(drawn, toCsv(prepareFigure(others, specOf(kind.id, count)).data))
        << kind.id << " of " << count << " ignores its studies";
  }
  EXPECT_TRUE(tried) << "no number of studies fits";
}

INSTANTIATE_TEST_SUITE_P(Thesis, OwnDataOfTheThesisFigure, testing::ValuesIn(thesisIds()),
                         [](const auto& of) {
                           std::string name = of.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(OwnDataOfABenchmark, NeedsAScoreOrIsRefused) {
  FigureSpec spec;
  spec.figure = "AP-10";
  try {
    prepareFigure({test::figureStudy()}, spec);
    FAIL() << "the model has no score";
  } catch (const UsageError& error) {
    const std::string sentence = error.what();
    for (const char* part : {"LongBench-Pro", "Formula-12x6", "--scores"})
      EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  }
  const QTemporaryDir folder;
  spec.scores = folder.filePath("scores.csv").toStdString();
  writeFileAtomically(spec.scores, "model,score\nFormula-12x6,31.5\nqwen3-4b,30\n");
  const std::string rows = toCsv(prepareFigure({test::figureStudy()}, spec).data);
  EXPECT_NE(rows.find("point,Formula-12x6,llama,own,true,"), std::string::npos) << rows;
}

// plasticity_deciles.csv of a capture of 131,072 tokens, beside a study of 4,096.
TEST(PublishedProfile, UsesItsOwnWindowAndLabelsIt) {
  FigureSpec spec = specOf("profile", 1);
  spec.reference = "qwen3-0.6b";
  const Studies studies = {test::figureStudy()};
  const FigureContent shares = prepareFigure(studies, spec);
  const std::vector<double> tau = numbersOf(shares.data, "tau", "thesis"),
                            share = numbersOf(shares.data, "share", "thesis");
  ASSERT_EQ(tau.size(), 10U);
  EXPECT_DOUBLE_EQ(tau[0], 0.05 * 131072) << "tokens of the published model";
  EXPECT_DOUBLE_EQ(share[9], 0.95);
  const double ownTau = numbersOf(shares.data, "tau", "mean")[20];
  EXPECT_DOUBLE_EQ(numbersOf(shares.data, "share", "mean")[20], ownTau / 4096);
  const FigureLayout layout = layoutOf(spec);
  const LaidOutPanel byShare = layOutPlot(layout.units, layout.style, shares.plot).panels.front();
  EXPECT_NE(byShare.bottom.title.indexOf("share of the window"), -1);
  EXPECT_EQ(byShare.bottom.labels.back(), QStringLiteral("100\u2009%"));
  EXPECT_NE(textsOf(shares, spec).find("window 128K"), std::string::npos);

  spec.axis = PositionAxis::Tokens;
  const FigureContent tokens = prepareFigure(studies, spec);
  const LaidOutPanel byTokens = layOutPlot(layout.units, layout.style, tokens.plot).panels.front();
  EXPECT_DOUBLE_EQ(byTokens.bottom.high, 131072);
  EXPECT_NE(byTokens.bottom.title.indexOf("tokens"), -1);
  EXPECT_EQ(tokens.data.find("share"), nullptr);

  spec.axis.reset();
  spec.reference.clear();
  const LaidOutPanel alone =
      layOutPlot(layout.units, layout.style, prepareFigure(studies, spec).plot).panels.front();
  EXPECT_DOUBLE_EQ(alone.bottom.high, 4096);
  EXPECT_NE(alone.bottom.title.indexOf("tokens"), -1) << "as before without published numbers";
}

TEST(PublishedProfile, UsesItsOwnWindowInAComparison) {
  Studies studies = test::figureStudies(2);
  auto known = std::make_shared<AnalysisFile>(*studies[1]->analysis);
  known->provenance.capture.set("model", "Qwen/Qwen3-0.6B");
  auto study = std::make_shared<Study>(*studies[1]);
  study->analysis = known;
  studies[1] = study;
  FigureSpec spec = specOf("compare", 2);
  spec.scope.head.reset();
  spec.published = true;
  spec.axis = PositionAxis::Tokens;
  const FigureContent content = prepareFigure(studies, spec);
  const FigureLayout layout = layoutOf(spec);
  EXPECT_DOUBLE_EQ(layOutPlot(layout.units, layout.style, content.plot).panels.front().bottom.high, 131072);
  for (std::size_t row = 0; row < content.data.rows(); ++row) {
    if (content.data.texts("part")[row] != "published") continue;
    EXPECT_DOUBLE_EQ(content.data.numbers("position")[row], content.data.numbers("share")[row] * 131072);
  }
  EXPECT_NE(textsOf(content, spec).find("window 128K"), std::string::npos);
}

namespace {

// A capture as it is made with --no-texts.
class WithoutTexts : public CaptureFile {
 public:
  explicit WithoutTexts(std::shared_ptr<const CaptureFile> capture) : m_capture(std::move(capture)) {}
  const CaptureInfo& info() const override { return m_capture->info(); }
  const std::filesystem::path& path() const override { return m_capture->path(); }
  CapturedRows rows(const RowPlace& place) const override { return m_capture->rows(place); }

 private:
  std::shared_ptr<const CaptureFile> m_capture;
};

}  // namespace

TEST(FiguresOfATextWithoutWords, NameKeysByTheirPositionsAndRefuseThePage) {
  auto study = std::make_shared<Study>(*test::figureStudy());
  study->capture = std::make_shared<WithoutTexts>(study->capture);
  try {
    prepareFigure({study}, specOf("text", 1));
    FAIL() << "the capture has no words";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("does not hold the words"), std::string::npos) << error.what();
  }
  const auto offered = figuresFor({study});
  EXPECT_EQ(std::ranges::count(offered, "text", &FigureKind::id), 0);
  EXPECT_EQ(std::ranges::count(offered, "keys", &FigureKind::id), 1);
  const FigureContent keys = prepareFigure({study}, specOf("keys", 1));
  const std::string first = keys.plot.panels.back().boxes.front().y.names.front();
  EXPECT_TRUE(first.starts_with("1  key ")) << first;
}

TEST(FiguresOfAText, ShowTheRequestedTokensOrRefuse) {
  const Studies studies = {test::figureStudy()};
  FigureSpec spec = specOf("text", 1);
  spec.heightInches = 0;
  spec.tokens = 300;
  EXPECT_EQ(prepareFigure(studies, spec).data.rows(), 300U);
  const double whole = resolveSize(spec).heightInches;
  spec.tokens = 40;
  EXPECT_LT(resolveSize(spec).heightInches, whole / 2);
  spec.heightInches = 1;
  spec.tokens = 400;
  EXPECT_THROW(prepareFigure(studies, spec), UsageError);
  spec.tokens = 0;
  spec.text = "text-9";
  EXPECT_THROW(prepareFigure(studies, spec), UsageError);
}

TEST(QuintilesOfGroups, AreOneLineForEachGroup) {
  const Studies studies = test::figureStudies(1);
  FigureSpec spec = specOf("quintiles", 1);
  spec.scope.head.reset();
  spec.groups = {"first=L1H0-2", "second=L4H1-2,L6H1"};
  const FigureContent content = prepareFigure(studies, spec);
  const Table& heads = *studies.front()->analysis->find("heads");
  std::vector<std::vector<double>> drawn;
  for (const Mark& mark : content.plot.boxes.front().marks)
    if (const auto* line = std::get_if<LineMark>(&mark.kind); line && line->marker) drawn.push_back(line->y);
  ASSERT_EQ(drawn.size(), 2U);
  for (int k = 0; k < 5; ++k) {
    const std::string column = "ap_quintile_" + std::to_string(k + 1);
    double first = 0;
    for (std::int64_t head = 0; head < 3; ++head)
      first += numberAt(heads, column, *headRow(heads, {1, head})) / 3;
    EXPECT_NEAR(drawn[0][static_cast<std::size_t>(k)], first, 1e-12) << column;
  }
}

// Figures show intervals by default, with the number of heads they are taken over.
TEST(MeansOfFigures, HaveIntervalsAndCounts) {
  struct Case {
    const char* figure;
    std::size_t studies;
    const char* column;
    const char* count;
  };
  for (const Case& one :
       {Case{"profile", 1, "ap_low", "68 heads"}, Case{"quintiles", 1, "ap_low", "68 heads"},
        Case{"depth", 1, "ap_overall_low", "67 heads"}, Case{"compare", 3, "ap_low", "68 heads"},
        Case{"compare-depth", 3, "ap_overall_low", "67 heads"}, Case{"trajectory", 3, "mean_low", "67 heads"},
        Case{"compare-bars", 3, "value_low", "67 heads"}}) {
    FigureSpec spec = specOf(one.figure, one.studies);
    spec.scope.head.reset();
    const Studies studies = test::figureStudies(one.studies);
    const FigureContent with = prepareFigure(studies, spec);
    ASSERT_NE(with.data.find(one.column), nullptr) << one.figure;
    const auto& low = with.data.numbers(one.column);
    EXPECT_TRUE(std::any_of(low.begin(), low.end(), [](double end) { return std::isfinite(end); }))
        << one.figure;
    const std::string texts = textsOf(with, spec);
    EXPECT_NE(texts.find("95"), std::string::npos) << one.figure << "\n" << texts;
    EXPECT_NE(texts.find("over heads"), std::string::npos) << one.figure << "\n" << texts;
    EXPECT_NE(texts.find(one.count), std::string::npos) << one.figure << "\n" << texts;
    spec.intervals = false;
    const FigureContent without = prepareFigure(studies, spec);
    EXPECT_EQ(without.data.find(one.column), nullptr) << one.figure;
    EXPECT_EQ(textsOf(without, spec).find("95\u2009%"), std::string::npos) << one.figure;
  }
}

}  // namespace plastiscope
