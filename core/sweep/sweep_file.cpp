#include "core/sweep/sweep_file.h"

#include <fnmatch.h>
#include <glob.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "core/analysis/settings.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/natural_order.h"
#include "core/base/parsed_number.h"
#include "core/model/discovery.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

// ---- entries of the file, each with its line number

constexpr std::size_t kLongestPlainName = 100;

// A value in the form of the command line.
struct SweepValue {
  std::vector<std::string> texts;
  bool isFlag = false, flag = false;
  std::size_t line = 0;
};

// A table of the file: [defaults.capture], one of [[model]], ...
struct SweepEntry {
  std::string name;  // its key `name`; "" = none
  std::size_t line = 0;
  std::map<std::string, SweepValue> values;  // by key, with hyphens; without `name`
};

struct SweepEntries {
  SweepEntry captureDefaults, analyzeDefaults;
  std::vector<SweepEntry> models, texts, captures, analyses;  // an entry without values if the file has none
};

// "FILE: line 3: ..."
[[noreturn]] void refuseAt(const fs::path& file, std::size_t line, const std::string& sentence) {
  throw InputError({file, "line " + std::to_string(line), "", sentence});
}

// Throws the same for a UsageError of `what`.
void addingPlace(const fs::path& file, std::size_t line, const std::function<void()>& what) {
  try {
    what();
  } catch (const UsageError& error) {
    refuseAt(file, line, error.what());
  }
}

// Whether the name is valid in file names on all systems.
bool isPlainName(const std::string& name) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view(".-_+=").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= kLongestPlainName && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), plain);
}

constexpr std::size_t kLargestSweep = std::size_t{4} << 20;
// Limit per line: the TOML library nests one table per part of a.b.c and frees them recursively.
constexpr std::ptrdiff_t kMaxDots = 4096;

std::size_t lineOf(const toml::node& node) {
  return node.source().begin.line;
}

std::string withHyphens(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return key;
}

class EntryReader {
 public:
  explicit EntryReader(fs::path file) : m_file(std::move(file)) {}

  // InputError with the line: invalid TOML, an unknown section, a wrong type, an invalid or repeated name.
  SweepEntries read() const {
    const toml::table root = parsed();
    SweepEntries entries;
    for (auto&& [key, node] : root) {
      const std::string section(key.str());
      addingPlace(m_file, key.source().begin.line, [&] {
        requireWord("section", section, {"defaults", "model", "texts", "capture", "analyze"});
      });
      if (section == "defaults") readDefaults(node, entries);
      if (section == "model") entries.models = listOf(section, node);
      if (section == "texts") entries.texts = listOf(section, node);
      if (section == "capture") entries.captures = listOf(section, node);
      if (section == "analyze") entries.analyses = listOf(section, node);
    }
    if (entries.models.empty()) refuseAt(m_file, 1, "expected at least one [[model]], found none");
    if (entries.texts.empty()) refuseAt(m_file, 1, "expected at least one [[texts]], found none");
    for (auto* list : {&entries.captures, &entries.analyses}) {
      if (list->empty()) list->emplace_back();
    }
    return entries;
  }

 private:
  std::string text() const {
    std::string text = readFile(m_file, kLargestSweep);
    std::istringstream lines(text);
    std::size_t number = 1;
    for (std::string line; std::getline(lines, line); ++number) {
      if (std::ranges::count(line, '.') > kMaxDots)
        refuseAt(m_file, number, "expected at most " + withCommas(kMaxDots) + " dots in a line, found more");
    }
    return text;
  }

  toml::table parsed() const {
    try {
      return toml::parse(text());
    } catch (const toml::parse_error& error) {
      refuseAt(m_file, error.source().begin.line, sanitized(error.description(), kLongestMessage));
    }
  }

  void readDefaults(const toml::node& node, SweepEntries& entries) const {
    if (!node.is_table()) refuseAt(m_file, lineOf(node), "expected [defaults.capture] or [defaults.analyze]");
    for (auto&& [key, part] : *node.as_table()) {
      const std::string command(key.str());
      addingPlace(m_file, key.source().begin.line,
                  [&] { requireWord("defaults", command, {"capture", "analyze"}); });
      if (!part.is_table())
        refuseAt(m_file, lineOf(part), "expected a table [defaults." + command + "], found a value");
      (command == "capture" ? entries.captureDefaults : entries.analyzeDefaults) =
          entryOf(*part.as_table(), false);
    }
  }

  std::vector<SweepEntry> listOf(const std::string& section, const toml::node& node) const {
    std::vector<SweepEntry> entries;
    const toml::array* list = node.as_array();
    const bool tables =
        list != nullptr &&
        std::all_of(list->begin(), list->end(), [](const toml::node& each) { return each.is_table(); });
    if (!tables)
      refuseAt(m_file, lineOf(node),
               "expected [[" + section + "]], found " + (node.is_table() ? "[" + section + "]" : "a value"));
    for (const toml::node& each : *list) {
      SweepEntry entry = entryOf(*each.as_table(), true);
      const auto alike = std::find_if(entries.begin(), entries.end(), [&](const SweepEntry& other) {
        return !entry.name.empty() && other.name == entry.name;
      });
      if (alike != entries.end()) {
        refuseAt(m_file, entry.line,
                 "[[" + section + "]]: expected a unique name, found \"" + entry.name + "\" as in line " +
                     std::to_string(alike->line));
      }
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  SweepEntry entryOf(const toml::table& table, bool named) const {
    SweepEntry entry;
    entry.line = lineOf(table);
    for (auto&& [key, node] : table) {
      const std::string name = withHyphens(std::string(key.str()));
      SweepValue value = valueOf(name, node);
      if (entry.values.contains(name)) refuseAt(m_file, value.line, name + " appears twice");
      if (!named || name != "name") {
        entry.values[name] = std::move(value);
        continue;
      }
      if (!node.is_string() || !isPlainName(value.texts.front()))
        refuseAt(m_file, value.line,
                 "name: expected letters, digits, \".\", \"-\", \"_\", \"+\" and \"=\", at most " +
                     std::to_string(kLongestPlainName) + ", found \"" +
                     sanitized(value.texts.empty() ? "" : value.texts.front()) + "\"");
      entry.name = value.texts.front();
    }
    return entry;
  }

  SweepValue valueOf(const std::string& key, const toml::node& node) const {
    SweepValue value;
    value.line = lineOf(node);
    if (node.is_boolean()) {
      value.isFlag = true;
      value.flag = node.as_boolean()->get();
    } else if (const toml::array* list = node.as_array()) {
      for (const toml::node& each : *list) value.texts.push_back(textOf(key, each));
    } else {
      value.texts = {textOf(key, node)};
    }
    return value;
  }

  std::string textOf(const std::string& key, const toml::node& node) const {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
    if (const auto* number = node.as_floating_point()) return numberText(number->get());
    refuseAt(m_file, lineOf(node), key + ": expected a text, a number, true, false, or a list of texts");
  }

  fs::path m_file;
};

// ---- runs

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
        m_entries(EntryReader(m_file).read()) {
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
               "expected at most " + withCommas(kMaxRuns) + " runs, found " + withCommas(runs) +
                   " of models, texts and captures");
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

  // The models of an entry: a checkpoint for each folder that fits a pattern, or that lies in a folder
  // which is no model itself, or for each cached model whose name fits (ORG/NAME@step*); else the one that is
  // named. In natural order, which is the order of training steps.
  std::vector<std::string> checkpointsOf(const std::string& text, std::size_t line) const {
    const fs::path place = placeOf(text);
    std::vector<std::string> found;
    if (fs::is_directory(place)) {
      for (const FoundModel& model : locateInFolders({"", place, nullptr})) {
        if (model.path == place || model.path.parent_path() == place) found.push_back(model.path.string());
      }
      if (std::ranges::find(found, place.string()) != found.end() || found.empty()) return {place.string()};
    } else if (text.find('@') != std::string::npos && isPattern(text)) {
      for (const FoundModel& model : locateModels({})) {
        if (::fnmatch(text.c_str(), model.name.c_str(), 0) == 0) found.push_back(model.name);
      }
      if (found.empty())
        refuseAt(m_file, line, "expected cached models that fit \"" + text + "\", found none");
    } else if (isPattern(text) || fs::exists(place)) {
      return expanded(text, line);
    } else {
      return {text};  // the name of a cached model
    }
    std::ranges::sort(found, naturallyBefore);
    return found;
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
      const std::vector<std::string> found = checkpointsOf(path->second.texts.front(), path->second.line);
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
