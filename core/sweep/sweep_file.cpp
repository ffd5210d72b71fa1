#include "core/sweep/sweep_file.h"

#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/analysis/settings.h"
#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/base/natural_order.h"
#include "core/model/discovery.h"
#include "core/sweep/toml_entries.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

// ---- entries of the file

struct SweepEntries {
  TomlEntry captureDefaults, analyzeDefaults;
  std::vector<TomlEntry> models, texts, captures, analyses;  // an entry without values if the file has none
};

void readDefaults(const TomlFile& file, const TomlNode& node, SweepEntries& entries) {
  if (node.kind != TomlNode::Kind::Table)
    file.refuse(node.line, "expected [defaults.capture] or [defaults.analyze]");
  for (const TomlNode& part : node.children) {
    file.addingLine(part.keyLine, [&] { requireWord("defaults", part.key, {"capture", "analyze"}); });
    if (part.kind != TomlNode::Kind::Table)
      file.refuse(part.line, "expected a table [defaults." + part.key + "], found a value");
    (part.key == "capture" ? entries.captureDefaults : entries.analyzeDefaults) = file.entry(part, false);
  }
}

SweepEntries readEntries(const TomlFile& file) {
  SweepEntries entries;
  for (const TomlNode& section : file.read().children) {
    file.addingLine(section.keyLine, [&] {
      requireWord("section", section.key, {"defaults", "model", "texts", "capture", "analyze"});
    });
    if (section.key == "defaults") readDefaults(file, section, entries);
    if (section.key == "model") entries.models = file.entries(section);
    if (section.key == "texts") entries.texts = file.entries(section);
    if (section.key == "capture") entries.captures = file.entries(section);
    if (section.key == "analyze") entries.analyses = file.entries(section);
  }
  if (entries.models.empty()) file.refuse(1, "expected at least one [[model]], found none");
  if (entries.texts.empty()) file.refuse(1, "expected at least one [[texts]], found none");
  for (auto* list : {&entries.captures, &entries.analyses}) {
    if (list->empty()) list->emplace_back();
  }
  return entries;
}

// ---- runs

// Options of `capture` that the sweep sets itself.
const std::set<std::string> kOwnOptions = {"--model", "--out", "--part", "--fresh"};
const std::set<std::string> kTextOptions = {"--text", "--tokens"};
constexpr std::size_t kMaxRuns = 10'000;

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
  const TomlEntry* entry;
};

class SweepBuilder {
 public:
  SweepBuilder(fs::path file, fs::path library)
      : m_toml(std::move(file)), m_library(std::move(library)), m_entries(readEntries(m_toml)) {
    requireNames("texts", m_entries.texts);
    requireNames("capture", m_entries.captures);
    requireNames("analyze", m_entries.analyses);
  }

  std::vector<SweepRun> build() {
    const auto analyses = analysesOf();
    const std::vector<NamedModel> named = models();
    const std::size_t runs = named.size() * m_entries.texts.size() * m_entries.captures.size();
    if (runs > kMaxRuns)
      m_toml.refuse(1, "expected at most " + withCommas(kMaxRuns) + " runs, found " + withCommas(runs) +
                           " of models, texts and captures");
    for (const NamedModel& model : named) {
      for (const TomlEntry& texts : m_entries.texts) {
        for (const TomlEntry& kind : m_entries.captures) add(model, texts, kind, analyses);
      }
    }
    return std::move(m_runs);
  }

 private:
  void requireNames(const std::string& section, const std::vector<TomlEntry>& list) const {
    if (list.size() < 2) return;
    for (const TomlEntry& entry : list) {
      if (entry.name.empty())
        m_toml.refuse(entry.line,
                      "[[" + section + "]]: expected a name, because there are several; found none");
    }
  }

  // The models of an entry: a checkpoint for each folder that fits a pattern, or that lies in a folder
  // which is no model itself, or for each cached model whose name fits (ORG/NAME@step*); else the one that is
  // named. In natural order, which is the order of training steps.
  std::vector<std::string> checkpointsOf(const std::string& text, std::size_t line) const {
    const fs::path place = m_toml.placeOf(text);
    std::vector<std::string> found;
    if (fs::is_directory(place)) {
      for (const FoundModel& model : locateInFolders({"", place, nullptr})) {
        if (model.path == place || model.path.parent_path() == place) found.push_back(model.path.string());
      }
      if (std::ranges::find(found, place.string()) != found.end() || found.empty()) return {place.string()};
    } else if (text.find('@') != std::string::npos && TomlFile::isPattern(text)) {
      for (const FoundModel& model : locateModels({})) {
        if (::fnmatch(text.c_str(), model.name.c_str(), 0) == 0) found.push_back(model.name);
      }
      if (found.empty()) m_toml.refuse(line, "expected cached models that fit \"" + text + "\", found none");
    } else if (TomlFile::isPattern(text) || fs::exists(place)) {
      return m_toml.filesAt(text, line);
    } else {
      return {text};  // the name of a cached model
    }
    std::ranges::sort(found, naturallyBefore);
    return found;
  }

  std::vector<NamedModel> models() const {
    std::vector<NamedModel> models;
    std::map<std::string, std::size_t> lines;
    for (const TomlEntry& entry : m_entries.models) {
      const auto path = entry.values.find("path");
      if (path == entry.values.end() || path->second.texts.size() != 1 || path->second.texts.front().empty())
        m_toml.refuse(entry.line, "[[model]]: expected path = \"MODEL\", found none");
      const std::vector<std::string> found = checkpointsOf(path->second.texts.front(), path->second.line);
      for (const std::string& each : found) {
        std::string name = entry.name.empty()  ? nameOfModel(each)
                           : found.size() == 1 ? entry.name
                                               : entry.name + "-" + nameOfModel(each);
        const auto [other, isNew] = lines.emplace(name, entry.line);
        if (name.empty() || !isNew)
          m_toml.refuse(entry.line, "[[model]]: expected a unique name, found \"" + name + "\"" +
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
    for (const TomlEntry& entry : m_entries.analyses) {
      SettingTexts texts;
      std::string preset = settingPresets().front().name;
      for (const TomlEntry* from : {&m_entries.analyzeDefaults, &entry}) {
        for (const auto& [key, value] : from->values) {
          m_toml.addingLine(value.line, [&, &name = key] { requireWord("analyze", name, known); });
          if (value.isFlag)
            m_toml.refuse(value.line, key + ": expected a text or a number, found true or false");
          std::string text = joined(value.texts, {}, ",");
          std::string name = key;
          std::replace(name.begin(), name.end(), '-', '_');
          (key == "preset" ? preset : texts[name]) = std::move(text);
          m_toml.addingLine(value.line, [&] { settingsOf(preset, texts); });
        }
      }
      m_toml.addingLine(entry.line, [&] {
        analyses.push_back({entry.name, {}, settingArguments(preset, settingsOf(preset, texts))});
      });
    }
    return analyses;
  }

  void add(const NamedModel& model, const TomlEntry& texts, const TomlEntry& kind,
           const std::vector<SweepAnalysis>& analyses) {
    SweepRun run;
    run.model = model.name;
    run.texts = texts.name;
    run.kind = kind.name;
    for (const std::string* part : {&run.model, &run.texts, &run.kind}) {
      if (!part->empty()) run.name += (run.name.empty() ? "" : "_") + *part;
    }
    OptionList withTexts = captureOptions(run.capture);
    std::erase_if(withTexts, [](const Option& option) { return kOwnOptions.contains(option.name); });
    OptionList options = withTexts;
    std::erase_if(options, [](const Option& option) { return kTextOptions.contains(option.name); });
    m_toml.apply("capture", m_entries.captureDefaults, options);
    m_toml.apply("capture", *model.entry, options, {"path"});
    m_toml.apply("capture", texts, withTexts);
    m_toml.apply("capture", kind, options);
    if (run.capture.corpus.files.empty() == run.capture.tokens.empty())
      m_toml.refuse(texts.line, "[[texts]]: expected either text or tokens, found both or none");
    m_toml.addingLine(kind.line > 0 ? kind.line : model.entry->line, [&] { run.capture.plan.validate(); });
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
        m_toml.refuse(1, "two runs would write " + out.filename().string() + "; give one another name");
    }
  }

  TomlFile m_toml;
  fs::path m_library;
  SweepEntries m_entries;
  std::vector<SweepRun> m_runs;
  std::set<fs::path> m_outs;
};

}  // namespace

std::vector<SweepRun> readSweep(const fs::path& file, const fs::path& library) {
  return SweepBuilder(file, fs::absolute(library).lexically_normal()).build();
}

}  // namespace plastiscope
