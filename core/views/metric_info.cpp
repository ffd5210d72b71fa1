#include "core/views/metric_info.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/views/column_units.h"
#include "core/views/plot.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

// True for columns that identify a head or name a property of it.
bool isName(std::string_view column) {
  const auto metric = metricCatalogue().find("heads", column);
  return metric && metric->group == "Place";
}

// Columns of heads.csv that hold numbers about the head.
std::vector<MetricInfo> headMetrics() {
  std::vector<MetricInfo> list;
  for (const MetricInfo& metric : metricCatalogue().metrics) {
    if (metric.tables.front() == "heads" && !isName(metric.column) && !metric.isText) list.push_back(metric);
  }
  return list;
}

}  // namespace

std::span<const MetricInfo> metricList() {
  static const std::vector<MetricInfo> list = headMetrics();
  return list;
}

MetricInfo describeMetric(std::string_view column) {
  if (auto metric = metricCatalogue().find("heads", column)) return *std::move(metric);
  MetricInfo plain;
  plain.column = plain.title = std::string(column);
  plain.label = richEscaped(plain.column);
  plain.group = kImportedGroup;
  plain.unit = columnUnit(plain.column);
  plain.meaning = "A number that another program computed; the provenance records where it came from.";
  return plain;
}

std::vector<MetricInfo> metricsOf(const Table& heads) {
  std::vector<MetricInfo> metrics;
  for (const Column& column : heads.columns) {
    if (std::holds_alternative<std::vector<std::string>>(column.values)) continue;
    if (isName(column.name)) continue;
    metrics.push_back(describeMetric(column.name));
  }
  return metrics;
}

std::string missingScore(std::string_view column) {
  if (describeMetric(column).group != "Attention") return "";
  return "this capture has no head scores such as \"" + std::string(column) +
         "\": recordings and captures of version 1.0 have none; capture the model again";
}

MetricInfo requiredMetric(const Table& heads, const std::string& column) {
  std::vector<std::string> known;
  for (MetricInfo& metric : metricsOf(heads)) {
    if (metric.column == column) return metric;
    known.push_back(metric.column);
  }
  if (const std::string missing = missingScore(column); !missing.empty()) throw UsageError(missing);
  throw UsageError("unknown metric \"" + column + "\"" + didYouMean(column, known));
}

int differenceDecimals(double largest) {
  return largest > 0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(largest))), 3, 6) : 3;
}

std::string fixedText(double value, int decimals) {
  if (std::isnan(value)) return "\u2013";
  std::array<char, 400> buffer{};  // the longest double has 309 digits before the point
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value),
                                          std::chars_format::fixed, std::clamp(decimals, 0, 60));
  const std::string digits =
      error == std::errc() ? std::string(buffer.data(), end) : numberText(std::fabs(value));
  const bool zero = digits.find_first_not_of("0.") == std::string::npos;
  return (value < 0 && !zero ? "\u2212" : "") + digits;
}

std::string metricText(double value, const MetricInfo& metric) {
  return metric.range ? fixedText(value, 3) : metricText(value);
}

std::string metricText(double value) {
  if (std::isnan(value)) return "\u2013";
  const std::string sign = value < 0 ? "\u2212" : "";
  const double size = std::fabs(value);
  if (std::isinf(value)) return sign + "\u221e";
  if (size < 1e15 && (size == std::floor(size) || size >= 999.5))
    return sign + withCommas(std::llround(size));
  int exponent = static_cast<int>(std::floor(std::log10(size)));
  if (size / std::pow(10, exponent) >= 9.995) ++exponent;  // three digits carry into the next power
  if (exponent >= -3 && exponent < 3) return sign + fixedText(size, std::max(0, 2 - exponent));
  const std::string power = (exponent < 0 ? "\u2212" : "") + std::to_string(std::abs(exponent));
  return sign + fixedText(size / std::pow(10, exponent), 2) + "e" + power;
}

}  // namespace plastiscope
