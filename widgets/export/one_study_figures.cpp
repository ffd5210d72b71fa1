// Figures of one study.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/base/error.h"
#include "core/compare/reference_data.h"
#include "core/figures/figures.h"
#include "core/jobs/inspect_job.h"
#include "core/views/figure_tables.h"
#include "widgets/export/study_figures.h"

namespace plastiscope {

namespace {

// Converts integers, which cannot be missing, to doubles; both are written alike.
void allowMissing(Column& column) {
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.values))
    column.values = std::vector<double>(whole->begin(), whole->end());
}

// One row per point of the curve: its name in column `series`, place(x) in `x`, y in `y`, other columns
// empty.
Table withPublished(Table table, const ReferenceCurve& curve, const std::string& x, const std::string& y,
                    const std::function<double(double)>& place) {
  if (curve.empty()) return table;
  for (Column& column : table.columns) {
    allowMissing(column);
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (auto* texts = std::get_if<std::vector<std::string>>(&column.values)) {
        texts->push_back(column.name == "series" ? curve.label + ", " + curve.source : "");
        continue;
      }
      auto& numbers = std::get<std::vector<double>>(column.values);
      numbers.push_back(column.name == x   ? place(curve.x[i])
                        : column.name == y ? curve.y[i]
                                           : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return table;
}

std::string metricOf(const FigureSpec& spec) {
  return spec.metric.empty() ? columnAs(spec.plasticity, "ap_overall") : spec.metric;
}

FigureContent plane(const Study& study, const FigureSpec& spec, PlaneData (*make)(const Study&, HeadName)) {
  const auto data = std::make_shared<const PlaneData>(make(study, *spec.scope.head));
  if (!data->missing.empty()) throw InputError(data->missing);
  const TokenTypes types = spec.colour == RowColour::TokenType ? tokenTypesOf(*study.capture) : TokenTypes();
  const auto colouring = colourRows(*data, spec.colour, &types);
  return {planePlot(data, colouring), tableOf(*data, colouring.get())};
}

// Published numbers of the model in the spec; empty curves without one.
std::shared_ptr<const PublishedProfile> publishedProfile(const FigureSpec& spec) {
  if (spec.reference.empty()) return std::make_shared<PublishedProfile>();
  const std::string model = requiredReferenceModel(spec.reference).id;
  return std::make_shared<PublishedProfile>(
      PublishedProfile{referenceProfile(model), referenceQuintiles(model)});
}

// Error if a requested reference has no data for this figure.
void requirePublished(const ReferenceCurve& curve, const FigureSpec& spec, const std::string& what) {
  if (!spec.reference.empty() && curve.empty())
    throw UsageError("the published numbers have no " + what + " of " + spec.reference);
}

ProfileData profileData(const Study& study, const FigureSpec& spec) {
  const auto field = makeProfileFields(*study.analysis, spec.scope, spec.plasticity);
  return spec.scope.several.empty() ? makeProfile(field, spec.scope.head)
                                    : makeProfile(field, spec.scope.several);
}

// Map with every pair, as in the window: with a sample many cells have too few.
MapData mapData(const Study& study, const FigureSpec& spec) {
  if (!spec.scope.head || !canRefineMap(study)) return makeMap(*study.analysis, spec.scope, spec.plasticity);
  Progress silent;
  MapData data = makeExactMap(study, *spec.scope.head, spec.plasticity, silent);
  data.scopeText += ", all pairs";
  return data;
}

// Adds the share of the window to every position if the axis shows shares; published positions use the window
// of their own model.
void addShares(Table& table, const ReferenceCurve& published, double window) {
  std::vector<double> shares = table.numbers("tau");
  const std::size_t own = shares.size() - published.x.size();
  for (std::size_t row = 0; row < shares.size(); ++row)
    shares[row] = row < own ? shares[row] / window : published.x[row - own];
  table.columns.push_back({"share", std::move(shares)});
}

FigureContent profileParts(const Study& study, const FigureSpec& spec, ProfileParts parts) {
  const ProfileData data = profileData(study, spec);
  const ProfileOptions options{parts, spec.range, publishedProfile(spec), spec.intervals, spec.axis};
  const ReferenceCurve& published = options.published->profile;
  const auto window = static_cast<double>(data.field->window);
  const double whole = published.window > 0 ? static_cast<double>(published.window) : window;
  const auto same = [](double quintile) { return quintile; };
  std::vector<PanelTable> tables;
  if (parts != ProfileParts::Quintiles) {
    requirePublished(published, spec, "profile");
    Table table = withPublished(shownColumns(profileTableOf(data), spec), published, "tau", "ap",
                                [whole](double share) { return share * whole; });
    if (positionAxisOf(data, options) == PositionAxis::Share) addShares(table, published, window);
    tables.push_back({"profile", std::move(table)});
  }
  if (parts != ProfileParts::Profile) {
    requirePublished(options.published->quintiles, spec, "quintiles");
    tables.push_back({"quintiles", withPublished(shownColumns(quintileTableOf(data), spec),
                                                 options.published->quintiles, "quintile", "ap", same)});
  }
  return {profilePlot(data, options), tables.size() == 1 ? tables.front().table : joinPanels(tables)};
}

HeadGridData gridOf(const Study& study, const FigureSpec& spec) {
  std::vector<HeadName> similar;
  if (spec.gridOrder == HeadOrder::Similar) similar = headsBySimilarity(*study.analysis, spec.plasticity);
  return makeHeadGrid(study.analysis, factsOf(study), metricOf(spec),
                      {spec.gridOrder, spec.gridShow, similar, spec.plasticity});
}

std::pair<double, double> headGridRange(const Study& study, const FigureSpec& spec) {
  const auto data = gridOf(study, spec);
  return {data.low, data.high};
}

FigureContent headGridFigure(const Study& study, const FigureSpec& spec) {
  const auto data = gridOf(study, spec);
  return {headGridPlot(data, {spec.range}), tableOf(data)};
}

FigureContent abScatterFigure(const Study& study, const FigureSpec& spec) {
  FigureContent content = plane(study, spec, makeAbPlane);
  const AnalysisFile& analysis = *study.analysis;
  const double r =
      numberAt(requiredTable(analysis, "heads"), "position_r", *headRow(analysis, *spec.scope.head));
  if (std::isfinite(r)) content.plot.legend.push_back(textEntry("position <i>r</i> " + fixedText(r, 2)));
  return content;
}

FigureContent pcaScatterFigure(const Study& study, const FigureSpec& spec) {
  return plane(study, spec, makePcaPlane);
}

FigureContent groupProfiles(const Study& study, const FigureSpec& spec, ProfileParts parts) {
  const auto field = makeProfileFields(*study.analysis, {}, spec.plasticity);
  std::vector<GroupProfile> groups;
  std::vector<PanelTable> tables;
  for (const HeadGroup& group : groupsOf(study, spec)) {
    ProfileData data = makeProfile(field, group.heads);
    auto shown = std::make_shared<ShownProfile>(*data.shown);
    shown->name = group.name;
    data.shown = std::move(shown);
    const bool quintiles = parts == ProfileParts::Quintiles;
    tables.push_back(
        {group.name, shownColumns(quintiles ? quintileTableOf(data) : profileTableOf(data), spec)});
    groups.push_back({group, std::move(data)});
  }
  const ProfileOptions options{parts, spec.range, nullptr, spec.intervals, spec.axis};
  return {groupProfilesPlot(groups, options), joinPanels(tables)};
}

FigureContent profileFigure(const Study& study, const FigureSpec& spec) {
  if (!spec.groups.empty()) return groupProfiles(study, spec, ProfileParts::Profile);
  return profileParts(study, spec, ProfileParts::Profile);
}

FigureContent quintilesFigure(const Study& study, const FigureSpec& spec) {
  if (!spec.groups.empty()) return groupProfiles(study, spec, ProfileParts::Quintiles);
  return profileParts(study, spec, ProfileParts::Quintiles);
}

FigureContent profileAndQuintilesFigure(const Study& study, const FigureSpec& spec) {
  return profileParts(study, spec, ProfileParts::Both);
}

FigureContent mapFigure(const Study& study, const FigureSpec& spec) {
  const MapData data = mapData(study, spec);
  return {mapPlot(data, {spec.range}), tableOf(data)};
}

FigureContent componentsFigure(const Study& study, const FigureSpec& spec) {
  const ComponentsData data = makeComponents(*study.analysis, spec.scope);
  return {componentsPlot(data), tableOf(data)};
}

FigureContent weightsFigure(const Study& study, const FigureSpec& spec) {
  const ComponentWeightsData data = makeComponentWeights(*study.analysis, factsOf(study), spec.scope);
  return {weightsPlot(data), tableOf(data)};
}

FigureContent depthFigure(const Study& study, const FigureSpec& spec) {
  const DepthData data = makeDepth(*study.analysis, factsOf(study), metricOf(spec));
  const ReferenceCurve published =
      spec.reference.empty() ? ReferenceCurve()
                             : referenceDepth(requiredReferenceModel(spec.reference).id, metricOf(spec));
  requirePublished(published, spec, metricOf(spec) + " by depth");
  const auto toLayer = [&data](double share) { return share * static_cast<double>(data.layers - 1); };
  return {depthPlot(data, spec.range, published, spec.intervals),
          withPublished(shownColumns(tableOf(data), spec), published, "layer", metricOf(spec), toLayer)};
}

FigureContent headMetricsFigure(const Study& study, const FigureSpec& spec) {
  const HeadMetricsData data = makeHeadMetrics(*study.analysis, axesOf(spec));
  return {headMetricsPlot(data), tableOf(data)};
}

FigureContent placementFigure(const Study& study, const FigureSpec& spec) {
  const PlacementData data = makePlacement(*study.analysis, spec.scope);
  return {placementPlot(data, spec.range), tableOf(data)};
}

FigureContent salienceFigure(const Study& study, const FigureSpec& spec) {
  const SalienceData data = makeSalience(*study.analysis, spec.scope);
  return {saliencePlot(data, spec.range), tableOf(data)};
}

FigureContent softmaxFigure(const Study& study, const FigureSpec& spec) {
  const SoftmaxData data = makeSoftmax(*study.analysis, spec.scope);
  return {softmaxPlot(data, spec.range), tableOf(data)};
}

FigureContent taxonomyFigure(const Study& study, const FigureSpec& spec) {
  const TaxonomyData data = makeTaxonomy(*study.analysis, spec.scope);
  return {taxonomyPlot(data), tableOf(data)};
}

FigureContent causalFigure(const Study& study, const FigureSpec& spec) {
  const auto figure = std::ranges::find(causalFigures(), std::string_view(spec.figure), &CausalFigure::id);
  const Table& table = requiredTable(*study.analysis, figure->table);
  return {figure->plot(table), table};
}

FigureContent compositionFigure(const Study& study, const FigureSpec&) {
  const Table& table = requiredTable(*study.analysis, kEdgesTable);
  return {compositionPlot(table), table};
}

}  // namespace

std::vector<FigureKind> oneStudyFigures() {
  using enum HeadNeed;
  std::vector<FigureKind> kinds = {
      {.id = "ab-scatter",
       .title = "{a, b} plane",
       .head = Required,
       .options = {"colour"},
       .proportion = 0.78,
       .prepare = ofOne<abScatterFigure>,
       .needsRows = true},
      {.id = "pca-scatter",
       .title = "PC0 and PC1",
       .head = Required,
       .options = {"colour"},
       .proportion = 0.78,
       .prepare = ofOne<pcaScatterFigure>,
       .needsRows = true},
      {.id = "profile",
       .title = "Profile",
       .head = Optional,
       .options = {"layer", "range", "reference", "axis", "intervals", "mean_of", "groups", "plasticity"},
       .proportion = 0.5,
       .prepare = ofOne<profileFigure>,
       .together = true},
      {.id = "profile-quintiles",
       .title = "Profile and quintiles",
       .head = Optional,
       .options = {"layer", "range", "reference", "axis", "intervals", "mean_of", "groups", "plasticity"},
       .proportion = 0.8,
       .prepare = ofOne<profileAndQuintilesFigure>},
      {.id = "quintiles",
       .title = "Quintiles",
       .head = Optional,
       .options = {"layer", "range", "reference", "intervals", "mean_of", "groups", "plasticity"},
       .proportion = 0.382,
       .prepare = ofOne<quintilesFigure>,
       .together = true},
      {.id = "map",
       .title = "Plasticity map",
       .head = Optional,
       .options = {"layer", "range", "mean_of", "groups", "plasticity"},
       .proportion = 0.8125,
       .prepare = ofOne<mapFigure>},
      {.id = "placement",
       .title = "Placement and content",
       .head = Optional,
       .options = {"layer", "range", "mean_of", "groups"},
       .proportion = 0.8125,
       .prepare = ofOne<placementFigure>,
       .needsTable = "placement"},
      {.id = "salience",
       .title = "Position and salience",
       .head = Optional,
       .options = {"layer", "range", "mean_of", "groups"},
       .proportion = 0.6,
       .prepare = ofOne<salienceFigure>,
       .needsTable = "salience"},
      {.id = "softmax",
       .title = "Softmax by position",
       .head = Optional,
       .options = {"layer", "range", "mean_of", "groups"},
       .proportion = 0.8,
       .prepare = ofOne<softmaxFigure>,
       .needsTable = "softmax"},
      {.id = "components",
       .title = "Principal components",
       .head = Optional,
       .options = {"layer", "mean_of", "groups"},
       .proportion = 0.75,
       .prepare = ofOne<componentsFigure>},
      {.id = "component-weights",
       .title = "Component weights",
       .head = Optional,
       .options = {"layer", "mean_of", "groups"},
       .proportion = 0.4,
       .prepare = ofOne<weightsFigure>},
      {.id = "head-grid",
       .title = "Head grid",
       .options = {"metric", "range", "grid_order", "grid_show", "plasticity"},
       .proportion = 0.8,
       .prepare = ofOne<headGridFigure>,
       .fittedRange = headGridRange},
      {.id = "depth",
       .title = "Metric by layer",
       .options = {"metric", "range", "reference", "intervals", "plasticity"},
       .proportion = 0.5,
       .prepare = ofOne<depthFigure>},
      {.id = "taxonomy",
       .title = "Taxonomy",
       .options = {"layer"},
       .proportion = 0.85,
       .prepare = ofOne<taxonomyFigure>},
      {.id = "head-metrics",
       .title = "Heads on free axes",
       .options = {"metric", "against", "colour_metric", "plasticity"},
       .proportion = 0.75,
       .prepare = ofOne<headMetricsFigure>},
      {.id = "composition",
       .title = "Composition",
       .proportion = 0.7,
       .prepare = ofOne<compositionFigure>,
       .needsTable = kEdgesTable},
  };
  for (const CausalFigure& figure : causalFigures())
    kinds.push_back({.id = figure.id,
                     .title = figure.title,
                     .proportion = figure.proportion,
                     .prepare = ofOne<causalFigure>,
                     .needsTable = figure.table,
                     .tall = figure.tall});
  return kinds;
}

}  // namespace plastiscope
