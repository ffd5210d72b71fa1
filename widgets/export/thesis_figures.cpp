#include "widgets/export/thesis_figures.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/compare/compared_profiles.h"
#include "core/compare/published_figures.h"
#include "core/figures/figures.h"
#include "core/views/figure_tables.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/study_figures.h"

namespace plastiscope {

namespace {

// --- Published numbers only; spec.metric: one metric

const char* const kSubject = "the thesis";

FigureContent trajectory(const std::vector<std::string>& metrics, const FigureSpec& spec,
                         Plot (*plot)(const TrajectoryData&, const ValueRange&, bool)) {
  const TrajectoryData data = publishedTrajectory(metrics);
  return {plot(data, spec.range, spec.intervals), tableOf(data), kSubject, data.published};
}

FigureContent shares(const ComparedShares& data) {
  return {comparedSharesPlot(data), tableOf(data), kSubject, data.published};
}

FigureContent publishedMapContent(const ThesisFigure& figure, const FigureSpec& spec) {
  const MapData data = publishedMap(figure.shows.model);
  const MapOptions options{spec.range, false};
  return {mapPlot(data, options), tableOf(data), kSubject, data.published};
}

// On the axes of the thesis: tokens, and AP from 0 to 1.
FigureContent publishedProfileContent(const ThesisFigure& figure, const FigureSpec& spec) {
  const std::string input = publishedInput(figure.shows.model);
  const ComparedProfiles data =
      compareProfiles(makeComparison({{"", input, publishedStudy(input)->analysis}}));
  const CompareOptions options{CompareParts::Profiles, PositionAxis::Tokens,
                               spec.range.value_or(std::pair{0.0, 1.0})};
  return {comparePlot(data, options), tableOf(data), kSubject, referenceProfile(figure.shows.model).source};
}

FigureContent publishedWeightsContent(const ThesisFigure& figure, const FigureSpec&) {
  const ComponentWeightsData data = publishedWeights(figure.shows.model);
  return {weightsPlot(data), tableOf(data), kSubject, data.published};
}

FigureContent publishedCheckpointsContent(const ThesisFigure&, const FigureSpec& spec) {
  return trajectory(checkpointMetrics(), spec, checkpointsPlot);
}

FigureContent publishedTrajectoryContent(const ThesisFigure&, const FigureSpec& spec) {
  return trajectory({spec.metric}, spec, trajectoryPlot);
}

FigureContent publishedSignalContent(const ThesisFigure&, const FigureSpec& spec) {
  return trajectory(signalMetrics(), spec, signalPlot);
}

FigureContent publishedBenchmarkContent(const ThesisFigure&, const FigureSpec& spec) {
  FigureContent content = figureKind("benchmark").prepare({}, spec);
  content.note = "printed, notes";
  return content;
}

FigureContent publishedComponentSignalContent(const ThesisFigure&, const FigureSpec& spec) {
  return barsContent(componentSignalBars(publishedComponents()), spec, kSubject);
}

FigureContent publishedComponentVarianceContent(const ThesisFigure&, const FigureSpec& spec) {
  return barsContent(componentVarianceBars(publishedComponents()), spec, kSubject);
}

FigureContent publishedDepthContent(const ThesisFigure& figure, const FigureSpec& spec) {
  return depthMapContent(publishedDepthMap(figure.shows.models, spec.metric), spec, kSubject);
}

FigureContent publishedTaxonomyContent(const ThesisFigure&, const FigureSpec&) {
  return shares(publishedTaxonomy());
}

FigureContent publishedVarianceContent(const ThesisFigure&, const FigureSpec&) {
  return shares(publishedVariance());
}

FigureContent publishedSignalBarsContent(const ThesisFigure&, const FigureSpec& spec) {
  return barsContent(publishedSignalBars(), spec, kSubject);
}

FigureContent publishedBarsContent(const ThesisFigure& figure, const FigureSpec& spec) {
  return barsContent(publishedModelBars(figure.shows.models, spec.metric), spec, kSubject);
}

// --- The list

constexpr const char* kFourHeads = "L5H13,L1H8,L13H20,L12H6";  // of Llama-3.2-3B
constexpr PublishedModels kCheckpoints = PublishedModels::Checkpoints;
constexpr const char* kSmolLM3 = "SmolLM3-3B; s1 to s3: pre-training, lc1, lc2: context extension";
constexpr const char* kSmolLM3OnPc0 = "mean over heads, PC0; SmolLM3-3B, lc1, lc2: context extension";
constexpr const char* kOnPc0 = "mean over heads, PC0";
constexpr const char* kTenths = "mean over heads, by tenths of the window";
constexpr const char* kNoHeadProfiles = "profiles of single heads";
constexpr const char* kAllHeads = "mean of the 3,239 heads of eleven models";

using Shown = ThesisFigure::Shown;

// id, title, number in the thesis, figure, height / width, what it shows
constexpr ThesisFigure kFigures[] = {
    ThesisFigure{"AP-01", "Plasticity map, Ministral-3-14B", "6.3", "map", 0.8125,
                 Shown{.published = publishedMapContent, .model = "ministral3-14b"},
                 "the number of pairs in a cell"},
    ThesisFigure{"AP-02", "Plasticity map, Qwen3-14B", "6.3", "map", 0.8125,
                 Shown{.published = publishedMapContent, .model = "qwen3-14b"},
                 "the number of pairs in a cell"},
    ThesisFigure{"AP-03", "Plasticity map, Llama-3.2-3B", "6.3", "map", 0.8125,
                 Shown{.published = publishedMapContent, .model = "llama3.2-3b"},
                 "the number of pairs in a cell"},
    ThesisFigure{"AP-04", "Plasticity map, Llama-3.2-11B", "6.3", "map", 0.8125,
                 Shown{.published = publishedMapContent, .model = "llama3.2-11b"},
                 "the number of pairs in a cell"},
    ThesisFigure{"AP-05", "Head profiles, Ministral-3-3B", "6.4", "profile", 0.5,
                 Shown{.published = publishedProfileContent, .model = "ministral3-3b", .says = kTenths},
                 kNoHeadProfiles},
    ThesisFigure{"AP-06", "Head profiles, Qwen3-4B", "6.4", "profile", 0.5,
                 Shown{.published = publishedProfileContent, .model = "qwen3-4b", .says = kTenths},
                 kNoHeadProfiles},
    ThesisFigure{"AP-07", "Head profiles, Llama-3.2-3B", "6.4", "profile", 0.5,
                 Shown{.published = publishedProfileContent, .model = "llama3.2-3b", .says = kTenths},
                 kNoHeadProfiles},
    ThesisFigure{"AP-08", "Component weights, Qwen3-14B", "", "component-weights", 0.48,
                 Shown{.published = publishedWeightsContent, .model = "qwen3-14b"},
                 "123 of the 128 weights: only the five largest were read"},
    ThesisFigure{"AP-09", "Trajectory of SmolLM3", "6.6", "trajectory", 0.7,
                 Shown{.published = publishedCheckpointsContent, .says = kSmolLM3}},
    ThesisFigure{"AP-10", "AP drop and LongBench-Pro", "6.7", "benchmark", 0.618,
                 Shown{.metric = "ap_drop", .published = publishedBenchmarkContent}},
    ThesisFigure{"PCA-01", "r by component", "6.1", "component-signal", 0.5,
                 Shown{.published = publishedComponentSignalContent, .says = kAllHeads}},
    ThesisFigure{"PCA-02", "r of queries and keys on PC0", "A.1", "head-scatter", 0.85,
                 Shown{.metric = "r_k", .against = "r_q"}, "the values of single heads"},
    ThesisFigure{"PCA-03", "r of queries by depth", "", "depth-map", 0.55,
                 Shown{.metric = "r_q", .published = publishedDepthContent, .says = kOnPc0}},
    ThesisFigure{"PCA-04", "r of keys by depth", "", "depth-map", 0.55,
                 Shown{.metric = "r_k", .published = publishedDepthContent, .says = kOnPc0}},
    ThesisFigure{"PCA-05", "Variance by component", "", "component-variance", 0.5,
                 Shown{.published = publishedComponentVarianceContent, .says = kAllHeads}},
    ThesisFigure{"PCA-06", "PC0 and PC1 of four heads", "", "pca-scatter", 0.85,
                 Shown{.heads = kFourHeads, .columns = 2}, "the rows of the four heads"},
    ThesisFigure{"PCA-07", "r over checkpoints", "", "signal", 0.56,
                 Shown{.published = publishedSignalContent, .says = kSmolLM3OnPc0},
                 "the band of one standard deviation"},
    ThesisFigure{"PCA-08", "Classes over checkpoints", "A.4", "compare-taxonomy", 0.66,
                 Shown{.published = publishedTaxonomyContent, .says = kSmolLM3}},
    ThesisFigure{"PCA-09", "Variance of PC0 over checkpoints", "", "trajectory", 0.56,
                 Shown{.metric = "pc0_variance", .published = publishedTrajectoryContent, .says = kSmolLM3},
                 "the band of one standard deviation"},
    ThesisFigure{"PCA-10", "r of queries by depth, checkpoints", "", "depth-map", 0.55,
                 Shown{.metric = "r_q",
                       .published = publishedDepthContent,
                       .models = kCheckpoints,
                       .says = kSmolLM3OnPc0}},
    ThesisFigure{"PCA-11", "r of keys by depth, checkpoints", "", "depth-map", 0.55,
                 Shown{.metric = "r_k",
                       .published = publishedDepthContent,
                       .models = kCheckpoints,
                       .says = kSmolLM3OnPc0}},
    ThesisFigure{"PCA-12", "r of queries and keys, checkpoints", "A.5", "taxonomy", 0.95, Shown{},
                 "the values of single heads"},
    ThesisFigure{"ROT-01", "{a, b} plane of four heads", "", "ab-scatter", 0.85,
                 Shown{.heads = "L1H8,L5H13,L12H6,L13H20", .columns = 2}, "the rows of the four heads"},
    ThesisFigure{"ROT-02", "Signal on a by model", "6.2", "compare-signal", 0.5,
                 Shown{.published = publishedSignalBarsContent}},
    ThesisFigure{"ROT-03", "Variance of plane and complement", "", "compare-variance", 0.6,
                 Shown{.published = publishedVarianceContent}},
    ThesisFigure{"ROT-04", "Spread of the bias", "A.2", "density", 0.5,
                 Shown{.metric = "bias_strength", .panels = "family", .columns = 3},
                 "the values of single heads"},
    ThesisFigure{
        "ROT-05", "Slope ratio by model", "", "compare-bars", 0.5,
        Shown{
            .metric = "slope_ratio",
            .published = publishedBarsContent,
            .says =
                "abs <i>\u03b1</i><sub>K</sub> / abs <i>\u03b1</i><sub>Q</sub>; above 1 keys drift faster"}},
    ThesisFigure{
        "ROT-06", "r of keys on a, and bias, by depth", "", "depth-map", 1.05,
        Shown{.metric = "abs_r_k_a,bias_strength", .columns = 1, .published = publishedDepthContent}},
    ThesisFigure{
        "ROT-07", "Bias and separation by family", "A.3", "head-scatter", 0.5,
        Shown{.metric = "bias_strength", .against = "separation_strength", .panels = "family", .columns = 3},
        "the values of single heads"},
    ThesisFigure{"ROT-08", "Pairs outside the plane", "", "complement", 0.92, Shown{.heads = "L5H13"},
                 "the rows of the head"},
    ThesisFigure{"ROT-09", "Plane over checkpoints", "", "compare-bars", 0.8,
                 Shown{.metric = "abs_r_k_a,separation_strength,bias_strength,plane_var_fraction",
                       .columns = 2,
                       .published = publishedBarsContent,
                       .models = kCheckpoints,
                       .says = kSmolLM3}},
    ThesisFigure{"ROT-10", "Parts of the bias over checkpoints", "6.5", "compare-bars", 0.45,
                 Shown{.metric = "mu_q_a,alpha_k,bias_strength",
                       .columns = 3,
                       .leastPanelInches = 1.9,
                       .published = publishedBarsContent,
                       .models = kCheckpoints,
                       .says = kSmolLM3}},
};

const ThesisFigure& figureOf(const std::string& id) {
  for (const ThesisFigure& figure : thesisFigures()) {
    if (id == figure.id) return figure;
  }
  throw Error(ErrorKind::Internal, id + " is not a figure of the thesis");
}

// Kind of the figure that draws it, without the options set by the entry.
FigureKind kindOf(const ThesisFigure& figure) {
  const FigureKind& base = figureKind(figure.kind);
  FigureKind kind = base;
  kind.id = figure.id;
  kind.title = figure.title;
  if (base.head == HeadNeed::Optional) kind.head = HeadNeed::None;
  for (const char* option : {"metric", "against", "panels", "layer", "plasticity"})
    std::erase(kind.options, option);
  kind.proportion = figure.proportion;
  kind.prepare = thesisFigure;
  kind.published = figure.shows.published != nullptr;
  kind.tall = true;
  kind.columns = figure.shows.columns;
  kind.leastPanelInches = figure.shows.leastPanelInches;
  kind.byFamily = *figure.shows.panels != '\0';
  if (*figure.shows.heads != '\0') kind.usualHeads = parseHeadList(figure.shows.heads);
  return kind;
}

// Panels of the default heads require the thesis' model.
void requireUsualHeads(const ThesisFigure& figure, const Study& study) {
  const auto captured = headsOf(*study.analysis);
  for (const HeadName& head : parseHeadList(figure.shows.heads)) {
    if (std::find(captured.begin(), captured.end(), head) == captured.end())
      throw UsageError("figure " + std::string(figure.id) + " shows " + figure.shows.heads +
                       " of Llama-3.2-3B, but " + head.text() +
                       " was not captured: name other heads with --head");
  }
}

FigureContent publishedFigure(const ThesisFigure& figure, FigureSpec spec) {
  std::vector<ContentPanel> panels;
  for (const std::string& metric : FigureSpec(spec).metrics()) {
    spec.metric = metric;
    panels.push_back({"", figure.shows.published(figure, spec)});
  }
  FigureContent content = composePanels(std::move(panels), {spec.columns, true, {}, false});
  std::vector<LegendEntry>& legend = content.plot.legend;
  if (*figure.shows.says != '\0') legend.push_back(textEntry(figure.shows.says));
  if (*figure.lacks != '\0') legend.push_back(textEntry(std::string("not published: ") + figure.lacks));
  return content;
}

}  // namespace

std::span<const ThesisFigure> thesisFigures() {
  return kFigures;
}

const std::vector<FigureKind>& thesisKinds() {
  static const std::vector<FigureKind> kinds = [] {
    std::vector<FigureKind> made;
    for (const ThesisFigure& figure : thesisFigures()) made.push_back(kindOf(figure));
    return made;
  }();
  return kinds;
}

FigureContent thesisFigure(const Studies& studies, const FigureSpec& spec) {
  const ThesisFigure& figure = figureOf(spec.figure);
  FigureSpec own = spec;
  own.figure = figure.kind;
  own.metric = figure.shows.metric;
  if (figureKind(own.figure).takes("plasticity")) own.plasticity = ApKind::Binned;
  own.against = figure.shows.against;
  own.panels = *figure.shows.panels == '\0' ? PanelsOf::Usual : PanelsOf::Family;
  if (own.columns == 0) own.columns = columnsOf(figureKind(spec.figure), spec);
  if (studies.empty()) return publishedFigure(figure, own);
  if (*figure.shows.heads != '\0' && !own.scope.head && own.heads.empty()) {
    requireUsualHeads(figure, *studies.front());
    useHeads(own, figure.shows.heads);
  }
  return prepareFigure(studies, own);
}

}  // namespace plastiscope
