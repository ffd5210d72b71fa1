#include "core/analysis/columns.h"

#include <algorithm>

#include "core/analysis/tables/definitions.h"

namespace plastiscope {

namespace {

const std::vector<MetricSuffix> kSuffixes = {
    {kLowEnding, "{title}, lower end",
     "Lower end of the 95 % interval over examples, of the bootstrap or the jackknife (uncertainty.md)."},
    {kHighEnding, "{title}, upper end",
     "Upper end of the 95 % interval over examples, of the bootstrap or the jackknife (uncertainty.md)."},
    {kPlainEnding, "{title}, plain",
     "The value as it is defined, where the column itself holds the bias-corrected estimate (setting "
     "estimate)."},
    {kMedianEnding, "{title}, median", "Median over the heads that have a value."},
    {kHeadsEnding, "{title}, heads", "Heads that have a value, over which the mean is taken.", true},
    {kPositiveEnding, "{title}, positive", "Heads whose value is above 0.", true},
    {kNegativeEnding, "{title}, negative", "Heads whose value is below 0.", true},
    {"_positive_by_interval", "{title}, positive by interval",
     "Heads whose 95 % interval lies above 0; the others' sign is not certain.", true},
    {"_negative_by_interval", "{title}, negative by interval",
     "Heads whose 95 % interval lies below 0; the others' sign is not certain.", true},
    {kMeanEnding, "{title}, mean", "Mean over the query heads that share the key head."},
    {kSpreadEnding, "{title}, spread",
     "Standard deviation (divisor n \u2212 1) over the query heads that share the key head; empty below "
     "two."}};

constexpr const char *kAxes = "equations 4.2–4.5", *kDrift = "equations 4.10–4.12",
                     *kPlasticity = "equations 4.7–4.14";
constexpr ThesisPlace kThesisPlaces[] = {
    {"heads", "kv_head", "equation 4.1"},
    {"heads", "taxonomy", "", "figure A.4"},
    {"heads", "r_q", "", "figures 6.1, A.1 and A.5"},
    {"heads", "r_k", "", "figures 6.1, A.1 and A.5"},
    {"components", "r_q", "", "figure 6.1"},
    {"components", "r_k", "", "figure 6.1"},
    {"heads", "mu_q_a", kAxes, "figure 6.5"},
    {"heads", "mu_k_a", kAxes},
    {"heads", "mu_q_b", kAxes},
    {"heads", "mu_k_b", kAxes},
    {"heads", "alpha_q", kAxes},
    {"heads", "alpha_k", kAxes, "figure 6.5"},
    {"heads", "r_q_a", kAxes, "figure 6.2"},
    {"heads", "r_k_a", kAxes, "figure 6.2"},
    {"heads", "position_r", kAxes},
    {"heads", "slope_ratio", kAxes},
    {"heads", "separation_strength", kAxes},
    {"heads", "separation_strength_centroid", kAxes},
    {"heads", "separation_strength_eigenvector", kAxes, "figure A.3"},
    {"heads", "var_frac_a", kAxes},
    {"heads", "var_frac_b", kAxes},
    {"heads", "plane_var_fraction", kAxes},
    {"heads", "bias_strength", "equation 4.6", "figures 6.5, A.2 and A.3; table 6.2"},
    {"heads", "beta_norm", kDrift},
    {"heads", "r2_pos", kDrift},
    {"heads", "sigma_pos2", kDrift},
    {"heads", "ap_overall", kPlasticity},
    {"heads", "ap_first20", kPlasticity, "figure 6.6; tables 6.2 and 6.3"},
    {"heads", "ap_last20", kPlasticity, "figure 6.6; tables 6.2 and 6.3"},
    {"heads", "ap_drop", kPlasticity, "figure 6.7; tables 6.2 and 6.3"},
    {"heads", "ap_quintile_#", kPlasticity, "table 6.1"},
    {"heads", "ap_decile_#", kPlasticity},
    {"profile", "ap", kPlasticity, "figure 6.4"},
    {"lengths", "ap", kPlasticity, "tables 6.4 and A.1"},
    {"map", "pp", kPlasticity, "figure 6.3"},
};

std::string textOf(const ThesisPlace& place) {
  const std::string equations = place.equations, printed = place.printed;
  return equations + (equations.empty() || printed.empty() ? "" : "; ") + printed;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// "x#" matches x with any number.
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
  base.formula = base.sign = base.thesis = "";
  if (!suffix.isCount) return base;
  base.unit = base.caveat = "";
  base.isSigned = false;
  base.range.reset();
  return base;
}

MetricCatalogue makeCatalogue() {
  MetricCatalogue catalogue{{}, {}, kSuffixes};
  for (const AnalysisTable& table : analysisTables()) {
    catalogue.tables.push_back({table.name, table.rows, table.text});
    for (const TableColumn& column : table.columns) {
      if (!column.info.title.empty()) {
        catalogue.metrics.push_back(column.info);
        catalogue.metrics.back().tables = {table.name};
        continue;
      }
      for (MetricInfo& metric : catalogue.metrics) {
        if (metric.column == column.info.column && metric.tables.front() == column.info.tables.front())
          metric.tables.emplace_back(table.name);
      }
    }
  }
  for (const ThesisPlace& of : kThesisPlaces) {
    for (MetricInfo& metric : catalogue.metrics) {
      if (metric.tables.front() == of.table && matches(std::string(of.column), metric.column))
        metric.thesis = textOf(of);
    }
  }
  return catalogue;
}

}  // namespace

std::span<const ThesisPlace> thesisPlaces() {
  return kThesisPlaces;
}

MetricInfo filledIn(MetricInfo metric, const std::vector<std::pair<std::string, std::string>>& words) {
  for (std::string* text : {&metric.column, &metric.title, &metric.label, &metric.formula, &metric.meaning,
                            &metric.caveat, &metric.sign}) {
    for (const auto& [mark, word] : words) *text = replaced(*text, mark, word);
  }
  return metric;
}

MetricInfo numberedInfo(MetricInfo metric, int k, int count) {
  const int step = 100 / count;
  return filledIn(std::move(metric), {{"#", std::to_string(k)},
                                      {"{from}", std::to_string((k - 1) * step)},
                                      {"{to}", std::to_string(k * step)}});
}

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
      if (!metric->column.ends_with('#')) return *metric;
      const std::size_t stem = metric->column.size() - 1;
      return numberedInfo(*metric, std::stoi(std::string(column.substr(stem))), 1);
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
  static const MetricCatalogue catalogue = makeCatalogue();
  return catalogue;
}

const std::vector<std::string>& sampledColumns() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const TableColumn& column : analysisTable("heads").columns) {
      if (std::holds_alternative<double (*)(Row)>(column.value) && column.hasInterval)
        list.push_back(column.info.column);
    }
    return list;
  }();
  return names;
}

namespace {

bool isMarked(std::string_view column, bool TableColumn::*mark) {
  for (const TableColumn& one : analysisTable("heads").columns) {
    if (one.info.column == column) return one.*mark;
  }
  return false;
}

}  // namespace

bool isOverTexts(std::string_view column) {
  return isMarked(column, &TableColumn::ofTexts);
}

bool isHeavyTailed(std::string_view column) {
  return isMarked(column, &TableColumn::heavyTailed);
}

}  // namespace plastiscope
