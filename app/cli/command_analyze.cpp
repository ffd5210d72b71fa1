#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <map>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/jobs/analyze_job.h"

namespace plastiscope {

namespace {

// The settings of method.md section 9 as options: --pair-scope sets "pair_scope", and so on.
struct SettingOption {
  const char* key;
  const char* help;
};
constexpr SettingOption kSettings[] = {
    {"variance", "Query variance of a pair"},
    {"pairs", "Key pairs per head and bin, or all"},
    {"pair_scope", "Which keys may form a pair"},
    {"max_distance", "Most tokens between the keys of a pair; 0: any"},
    {"bins", "density, buckets, or a number of equal-width bins"},
    {"min_queries", "Bins with fewer queries are missing"},
    {"min_pairs", "Bins with fewer key pairs are missing"},
    {"tau", "Query position of a bin: midpoint or mean"},
    {"weights", "Weights of AP_overall: queries or equal"},
    {"b_axis", "centroid or eigenvector"},
    {"pca_sign", "dominant or query"},
    {"taxonomy", "thesis (4 classes) or notes (5 classes)"},
    {"taxonomy_low", "Lower threshold of the taxonomy"},
    {"taxonomy_high", "Upper threshold of the taxonomy"},
    {"pool_weights", "rows or equal"},
    {"decomposition", "on: also split AP_drop into position and content (variance thesis)"},
    {"components", "Principal components kept"},
    {"map_cell", "Tokens a cell of the map; default: the capture's bucket size"},
    {"length_edges", "Edges of the length table, separated by commas"},
    {"seed", "Seed of the sampled pairs"},
    {"heads", "Only these heads, such as L12H6,L3H0-7"},
    {"layers", "Only these layers, such as 0-5,9"},
};

std::string optionNameOf(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return "--" + key;
}

template <typename Number>
bool wholeNumber(const std::string& text, Number& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

// Text from the command line as the JSON type of the setting's default; counts may also be words ("all").
Json typedValue(const std::string& key, const std::string& text, const Json& standard) {
  std::int64_t integer = 0;
  double number = 0;
  if (standard.is_array()) {
    Json list = Json::array();
    for (const std::string& part : CLI::detail::split(text, ',')) {
      if (!wholeNumber(part, integer))
        throw UsageError(optionNameOf(key) + ": expected whole numbers, found \"" + part + "\"");
      list.push_back(integer);
    }
    return list;
  }
  if (standard.is_number_float() && wholeNumber(text, number)) return number;
  if (standard.is_number_integer() && wholeNumber(text, integer)) return integer;
  return text;
}

}  // namespace

CommandRun addAnalyze(CLI::App& app, GlobalOptions& global) {
  struct Options {
    std::string capture, out, csv, preset = "thesis";
    std::map<std::string, std::string> given;
  };
  auto options = std::make_shared<Options>();
  app.add_option("CAPTURE", options->capture, "Capture file")->required();
  app.add_option("--out", options->out, "The analysis file to write")->required();
  app.add_option("--csv", options->csv, "Also write the tables into this folder");
  app.add_option("--preset", options->preset, "Start from: thesis, author or rigorous")
      ->capture_default_str();
  for (const SettingOption& setting : kSettings) {
    app.add_option_function<std::string>(
        optionNameOf(setting.key),
        [options, key = std::string(setting.key)](const std::string& value) { options->given[key] = value; },
        setting.help);
  }
  app.add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  return [options](const GlobalOptions& globals, Progress& progress) {
    Json settings = AnalysisSettings::preset(options->preset).toJson();
    for (const auto& [key, text] : options->given)
      settings[key] = typedValue(key, text, settings.value(key, Json()));
    const AnalysisSettings resolved = AnalysisSettings::fromJson(settings);
    resolved.validate();
    const auto capture = openCapture(options->capture);
    const AnalysisFile analysis = analyzeCapture(*capture, resolved, globals.threads, progress);
    for (const std::string& warning : analysis.provenance.warnings) progress.warned(warning);
    writeAnalysis(analysis, options->out);
    if (!options->csv.empty()) exportCsv(analysis, options->csv);
    if (!globals.quiet) std::printf("%s\n", options->out.c_str());
  };
}

}  // namespace plastiscope
