// The first answer about a study: facts, metrics, table of heads, grid, views.
#include <string_view>

#include "core/base/json.h"
#include "core/base/version.h"
#include "core/figures/figures.h"
#include "core/figures/plot_json.h"
#include "core/jobs/study_server.h"
#include "core/views/metric_info.h"

namespace plastiscope {

// Built from resources/colour_maps.
std::string_view embedded_viridis();
std::string_view embedded_blue_white_red();
std::string_view embedded_magma();
std::string_view embedded_blues();
std::string_view embedded_reds();

namespace {

constexpr int kShades = 32;
// Columns of the table besides the colouring metric.
constexpr const char* kTableColumns[] = {"ap_overall", "ap_drop", "bias_window",
                                         "r_q_a",      "r_k_a",   "plane_var_fraction"};
constexpr const char* kFirstMetric = "ap_overall";

// Parses the 256 lines RRGGBB of a colour map.
Json shades(std::string_view map) {
  Json colours = Json::array();
  constexpr std::size_t kLine = 7;
  const std::size_t lines = map.size() / kLine;
  for (std::size_t i = 0; i < kShades; ++i)
    colours.push_back("#" + std::string(map.substr(i * (lines - 1) / (kShades - 1) * kLine, kLine - 1)));
  return colours;
}

Json tableJson(const Table& heads, const std::vector<HeadName>& names,
               const std::vector<MetricInfo>& metrics) {
  Json layer = Json::array(), head = Json::array(), taxonomy = Json::array(), values = Json::array();
  for (std::size_t row = 0; row < names.size(); ++row) {
    layer.push_back(names[row].layer);
    head.push_back(names[row].head);
    taxonomy.push_back(textAt(heads, "taxonomy", row));
  }
  for (const MetricInfo& metric : metrics) {
    Json& list = values.emplace_back(Json::array());
    const NumberColumn column(heads, metric.column);
    for (std::size_t row = 0; row < names.size(); ++row) list.push_back(roundedNumber(column[row]));
  }
  return {{"layer", layer}, {"head", head}, {"taxonomy", taxonomy}, {"values", values}};
}

// The page colours it by any metric and makes its tool tips.
Json gridJson(const ServedStudy& served, const std::string& metric) {
  HeadGridOptions options;
  options.scale = false;
  Plot plot = headGridPlot(makeHeadGrid(served.study->analysis, served.facts, metric), options);
  for (Mark& mark : plot.boxes.front().marks) mark.tips.clear();
  return plotJson(plot);
}

std::string countText(std::int64_t count, const std::string& one) {
  return metricText(static_cast<double>(count)) + " " + one + (count == 1 ? "" : "s");
}

// Terms and texts.
Json factsJson(const StudyFacts& facts, const AnalysisProvenance& made) {
  const std::pair<const char*, std::string> list[] = {
      {"Model", facts.model},
      {"Architecture", facts.architecture},
      {"Layers × query heads", std::to_string(facts.layers) + " × " + std::to_string(facts.queryHeads)},
      {"Key heads", std::to_string(facts.keyHeads)},
      {"Window", countText(facts.window, "token")},
      {"Capture fingerprint", made.captureFingerprint},
      {"Settings fingerprint", made.settingsHash},
      {"Analysed by", "Plastiscope " + made.programVersion + ", " + made.created}};
  return list;
}

}  // namespace

Json studyAnswer(const StudyServer& server, const ServedStudy& served) {
  const Study& study = *served.study;
  const AnalysisFile& analysis = *study.analysis;
  const Table& heads = requiredTable(analysis, "heads");
  const std::vector<HeadName> names = headsOf(heads);
  const std::vector<MetricInfo> metrics = metricsOf(heads);
  const StudyFacts& facts = served.facts;
  const ApKind kind = served.shown.kind;
  const std::string first = columnAs(kind, kFirstMetric);
  const auto interesting = headOfInterest(analysis, kind);

  std::string subtitle = countText(std::ssize(names), "head") + " of " + facts.model + ", window " +
                         countText(facts.window, "token");
  const std::string aligned = kind == ApKind::Aligned ? "aligned AP" : "";
  for (const std::string& words : {aligned, served.shown.note, plasticityNote(analysis, {}, kind)})
    subtitle += words.empty() ? "" : "; " + words;
  constexpr const char* kOf[] = {"study", "metric", "studies", "head", "rows", "text"};
  Json studies = Json::array(), views = Json::array(), columns = Json::array(), metricList = Json::array();
  for (const ServedStudy& each : server.studies())
    studies.push_back(each.study->title.empty() ? each.facts.model : each.study->title);
  for (const StudyView& view : server.views(served))
    views.push_back(
        {{"path", view.path}, {"title", view.title}, {"of", kOf[static_cast<std::size_t>(view.of)]}});
  for (const char* column : kTableColumns) columns.push_back(columnAs(kind, column));
  for (const MetricInfo& metric : metrics)
    metricList.push_back({{"id", metric.column},
                          {"title", metric.title},
                          {"label", metric.label},
                          {"unit", metric.unit},
                          {"group", metric.group},
                          {"meaning", metric.meaning},
                          {"signed", metric.isSigned}});
  return {{"title", study.title.empty() ? facts.model : study.title},
          {"subtitle", subtitle},
          {"maker", std::string("Made with Plastiscope ") + kVersion + "."},
          {"facts", factsJson(facts, analysis.provenance)},
          {"settings", *analysis.provenance.settings},
          {"texts", facts.exampleIds},
          {"studies", studies},
          {"views", views},
          {"measures", namesOf(TokenMeasure())},
          {"colourings", namesOf(RowColour())},
          {"chosen", interesting ? headRow(heads, *interesting).value_or(0) : 0},
          {"first", first},
          {"columns", columns},
          {"maps",
           {{"viridis", shades(embedded_viridis())},
            {"blue_white_red", shades(embedded_blue_white_red())},
            {"magma", shades(embedded_magma())},
            {"blues", shades(embedded_blues())},
            {"reds", shades(embedded_reds())}}},
          {"metrics", metricList},
          {"table", tableJson(heads, names, metrics)},
          {"grid", gridJson(served, first)}};
}

}  // namespace plastiscope
