#include "core/views/metric_info.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

using Range = std::optional<std::pair<double, double>>;
const Range kFree;
const Range kShare = std::pair{0.0, 1.0};
const Range kCorrelation = std::pair{-1.0, 1.0};

constexpr const char* kRelative =
    "Relative to the window: compare models of different windows over equal positions instead.";
constexpr const char* kPerToken = "Per token: to compare windows use Bn, its value times the window.";
constexpr const char* kSignRule = "Its sign follows the sign rule of the component; the size does not.";
constexpr const char* kBAxis = "Depends on the chosen b axis.";

std::vector<MetricInfo> rowCounts() {
  return {
      {"query_rows", "Query rows", "query rows", "", "Rows", false, kFree,
       "Captured query vectors of this head that the analysis used.", ""},
      {"key_rows", "Key rows", "key rows", "", "Rows", false, kFree,
       "Captured key vectors of the key head that serves this query head.",
       "Query heads of one group share them."},
  };
}

std::vector<MetricInfo> componentMetrics() {
  return {
      {"pc0_variance", "PC0 variance", "PC0 variance", "", "Principal components", false, kShare,
       "Share of the pooled variance of queries and keys on the first principal component.",
       "The first component mixes the offset between queries and keys with position."},
      {"r_q", "r of queries on PC0", "<i>r</i><sub>Q</sub>", "", "Principal components", true, kCorrelation,
       "Correlation of the queries' PC0 coordinate with their position.", kSignRule},
      {"r_k", "r of keys on PC0", "<i>r</i><sub>K</sub>", "", "Principal components", true, kCorrelation,
       "Correlation of the keys' PC0 coordinate with their position.",
       "A signed mean over heads hides heads whose queries and keys drift apart."},
      {"lin_frac_q", "Linear share of queries", "linear share Q", "", "Principal components", false, kShare,
       "Share of the queries' variance that is linear in position, in any direction.", ""},
      {"lin_frac_k", "Linear share of keys", "linear share K", "", "Principal components", false, kShare,
       "Share of the keys' variance that is linear in position, in any direction.", ""},
  };
}

std::vector<MetricInfo> positionMetrics() {
  return {
      {"mu_q_a", "Mean query on a", "<i>\u03bc</i><sub>Q</sub><sup>a</sup>", "activation", "Position axis",
       true, kFree, "Mean of the queries along the position axis a.", ""},
      {"mu_k_a", "Mean key on a", "<i>\u03bc</i><sub>K</sub><sup>a</sup>", "activation", "Position axis",
       true, kFree, "Mean of the keys along the position axis a.", ""},
      {"mu_q_b", "Mean query on b", "<i>\u03bc</i><sub>Q</sub><sup>b</sup>", "activation", "Separation axis",
       true, kFree, "Mean of the queries along the separation axis b.", kBAxis},
      {"mu_k_b", "Mean key on b", "<i>\u03bc</i><sub>K</sub><sup>b</sup>", "activation", "Separation axis",
       true, kFree, "Mean of the keys along the separation axis b.", kBAxis},
      {"alpha_q", "Slope of queries on a", "<i>\u03b1</i><sub>Q</sub>", "activation / token", "Position axis",
       true, kFree, "Least-squares slope of the queries' a coordinate over position.", kPerToken},
      {"alpha_k", "Slope of keys on a", "<i>\u03b1</i><sub>K</sub>", "activation / token", "Position axis",
       true, kFree, "Least-squares slope of the keys' a coordinate over position.", kPerToken},
      {"bias_strength", "Bias per token", "bias (recency +)", "score / token", "Position bias", true, kFree,
       "Mean query on a times the slope of the keys: how the score grows with key position. Positive prefers "
       "recent "
       "keys, negative prefers early ones.",
       kPerToken},
      {"bias_window", "Bias over the window, Bn", "<i>B</i><sub>n</sub> (recency +)", "score",
       "Position bias", true, kFree,
       "Bias per token times the window: the score difference between its two ends. Positive prefers recent "
       "keys.",
       ""},
      {"bias_logit", "Bias over the window, logits", "<i>B</i><sub>n</sub> in logits (recency +)", "logit",
       "Position bias", true, kFree, "Bias over the window times the head's score scale.",
       "Uses 1/\u221ad where an import does not know the scale."},
      {"r_q_a", "r of queries on a", "<i>r</i><sub>Q,a</sub>", "", "Position axis", true, kCorrelation,
       "Correlation of the queries' a coordinate with position.", "Published tables print absolute values."},
      {"r_k_a", "r of keys on a", "<i>r</i><sub>K,a</sub>", "", "Position axis", true, kCorrelation,
       "Correlation of the keys' a coordinate with position.", "Published tables print absolute values."},
      {"position_r", "r of the pool on a", "|<i>r</i><sub>a</sub>|", "", "Position axis", false, kShare,
       "Absolute correlation of the a coordinate with position over queries and keys together.",
       "The offset between queries and keys lowers it."},
      {"slope_ratio", "Slope ratio", "|<i>\u03b1</i><sub>K</sub>| / |<i>\u03b1</i><sub>Q</sub>|", "",
       "Position axis", false, kFree, "How much faster the keys drift along a than the queries.",
       "Heavy tail: layers and models are summarised by the median."},
  };
}

std::vector<MetricInfo> separationMetrics() {
  return {
      {"separation_strength", "Separation strength", "separation strength", "", "Separation axis", false,
       kShare, "Share of the query-key differences that lies along the separation axis b.", kBAxis},
      {"separation_strength_centroid", "Separation strength, centroid b", "separation (centroid b)", "",
       "Separation axis", false, kShare, "Separation strength with b along the gap between the centroids.",
       ""},
      {"separation_strength_eigenvector", "Separation strength, eigenvector b", "separation (eigenvector b)",
       "", "Separation axis", false, kShare,
       "Separation strength with b as the direction of largest difference beside a.",
       "Published values use this axis."},
      {"var_frac_a", "Variance on a", "variance on a", "", "Position axis", false, kShare,
       "Share of the pooled variance along the position axis a.", ""},
      {"var_frac_b", "Variance on b", "variance on b", "", "Separation axis", false, kShare,
       "Share of the pooled variance along the separation axis b.", kBAxis},
      {"plane_var_fraction", "Variance in the plane", "variance in {a, b}", "", "Separation axis", false,
       kShare, "Share of the pooled variance inside the {a, b} plane.", kBAxis},
      {"residual_pos_r", "Position left outside", "residual <i>r</i>", "", "Position axis", false, kShare,
       "Largest correlation with position of any direction outside the plane: a self-test that must stay "
       "below 1e-9.",
       ""},
      {"content_var_b", "Content variance on b", "content variance on b", "activation\u00b2",
       "Separation axis", false, kFree, "Mean of the queries' and the keys' own variance along b.", kBAxis},
      {"axis_b_angle", "Angle between the b axes", "angle of b", "\u00b0", "Separation axis", false,
       std::pair{0.0, 90.0}, "Angle between the centroid and the eigenvector form of b.", ""},
  };
}

std::vector<MetricInfo> driftMetrics() {
  return {
      {"beta_norm", "Query drift", "|<i>\u03b2</i>|", "activation / token", "Query drift", false, kFree,
       "Length of the queries' drift per token, over all dimensions.", kPerToken},
      {"r2_pos", "R\u00b2 of position", "<i>R</i><sup>2</sup><sub>pos</sub>", "", "Query drift", false,
       kShare, "Mean over query dimensions of the variance explained by position.", ""},
      {"sigma_pos2", "Residual variance along the drift", "<i>\u03c3</i><sup>2</sup><sub>pos</sub>",
       "activation\u00b2", "Query drift", false, kFree,
       "Variance of the queries around their drift line, along the drift.", ""},
  };
}

std::vector<MetricInfo> plasticityMetrics() {
  std::vector<MetricInfo> list = {
      {"ap_overall", "AP overall", "AP", "", "Plasticity", false, kShare,
       "Attention plasticity: how undecided queries are between two earlier keys, averaged over the window. "
       "1 = every "
       "preference is open, 0 = all are fixed.",
       "It does not see the temperature of the softmax."},
      {"ap_first20", "AP first 20 %", "AP<sub>first 20 %</sub>", "", "Plasticity", false, kShare,
       "Mean plasticity over bins centred in the first fifth of the window.", kRelative},
      {"ap_last20", "AP last 20 %", "AP<sub>last 20 %</sub>", "", "Plasticity", false, kShare,
       "Mean plasticity over bins centred in the last fifth of the window.", kRelative},
      {"ap_drop", "AP drop", "AP<sub>drop</sub>", "", "Plasticity", true, kCorrelation,
       "Plasticity of the first fifth less that of the last: positive means that late queries are less free.",
       kRelative},
  };
  const auto add = [&list](const std::string& kind, const std::string& title, int count) {
    for (int k = 1; k <= count; ++k) {
      const std::string number = std::to_string(k);
      const int step = 100 / count;
      const std::string span =
          std::to_string((k - 1) * step) + "\u2013" + std::to_string(k * step) + "\u00a0%";
      list.push_back({"ap_" + kind + "_" + number, "AP " + title + " " + number, "AP<sub>" + span + "</sub>",
                      "", "Plasticity", false, kShare,
                      "Mean plasticity over bins centred in " + span + " of the window.", kRelative});
    }
  };
  add("quintile", "fifth", 5);
  add("decile", "tenth", 10);
  return list;
}

std::vector<MetricInfo> wholeList() {
  std::vector<MetricInfo> list;
  for (const auto& part : {rowCounts(), componentMetrics(), positionMetrics(), separationMetrics(),
                           driftMetrics(), plasticityMetrics()}) {
    list.insert(list.end(), part.begin(), part.end());
  }
  return list;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::span<const MetricInfo> metricList() {
  static const std::vector<MetricInfo> list = wholeList();
  return list;
}

const MetricInfo* findMetric(std::string_view column) {
  for (const MetricInfo& metric : metricList()) {
    if (metric.column == column) return &metric;
  }
  return nullptr;
}

MetricInfo describeMetric(std::string_view column) {
  if (const MetricInfo* metric = findMetric(column)) return *metric;
  MetricInfo plain;
  plain.column = plain.title = std::string(column);
  plain.label = escaped(column);
  plain.group = "Other columns";
  plain.meaning = "A further column of heads.csv that the analysis options added.";
  return plain;
}

std::vector<MetricInfo> metricsOf(const Table& heads) {
  static constexpr std::array<std::string_view, 3> kNames = {"layer", "head", "kv_head"};
  std::vector<MetricInfo> metrics;
  for (const Column& column : heads.columns) {
    if (std::holds_alternative<std::vector<std::string>>(column.values)) continue;
    if (std::find(kNames.begin(), kNames.end(), column.name) != kNames.end()) continue;
    metrics.push_back(describeMetric(column.name));
  }
  return metrics;
}

MetricInfo requiredMetric(const Table& heads, const std::string& column) {
  std::vector<std::string> known;
  for (MetricInfo& metric : metricsOf(heads)) {
    if (metric.column == column) return metric;
    known.push_back(metric.column);
  }
  const std::string near = nearestName(column, known);
  throw UsageError("unknown metric \"" + column + "\"" +
                   (near.empty() ? "" : "; did you mean " + near + "?"));
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
