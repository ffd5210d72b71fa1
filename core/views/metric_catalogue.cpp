#include "core/views/metric_catalogue.h"

#include <algorithm>

#include "core/base/json.h"

namespace plastiscope {

std::string_view embeddedMetrics();  // made of resources/help/metrics.json by embed_text.cmake

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::string textOf(const Json& entry, const char* key) {
  return entry.value(key, std::string());
}

MetricInfo metricOf(const Json& entry) {
  MetricInfo metric;
  metric.column = textOf(entry, "column");
  metric.title = textOf(entry, "title");
  metric.label = textOf(entry, "label");
  metric.unit = textOf(entry, "unit");
  metric.group = textOf(entry, "group");
  metric.isSigned = entry.value("signed", false);
  if (entry.contains("range"))
    metric.range = {entry["range"][0].get<double>(), entry["range"][1].get<double>()};
  metric.meaning = textOf(entry, "meaning");
  metric.caveat = textOf(entry, "caveat");
  metric.formula = textOf(entry, "formula");
  metric.sign = textOf(entry, "sign");
  metric.tables = entry.at("tables").get<std::vector<std::string>>();
  return metric;
}

// Number k of `count`: # becomes k, {from} and {to} the part of the window in percent.
MetricInfo numbered(MetricInfo metric, int k, int count) {
  const int step = 100 / count;
  for (std::string* text : {&metric.column, &metric.title, &metric.label, &metric.formula, &metric.meaning}) {
    *text = replaced(*text, "#", std::to_string(k));
    *text = replaced(*text, "{from}", std::to_string((k - 1) * step));
    *text = replaced(*text, "{to}", std::to_string(k * step));
  }
  return metric;
}

MetricCatalogue read() {
  const Json json = Json::parse(embeddedMetrics());
  MetricCatalogue catalogue;
  for (const Json& entry : json.at("tables"))
    catalogue.tables.push_back({textOf(entry, "name"), textOf(entry, "rows"), textOf(entry, "text")});
  for (const Json& entry : json.at("metrics")) {
    const MetricInfo metric = metricOf(entry);
    const int count = entry.value("count", 0);
    if (count == 0) catalogue.metrics.push_back(metric);
    for (int k = 1; k <= count; ++k) catalogue.metrics.push_back(numbered(metric, k, count));
  }
  for (const Json& entry : json.at("suffixes")) {
    catalogue.suffixes.push_back({textOf(entry, "suffix"), textOf(entry, "title"), textOf(entry, "meaning"),
                                  entry.value("count", false)});
  }
  return catalogue;
}

// "x#" is the column of any number.
bool matches(const std::string& pattern, std::string_view column) {
  if (pattern == column) return true;
  if (!pattern.ends_with('#') || column.size() < pattern.size()) return false;
  const std::size_t stem = pattern.size() - 1;
  return column.substr(0, stem) == pattern.substr(0, stem) &&
         column.find_first_not_of("0123456789", stem) == std::string_view::npos;
}

MetricInfo withSuffix(MetricInfo base, const MetricSuffix& suffix) {
  base.column += suffix.suffix;
  base.title = replaced(suffix.title, "{title}", base.title);
  base.label = replaced(suffix.title, "{title}", base.label);
  base.meaning = suffix.meaning;
  base.formula = base.sign = "";
  if (!suffix.isCount) return base;
  base.unit = base.caveat = "";
  base.isSigned = false;
  base.range.reset();
  return base;
}

}  // namespace

const TableInfo* MetricCatalogue::table(std::string_view name) const {
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const TableInfo& t) { return t.name == name; });
  return found == tables.end() ? nullptr : &*found;
}

std::optional<MetricInfo> MetricCatalogue::find(std::string_view table, std::string_view column) const {
  const auto entryOf = [&](std::string_view home) -> const MetricInfo* {
    for (const MetricInfo& metric : metrics) {
      const bool here = std::find(metric.tables.begin(), metric.tables.end(), home) != metric.tables.end();
      if (here && matches(metric.column, column)) return &metric;
    }
    return nullptr;
  };
  for (const std::string_view home : {table, std::string_view("heads")}) {
    if (const MetricInfo* metric = entryOf(home)) {
      MetricInfo found = *metric;
      if (found.column.ends_with('#'))
        found = numbered(found, std::stoi(std::string(column.substr(found.column.size() - 1))), 1);
      return found;
    }
  }
  for (const MetricSuffix& suffix : suffixes) {
    if (!column.ends_with(suffix.suffix)) continue;
    const auto base = find(table, column.substr(0, column.size() - suffix.suffix.size()));
    if (base) return withSuffix(*base, suffix);
  }
  return std::nullopt;
}

const MetricCatalogue& metricCatalogue() {
  static const MetricCatalogue catalogue = read();
  return catalogue;
}

}  // namespace plastiscope
