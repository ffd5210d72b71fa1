#include "core/jobs/study_page.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <span>

#include "core/analysis/settings.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"
#include "core/base/version.h"
#include "core/figures/figures.h"
#include "core/jobs/parallel.h"
#include "core/views/head_sentence.h"
#include "core/views/map_data.h"
#include "core/views/metric_info.h"
#include "core/views/plane_data.h"
#include "core/views/profile_data.h"

namespace plastiscope {

// Built from resources/page/study.html and resources/colour_maps.
std::string_view embeddedStudyPage();
std::string_view embedded_viridis();
std::string_view embedded_blue_white_red();
std::string_view embedded_magma();
std::string_view embedded_blues();
std::string_view embedded_reds();

namespace {

constexpr std::string_view kPlace = "@DATA@";
constexpr int kShades = 32;
// Columns of the table besides the colouring metric.
constexpr const char* kTableColumns[] = {"ap_overall", "ap_drop", "bias_window",
                                         "r_q_a",      "r_k_a",   "plane_var_fraction"};
constexpr const char* kFirstMetric = "ap_overall";

// Four significant digits, null where missing.
Json shortNumber(double value) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 4).ptr;
  double rounded = 0;
  fromChars(text, end, rounded);
  if (rounded == std::round(rounded) && std::abs(rounded) < 1e15) return static_cast<std::int64_t>(rounded);
  return rounded;
}

template <typename Values>
Json shortNumbers(const Values& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(shortNumber(value));
  return list;
}

// Parses the 256 lines RRGGBB of a colour map.
Json shades(std::string_view map) {
  Json colours = Json::array();
  constexpr std::size_t kLine = 7;
  const std::size_t lines = map.size() / kLine;
  for (std::size_t i = 0; i < kShades; ++i)
    colours.push_back("#" + std::string(map.substr(i * (lines - 1) / (kShades - 1) * kLine, kLine - 1)));
  return colours;
}

Json metricJson(const MetricInfo& metric) {
  return {{"id", metric.column},      {"title", metric.title}, {"label", metric.label},
          {"unit", metric.unit},      {"group", metric.group}, {"meaning", metric.meaning},
          {"signed", metric.isSigned}};
}

// Coordinates in thousandths of the range.
Json planeRows(const PlaneRows& rows, const PlaneRange& range, std::int64_t most) {
  const auto thousandths = [](double value, double low, double high) {
    return static_cast<std::int64_t>(std::lround(std::clamp((value - low) / (high - low), -0.1, 1.1) * 1000));
  };
  Json x = Json::array(), y = Json::array(), position = Json::array();
  const auto size = std::ssize(rows);
  const std::int64_t count = std::min(size, most);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(i * size / count);
    if (!std::isfinite(rows.x[row]) || !std::isfinite(rows.y[row])) continue;
    x.push_back(thousandths(rows.x[row], range.xLow, range.xHigh));
    y.push_back(thousandths(rows.y[row], range.yLow, range.yHigh));
    position.push_back(rows.position[row]);
  }
  return {{"x", std::move(x)},
          {"y", std::move(y)},
          {"position", std::move(position)},
          {"centroid", {shortNumber(rows.centroid.x), shortNumber(rows.centroid.y)}}};
}

Json planeJson(const Study& study, HeadName head, std::int64_t rows) {
  const PlaneData plane = makeAbPlane(study, head);
  if (!plane.missing.empty()) return {{"missing", plane.missing}};
  const PlaneRange& range = plane.range;
  return {{"xTitle", plane.xAxis.title},
          {"yTitle", plane.yAxis.title},
          {"xRange", {shortNumber(range.xLow), shortNumber(range.xHigh)}},
          {"yRange", {shortNumber(range.yLow), shortNumber(range.yHigh)}},
          {"query", planeRows(plane.query, range, rows)},
          {"key", planeRows(plane.key, range, rows)}};
}

// Means in thousandths; null for too few pairs.
Json mapJson(const MapData& map) {
  Json mean = Json::array();
  for (std::size_t i = 0; i < map.mean.size(); ++i) {
    const bool known = std::isfinite(map.mean[i]) && map.count[i] >= map.minCount;
    mean.push_back(known ? Json(std::lround(map.mean[i] * 1000)) : Json());
  }
  return {{"columns", map.columns}, {"rows", map.rows}, {"cell", map.cell}, {"mean", std::move(mean)}};
}

bool hasValues(const Json& map) {
  return std::ranges::any_of(map["mean"], [](const Json& mean) { return !mean.is_null(); });
}

// Maps of the accuracy of probes, by kind, as the figure shows them; null without them.
Json probesJson(const AnalysisFile& analysis) {
  const Table* table = analysis.find("probes");
  if (table == nullptr) return nullptr;
  Plot plot;
  try {
    plot = probesPlot(*table);
  } catch (const InputError&) {  // only probes without lengths and depths
    return nullptr;
  }
  Json maps = Json::array();
  for (const Plot& panel : plot.panels) {
    const Box& box = panel.boxes.front();
    const auto& cells = std::get<CellMarks>(box.marks.front().kind);
    maps.push_back({{"title", panel.legend.front().text},
                    {"lengths", box.x.names},
                    {"depths", box.y.names},
                    {"accuracy", shortNumbers(cells.value)},
                    {"tips", box.marks.front().tips}});
  }
  return {{"maps", std::move(maps)}, {"note", plot.legend.front().text}};
}

// The heads with the highest retrieval scores and their intervals; null without them.
Json retrievalJson(const AnalysisFile& analysis) {
  const Table* table = analysis.find("retrieval");
  if (table == nullptr) return nullptr;
  const Plot plot = retrievalPlot(*table);
  const Box& box = plot.boxes.front();
  const auto& whiskers = std::get<ErrorBarMarks>(box.marks.back().kind);
  return {{"heads", box.x.names},
          {"score", shortNumbers(std::get<BarMarks>(box.marks.front().kind).top)},
          {"low", shortNumbers(whiskers.low)},
          {"high", shortNumbers(whiskers.high)},
          {"note", plot.legend.back().text}};
}

// `sentences`: descriptions of the heads whose maps are in the page; the others get one without the map.
Json tableJson(const Table& heads, const std::vector<HeadName>& names, const std::vector<MetricInfo>& metrics,
               const std::map<HeadName, std::string>& sentences, ApKind plasticity) {
  Json layer = Json::array(), head = Json::array(), taxonomy = Json::array(), values = Json::array(),
       sentence = Json::array();
  for (std::size_t row = 0; row < names.size(); ++row) {
    layer.push_back(names[row].layer);
    head.push_back(names[row].head);
    taxonomy.push_back(textAt(heads, "taxonomy", row));
    const auto told = sentences.find(names[row]);
    sentence.push_back(told != sentences.end() ? told->second
                                               : wholeSentence(heads, row, nullptr, plasticity));
  }
  for (const MetricInfo& metric : metrics) {
    const NumberColumn column(heads, metric.column);
    Json list = Json::array();
    for (std::size_t row = 0; row < names.size(); ++row) list.push_back(shortNumber(column[row]));
    values.push_back(std::move(list));
  }
  return {{"layer", std::move(layer)},
          {"head", std::move(head)},
          {"taxonomy", std::move(taxonomy)},
          {"sentence", std::move(sentence)},
          {"values", std::move(values)}};
}

// Profiles of all heads of the analysis, in the order of heads.csv.
Json profileJson(const AnalysisFile& analysis, ApKind plasticity) {
  const auto field = makeProfileField(analysis, {}, plasticity);
  Json ap = Json::array();
  for (std::size_t head = 0; head < field->heads.size(); ++head)
    ap.push_back(shortNumbers(std::span(field->ap).subspan(field->index(head, 0), field->bins())));
  return {{"tau", shortNumbers(field->tau)}, {"ap", std::move(ap)}};
}

std::size_t rowOfInterest(const AnalysisFile& analysis, const Table& heads, ApKind plasticity) {
  const auto head = headOfInterest(analysis, plasticity);
  return head ? headRow(heads, *head).value_or(0) : 0;
}

std::string countText(std::int64_t count, const std::string& one) {
  return metricText(static_cast<double>(count)) + " " + one + (count == 1 ? "" : "s");
}

Json factsJson(const StudyFacts& facts, const AnalysisProvenance& provenance) {
  Json list = Json::array();
  const auto add = [&list](const char* term, const std::string& text) {
    list.push_back(Json::array({term, text}));
  };
  add("Model", facts.model);
  add("Architecture", facts.architecture);
  add("Layers × query heads", std::to_string(facts.layers) + " × " + std::to_string(facts.queryHeads));
  add("Key heads", std::to_string(facts.keyHeads));
  add("Window", countText(facts.window, "token"));
  add("Capture fingerprint", provenance.captureFingerprint);
  add("Settings fingerprint", provenance.settingsHash);
  add("Analysed by", "Plastiscope " + provenance.programVersion + ", " + provenance.created);
  return list;
}

}  // namespace

OutputKind studyPageOutput() {
  return {"a page of a study", [](const std::filesystem::path& file) {
            const std::string_view page = embeddedStudyPage();
            const std::string_view title = page.substr(0, page.find("<style>"));
            return readFile(file).starts_with(title);
          }};
}

std::string studyPage(const Study& study, const StudyPageOptions& options, int threads, Progress& progress) {
  const AnalysisFile& analysis = *study.analysis;
  const Table& heads = requiredTable(analysis, "heads");
  const std::vector<HeadName> names = headsOf(analysis);
  const std::vector<HeadName>& detailed = options.heads.empty() ? names : options.heads;
  for (const HeadName& head : detailed) requireScope(analysis, {head, {}});
  const StudyFacts facts = factsOf(study);
  const std::vector<MetricInfo> metrics = metricsOf(heads);
  const ShownPlasticity shown = shownPlasticity(analysis, options.plasticity);
  const ApKind kind = shown.kind;

  std::vector<Json> planes(detailed.size()), maps(detailed.size());
  std::vector<std::string> sentences(detailed.size());
  UnitCounter counter(progress, "page", "head", detailed.size());
  parallelFor(detailed.size(), threads, [&](std::size_t at) {
    progress.throwIfStopped();
    if (options.rows > 0) planes[at] = planeJson(study, detailed[at], options.rows);
    const MapData map = makeMap(analysis, {detailed[at], {}}, kind);
    maps[at] = mapJson(map);
    sentences[at] = wholeSentence(heads, headRow(heads, detailed[at]).value_or(0), &map, kind);
    counter.finished();
  });
  std::map<HeadName, std::string> told;
  for (std::size_t i = 0; i < detailed.size(); ++i) told[detailed[i]] = sentences[i];
  Json planesOf = Json::object(), mapsOf = Json::object(), metricList = Json::array();
  for (std::size_t i = 0; i < detailed.size(); ++i) {
    const std::string name = detailed[i].text();
    if (options.rows > 0) planesOf[name] = std::move(planes[i]);
    if (hasValues(maps[i])) mapsOf[name] = std::move(maps[i]);
  }
  for (const MetricInfo& metric : metrics) metricList.push_back(metricJson(metric));

  Json columns = Json::array();
  for (const char* column : kTableColumns) columns.push_back(columnAs(kind, column));
  std::string subtitle = countText(std::ssize(names), "head") + " of " + facts.model + ", window " +
                         countText(facts.window, "token");
  const std::string aligned = kind == ApKind::Aligned ? "aligned AP" : "";
  for (const std::string& words : {aligned, shown.note, plasticityNote(analysis, {}, kind)})
    subtitle += words.empty() ? "" : "; " + words;
  const std::string maker = std::string("Plastiscope ") + kVersion;
  Json data = {{"title", study.title.empty() ? facts.model : study.title},
               {"subtitle", subtitle},
               {"maker", "Made with " + maker + ". The page is self-contained and opens without a network."},
               {"facts", factsJson(facts, analysis.provenance)},
               {"settings", *analysis.provenance.settings},
               {"window", facts.window},
               {"layers", facts.layers},
               {"heads", facts.queryHeads},
               {"leastPairs", MapData().minCount},
               {"chosen", rowOfInterest(analysis, heads, kind)},
               {"first", columnAs(kind, kFirstMetric)},
               {"columns", std::move(columns)},
               {"colours", shades(embedded_viridis())},
               {"diverging", shades(embedded_blue_white_red())},
               {"mapColours", shades(embedded_magma())},
               {"queryColours", shades(embedded_blues())},
               {"keyColours", shades(embedded_reds())},
               {"metrics", std::move(metricList)},
               {"table", tableJson(heads, names, metrics, told, kind)},
               {"profile", profileJson(analysis, kind)},
               {"planes", std::move(planesOf)},
               {"maps", std::move(mapsOf)},
               {"probes", probesJson(analysis)},
               {"retrieval", retrievalJson(analysis)}};
  const std::string text = scriptText(data.dump(-1, ' ', false, Json::error_handler_t::replace));
  emptyJson(data);
  std::string page(embeddedStudyPage());
  return page.replace(page.find(kPlace), kPlace.size(), text);
}

}  // namespace plastiscope
