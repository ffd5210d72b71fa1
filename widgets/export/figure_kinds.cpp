#include "widgets/export/figure_kinds.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/compare/reference_data.h"
#include "core/views/figure_tables.h"
#include "widgets/export/published_rows.h"
#include "widgets/plots/components_figure.h"
#include "widgets/plots/head_grid_figure.h"
#include "widgets/plots/map_figure.h"
#include "widgets/plots/plane_figure.h"
#include "widgets/plots/profile_figure.h"
#include "widgets/plots/taxonomy_figure.h"

namespace plastiscope {

namespace {

FigureContent headGrid(const Study& study, const FigureSpec& spec) {
  const auto data = makeHeadGrid(study.analysis, factsOf(study), spec.metric);
  const HeadGridOptions options{spec.range, false};
  return {[data, options](QCustomPlot& plot, const PlotStyle& style) {
            buildHeadGrid(plot, data, style, options);
          },
          tableOf(data), ""};
}

FigureContent plane(const Study& study, const FigureSpec& spec, PlaneData (*make)(const Study&, HeadName)) {
  const auto data = std::make_shared<const PlaneData>(make(study, *spec.scope.head));
  if (!data->missing.empty()) throw InputError(data->missing);
  return {[data](QCustomPlot& plot, const PlotStyle& style) { buildPlane(plot, data, style); },
          tableOf(*data), ""};
}

FigureContent abScatter(const Study& study, const FigureSpec& spec) {
  return plane(study, spec, makeAbPlane);
}
FigureContent pcaScatter(const Study& study, const FigureSpec& spec) {
  return plane(study, spec, makePcaPlane);
}

// Published numbers of the model that the spec names; empty curves without one.
std::shared_ptr<const PublishedProfile> publishedProfile(const FigureSpec& spec) {
  if (spec.reference.empty()) return std::make_shared<PublishedProfile>();
  const std::string model = requiredReferenceModel(spec.reference).id;
  return std::make_shared<PublishedProfile>(PublishedProfile{ghostProfile(model), ghostQuintiles(model)});
}

// A reference that was asked for and says nothing about this figure is told, not left out.
void requirePublished(const GhostCurve& curve, const FigureSpec& spec, const std::string& what) {
  if (!spec.reference.empty() && curve.empty())
    throw UsageError("the reference data hold no " + what + " of " + spec.reference);
}

ProfileData profileData(const Study& study, const FigureSpec& spec) {
  return makeProfile(makeProfileField(*study.analysis, spec.scope), spec.scope.head);
}

FigureContent profile(const Study& study, const FigureSpec& spec) {
  const ProfileData data = profileData(study, spec);
  const ProfileOptions options{ProfileParts::Profile, spec.range, {}, publishedProfile(spec)};
  requirePublished(options.published->profile, spec, "profile");
  const auto toTokens = [&data](double share) { return share * static_cast<double>(data.field->window); };
  return {[data, options](QCustomPlot& plot, const PlotStyle& style) {
            buildProfile(plot, data, style, options);
          },
          withPublished(profileTableOf(data), options.published->profile, "tau", "ap", toTokens), ""};
}

FigureContent quintiles(const Study& study, const FigureSpec& spec) {
  const ProfileData data = profileData(study, spec);
  const ProfileOptions options{ProfileParts::Quintiles, spec.range, {}, publishedProfile(spec)};
  requirePublished(options.published->quintiles, spec, "quintiles");
  const auto same = [](double quintile) { return quintile; };
  return {[data, options](QCustomPlot& plot, const PlotStyle& style) {
            buildProfile(plot, data, style, options);
          },
          withPublished(quintileTableOf(data), options.published->quintiles, "quintile", "ap", same), ""};
}

FigureContent map(const Study& study, const FigureSpec& spec) {
  const MapData data = makeMap(*study.analysis, spec.scope);
  const MapOptions options{spec.range, false};
  return {
      [data, options](QCustomPlot& plot, const PlotStyle& style) { buildMap(plot, data, style, options); },
      tableOf(data), ""};
}

FigureContent components(const Study& study, const FigureSpec& spec) {
  const ComponentsData data = makeComponents(*study.analysis, spec.scope);
  return {[data](QCustomPlot& plot, const PlotStyle& style) { buildComponents(plot, data, style); },
          tableOf(data), ""};
}

FigureContent weights(const Study& study, const FigureSpec& spec) {
  const ComponentWeightsData data = makeComponentWeights(*study.analysis, factsOf(study), spec.scope);
  return {[data](QCustomPlot& plot, const PlotStyle& style) { buildWeights(plot, data, style); },
          tableOf(data), ""};
}

FigureContent depth(const Study& study, const FigureSpec& spec) {
  const DepthData data = makeDepth(*study.analysis, factsOf(study), spec.metric);
  const auto range = spec.range;
  const GhostCurve published = spec.reference.empty()
                                   ? GhostCurve()
                                   : ghostDepth(requiredReferenceModel(spec.reference).id, spec.metric);
  requirePublished(published, spec, spec.metric + " by depth");
  const auto toLayer = [&data](double share) { return share * static_cast<double>(data.layers - 1); };
  return {[data, range, published](QCustomPlot& plot, const PlotStyle& style) {
            buildDepth(plot, data, style, range, published);
          },
          withPublished(tableOf(data), published, "layer", spec.metric, toLayer), ""};
}

FigureContent taxonomy(const Study& study, const FigureSpec& spec) {
  const TaxonomyData data = makeTaxonomy(*study.analysis, spec.scope);
  return {[data](QCustomPlot& plot, const PlotStyle& style) { buildTaxonomy(plot, data, style); },
          tableOf(data), ""};
}

std::vector<FigureKind> allKinds() {
  using enum HeadNeed;
  //        id                   title                      head      layer  metric range published rows
  //        height/width
  return {
      {"ab-scatter", "{a, b} plane", Required, false, false, false, false, true, 0.78, abScatter},
      {"pca-scatter", "PC0 and PC1", Required, false, false, false, false, true, 0.78, pcaScatter},
      {"profile", "Profile", Optional, true, false, true, true, false, 0.5, profile},
      {"quintiles", "Quintiles", Optional, true, false, true, true, false, 0.382, quintiles},
      {"map", "Plasticity map", Optional, true, false, true, false, false, 0.8125, map},
      {"components", "Principal components", Optional, true, false, false, false, false, 0.75, components},
      {"component-weights", "Component weights", Optional, true, false, false, false, false, 0.4, weights},
      {"head-grid", "Head grid", None, false, true, true, false, false, 0.8, headGrid},
      {"depth", "Metric by layer", None, false, true, true, true, false, 0.5, depth},
      {"taxonomy", "Taxonomy", None, true, false, false, false, false, 0.85, taxonomy}};
}

void requireFits(const FigureKind& kind, const FigureSpec& spec) {
  if (kind.head == HeadNeed::Required && !spec.scope.head) {
    throw UsageError("figure " + kind.id + " shows one head: name it with --head L12H6");
  }
  if (kind.head == HeadNeed::None && spec.scope.head)
    throw UsageError("figure " + kind.id + " shows all heads: it takes no --head");
  if (!kind.takesLayer && spec.scope.layer) throw UsageError("figure " + kind.id + " takes no --layer");
  if (spec.scope.head && spec.scope.layer) throw UsageError("--head and --layer contradict each other");
  if (!kind.takesRange && spec.range) throw UsageError("figure " + kind.id + " takes no --range");
  if (!kind.takesMetric && spec.metric != FigureSpec().metric)
    throw UsageError("figure " + kind.id + " takes no --metric");
  if (!kind.takesReference && !spec.reference.empty())
    throw UsageError("figure " + kind.id + " takes no --reference");
}

}  // namespace

const std::vector<FigureKind>& figureKinds() {
  static const std::vector<FigureKind> kinds = allKinds();
  return kinds;
}

const FigureKind& figureKind(const std::string& id) {
  std::vector<std::string> known;
  for (const FigureKind& kind : figureKinds()) {
    if (kind.id == id) return kind;
    known.push_back(kind.id);
  }
  const std::string near = nearestName(id, known);
  throw UsageError("unknown figure \"" + id + "\"" + (near.empty() ? "" : "; did you mean " + near + "?") +
                   " (plastiscope render --list names all)");
}

FigureSpec fitToKind(FigureSpec spec, const FigureKind& kind) {
  spec.figure = kind.id;
  if (kind.head == HeadNeed::None || (spec.scope.layer && kind.head == HeadNeed::Optional))
    spec.scope.head.reset();
  if (!kind.takesLayer) spec.scope.layer.reset();
  if (!kind.takesMetric) spec.metric = FigureSpec().metric;
  if (!kind.takesRange) spec.range.reset();
  if (!kind.takesReference) spec.reference.clear();
  return spec;
}

FigureContent prepareFigure(const Study& study, const FigureSpec& spec) {
  const FigureKind& kind = figureKind(spec.figure);
  spec.validate();
  requireFits(kind, spec);
  if (kind.needsRows && study.capture == nullptr) {
    throw InputError("figure " + kind.id + " needs the captured rows, and only their analysis was found");
  }
  FigureContent content = kind.prepare(study, spec);
  content.subject = factsOf(study).model + ", " + spec.scope.text();
  return content;
}

FigureSize resolveSize(const FigureSpec& spec) {
  const VenuePreset& venue = venuePreset(spec.preset);
  FigureSize size;
  const double share = spec.width == "half" ? 0.5 : spec.width == "third" ? 1.0 / 3 : 1.0;
  size.widthInches = spec.widthInches > 0     ? spec.widthInches
                     : spec.width == "column" ? venue.columnInches
                                              : venue.textInches * share;
  size.heightInches = spec.heightInches > 0
                          ? spec.heightInches
                          : std::min(4.2, size.widthInches * figureKind(spec.figure).proportion);
  // figures.md 5.2: titles one point below the caption, ticks two below the titles, nothing below 6 pt.
  size.labelPoints =
      spec.fontPoints > 0 ? spec.fontPoints : std::max(6.0, std::min(9.0, venue.captionPoints - 1));
  size.tickPoints = std::max(6.0, size.labelPoints - 2);
  size.numberPoints = std::max(6.0, size.tickPoints - 0.5);
  return size;
}

}  // namespace plastiscope
