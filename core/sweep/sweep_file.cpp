#include "core/sweep/sweep_file.h"

#include <glob.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "core/analysis/settings.h"
#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/base/natural_order.h"
#include "core/base/parsed_number.h"
#include "core/sweep/sweep_entries.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

// Options of `capture` that the sweep sets itself.
const std::set<std::string> kOwnOptions = {"--model", "--out", "--part", "--fresh"};
const std::set<std::string> kTextOptions = {"--text", "--tokens"};
constexpr std::size_t kMaxRuns = 10'000;

bool isPattern(const std::string& text) {
  return text.find_first_of("*?[") != std::string::npos;
}

// Applies the limits of the option, as the command line does.
void requireLimit(const Option& option) {
  const std::vector<std::string> texts = textsOf(option);
  const auto number = texts.empty() ? std::nullopt : parsedFinite(texts.front());
  if (!number) return;
  const bool good = option.traits.limit == Limit::Positive      ? *number > 0
                    : option.traits.limit == Limit::NotNegative ? *number >= 0
                                                                : true;
  if (!good)
    throw UsageError(option.name + ": expected a number " +
                     (option.traits.limit == Limit::Positive ? "above 0" : "from 0 on") + ", found " +
                     texts.front());
}

// "models/SmolLM2-135M.gguf" -> "SmolLM2-135M", made valid for file names.
std::string nameOfModel(const std::string& path) {
  fs::path place = path;
  if (!place.has_filename()) place = place.parent_path();
  std::string name = place.extension() == ".gguf" ? place.stem().string() : place.filename().string();
  for (char& c : name) {
    if (!isPlainName("a" + std::string(1, c))) c = '-';
  }
  while (!name.empty() && !isPlainName(name.substr(0, 1))) name.erase(0, 1);
  return name.substr(0, kLongestPlainName);
}

struct NamedModel {
  std::string name, path;
  const SweepEntry* entry;
};

class SweepBuilder {
 public:
  SweepBuilder(fs::path file, fs::path library)
      : m_file(std::move(file)),
        m_folder(fs::absolute(m_file).parent_path()),
        m_library(std::move(library)),
        m_entries(readEntries(m_file)) {
    requireNames("texts", m_entries.texts);
    requireNames("capture", m_entries.captures);
    requireNames("analyze", m_entries.analyses);
  }

  std::vector<SweepRun> build() {
    const auto analyses = analysesOf();
    const std::vector<NamedModel> named = models();
    const std::size_t runs = named.size() * m_entries.texts.size() * m_entries.captures.size();
    if (runs > kMaxRuns)
      refuseAt(m_file, 1,
               "expected at most " + withCommas(kMaxRuns) + " runs, found " +
                   withCommas(static_cast<long long>(runs)) + " of models, texts and captures");
    for (const NamedModel& model : named) {
      for (const SweepEntry& texts : m_entries.texts) {
        for (const SweepEntry& kind : m_entries.captures) add(model, texts, kind, analyses);
      }
    }
    return std::move(m_runs);
  }

 private:
  void requireNames(const std::string& section, const std::vector<SweepEntry>& list) const {
    if (list.size() < 2) return;
    for (const SweepEntry& entry : list) {
      if (entry.name.empty())
        refuseAt(m_file, entry.line,
                 "[[" + section + "]]: expected a name, because there are several; found none");
    }
  }

  // Files that match a pattern, in natural order. Other texts are returned unchanged.
  std::vector<std::string> expanded(const std::string& text, std::size_t line) const {
    const std::string whole = placeOf(text);
    if (!isPattern(text) || fs::exists(whole)) return {whole};
    glob_t found{};
    const int failed = ::glob(whole.c_str(), GLOB_NOSORT, nullptr, &found);
    std::vector<std::string> names(found.gl_pathv, found.gl_pathv + (failed == 0 ? found.gl_pathc : 0));
    ::globfree(&found);
    if (names.empty()) refuseAt(m_file, line, "expected files that fit \"" + text + "\", found none");
    std::sort(names.begin(), names.end(), naturallyBefore);
    return names;
  }

  std::string placeOf(const std::string& text) const {
    return text.empty() ? text : (m_folder / text).lexically_normal().string();
  }

  std::vector<NamedModel> models() const {
    std::vector<NamedModel> models;
    std::map<std::string, std::size_t> lines;
    for (const SweepEntry& entry : m_entries.models) {
      const auto path = entry.values.find("path");
      if (path == entry.values.end() || path->second.texts.size() != 1 || path->second.texts.front().empty())
        refuseAt(m_file, entry.line, "[[model]]: expected path = \"MODEL\", found none");
      const std::string& text = path->second.texts.front();
      std::vector<std::string> found = expanded(text, path->second.line);
      // Keeps the name of a model in the cache.
      if (!isPattern(text) && !fs::exists(found.front())) found = {text};
      for (const std::string& each : found) {
        std::string name = entry.name.empty()  ? nameOfModel(each)
                           : found.size() == 1 ? entry.name
                                               : entry.name + "-" + nameOfModel(each);
        const auto [other, isNew] = lines.emplace(name, entry.line);
        if (name.empty() || !isNew)
          refuseAt(m_file, entry.line,
                   "[[model]]: expected a unique name, found \"" + name + "\"" +
                       (isNew ? "" : " as in line " + std::to_string(other->second)));
        models.push_back({std::move(name), each, &entry});
      }
    }
    return models;
  }

  // The settings of `analyze` with their names.
  std::vector<SweepAnalysis> analysesOf() const {
    std::vector<std::string> known{"preset"};
    for (const SettingInfo& info : settingList()) known.push_back(settingOption(info.name).substr(2));
    std::vector<SweepAnalysis> analyses;
    for (const SweepEntry& entry : m_entries.analyses) {
      SettingTexts texts;
      std::string preset = settingPresets().front().name;
      for (const SweepEntry* from : {&m_entries.analyzeDefaults, &entry}) {
        for (const auto& [key, value] : from->values) {
          addingPlace(m_file, value.line, [&, &name = key] { requireWord("analyze", name, known); });
          if (value.isFlag)
            refuseAt(m_file, value.line, key + ": expected a text or a number, found true or false");
          std::string text = joined(value.texts, {}, ",");
          std::string name = key;
          std::replace(name.begin(), name.end(), '-', '_');
          (key == "preset" ? preset : texts[name]) = std::move(text);
          addingPlace(m_file, value.line, [&] { settingsOf(preset, texts); });
        }
      }
      addingPlace(m_file, entry.line, [&] {
        analyses.push_back({entry.name, {}, settingArguments(preset, settingsOf(preset, texts))});
      });
    }
    return analyses;
  }

  void apply(const SweepEntry& entry, OptionList& options, const std::set<std::string>& own, bool textsToo) {
    std::vector<std::string> known(own.begin(), own.end());
    for (const Option& option : options) {
      const bool allowed = option.name.starts_with("--") && !kOwnOptions.contains(option.name) &&
                           (textsToo || !kTextOptions.contains(option.name));
      if (allowed) known.push_back(option.name.substr(2));
    }
    for (const auto& [key, value] : entry.values) {
      if (own.contains(key)) continue;
      addingPlace(m_file, value.line, [&, &name = key] {
        requireWord("capture", name, known);
        set(*findOption(options, "--" + name), value);
      });
    }
  }

  void set(const Option& option, const SweepValue& value) const {
    if (isFlag(option) != value.isFlag)
      throw UsageError(option.name + ": expected " +
                       (isFlag(option) ? "true or false" : "a text or a number") + ", found " +
                       (value.isFlag ? "true or false" : "a text or a number"));
    if (isFlag(option)) {
      *std::get<bool*>(option.value) = value.flag != option.traits.clears;
      return;
    }
    std::vector<std::string> texts = value.texts;
    if (!takesSeveral(option)) texts = {joined(texts, {}, ",")};
    if (std::holds_alternative<fs::path*>(option.value)) texts = {placeOf(texts.front())};
    if (std::holds_alternative<std::vector<fs::path>*>(option.value)) {
      std::vector<std::string> files;
      for (const std::string& text : texts) {
        for (std::string& file : expanded(text, value.line)) files.push_back(std::move(file));
      }
      texts = std::move(files);
    }
    setTexts(option, texts);
    requireLimit(option);
  }

  void add(const NamedModel& model, const SweepEntry& texts, const SweepEntry& kind,
           const std::vector<SweepAnalysis>& analyses) {
    SweepRun run;
    run.model = model.name;
    run.texts = texts.name;
    run.kind = kind.name;
    for (const std::string* part : {&run.model, &run.texts, &run.kind}) {
      if (!part->empty()) run.name += (run.name.empty() ? "" : "_") + *part;
    }
    OptionList options = captureOptions(run.capture);
    apply(m_entries.captureDefaults, options, {}, false);
    apply(*model.entry, options, {"path"}, false);
    apply(texts, options, {}, true);
    apply(kind, options, {}, false);
    if (run.capture.corpus.files.empty() == run.capture.tokens.empty())
      refuseAt(m_file, texts.line, "[[texts]]: expected either text or tokens, found both or none");
    addingPlace(m_file, kind.line > 0 ? kind.line : model.entry->line, [&] { run.capture.plan.validate(); });
    run.capture.model = model.path;
    run.capture.out = m_library / (run.name + ".h5");
    run.analyses = analyses;
    for (SweepAnalysis& analysis : run.analyses)
      analysis.out =
          m_library / (run.name + (analysis.name.empty() ? "" : "." + analysis.name) + ".analysis.h5");
    requireOwnFiles(run);
    m_runs.push_back(std::move(run));
  }

  void requireOwnFiles(const SweepRun& run) {
    std::vector<fs::path> outs{run.capture.out};
    for (const SweepAnalysis& analysis : run.analyses) outs.push_back(analysis.out);
    for (const fs::path& out : outs) {
      if (!m_outs.insert(out).second)
        refuseAt(m_file, 1, "two runs would write " + out.filename().string() + "; give one another name");
    }
  }

  fs::path m_file, m_folder, m_library;
  SweepEntries m_entries;
  std::vector<SweepRun> m_runs;
  std::set<fs::path> m_outs;
};

}  // namespace

std::vector<SweepRun> readSweep(const fs::path& file, const fs::path& library) {
  return SweepBuilder(file, fs::absolute(library).lexically_normal()).build();
}

}  // namespace plastiscope
