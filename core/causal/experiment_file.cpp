#include "core/causal/experiment_file.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/sweep/toml_entries.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* kProbes = "probes";
const std::vector<std::string> kParts = {"ranking", "heads", kProbes};
constexpr std::int64_t kMostTexts = 100;  // without [probes]
constexpr std::int64_t kMostHeads = 1'000'000;

TextsForm waysForm(std::vector<std::string>& ways) {
  return {[&ways] { return ways; },
          [&ways](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) ExperimentWay::parse(text);
            ways = texts;
          }};
}

// Options that the numbers depend on, of this command alone.
OptionList ownOptions(ExperimentPlan& plan) {
  return {
      {"--singles",
       "singles",
       &plan.singles,
       "Heads that are changed one by one: all, none or a list",
       {},
       {.page = "study", .row = "&One by one"}},
      {"--doses",
       "doses",
       wholeNumbersForm(plan.doses, kMostHeads, "--doses: expected numbers of heads such as 1,2,4,8"),
       "Numbers of heads that are changed together in each ranking",
       {},
       {.page = "study", .row = "&Numbers of heads"}},
      {"--random-sets",
       "random_sets",
       &plan.randomSets,
       "Random sets of each size, of the same candidates",
       {.limit = Limit::Between, .least = 0, .most = 10000},
       {.page = "study", .row = "Random &sets", .most = 10000}},
      {"--matched-sets",
       "matched_sets",
       &plan.matchedSets,
       "Random sets of each size with as many heads of every layer as the set they are compared with",
       {.limit = Limit::Between, .least = 0, .most = 10000},
       {.page = "study", .row = "&Matched sets", .most = 10000}},
      {"--seed", "seed", &plan.seed, "Seed of random sets and sign flips"},
      {"--ways", "ways", waysForm(plan.ways),
       "Ways to change heads: zero, mean, resample, clamp, distance:TOKENS, mask_first:TOKENS, "
       "rope_band:FROM-TO"},
  };
}

class ExperimentReader {
 public:
  explicit ExperimentReader(const fs::path& file) : m_file(file), m_path(file) {}

  ExperimentPlan read() {
    TomlNode whole = m_file.read();
    std::erase_if(whole.children, [this](const TomlNode& part) {
      if (part.key == "ranking") readRankings(part);
      if (part.key == "heads") readHeads(part);
      if (part.key == kProbes) readProbes(part);
      return std::ranges::find(kParts, part.key) != kParts.end();
    });
    TomlEntry values = m_file.entry(whole, false);
    if (const auto singles = values.values.find("singles"); singles != values.values.end()) {
      TomlValue& value = singles->second;
      if (value.isFlag) value.texts = {value.flag ? "all" : "none"};
      value.isFlag = false;
    }
    OptionList options = experimentOptions(m_plan);
    m_file.apply("study", values, options, kParts);
    complete(values);
    return std::move(m_plan);
  }

 private:
  void readRankings(const TomlNode& part) {
    const bool isList = part.kind == TomlNode::Kind::List;
    for (const TomlNode& each : isList ? part.children : std::vector{part}) {
      if (each.kind != TomlNode::Kind::Table)
        m_file.refuse(each.line, "ranking: expected { analysis = \"FILE\", column = \"NAME\" }");
      HeadRanking ranking;
      OptionList options = rankingOptions(ranking);
      m_file.apply("ranking", m_file.entry(each, false), options);
      if (ranking.analysis.empty())
        m_file.refuse(each.line, "ranking: expected analysis = \"FILE\", found none");
      if (ranking.name.empty()) ranking.name = nameOf(ranking.order) + " " + ranking.column;
      requireNew(ranking.name, each.line);
      m_plan.rankings.push_back(std::move(ranking));
    }
  }

  void readHeads(const TomlNode& part) {
    const bool isTable = part.kind == TomlNode::Kind::Table;
    for (const TomlNode& each : isTable ? part.children : std::vector{part}) {
      const TomlValue value = m_file.value(each.key, each);
      NamedHeads named{isTable ? each.key : "selection", joined(value.texts, {}, ",")};
      m_file.addingLine(each.line, [&] { parseHeadList(named.heads); });
      requireNew(named.name, each.line);
      m_plan.named.push_back(std::move(named));
    }
  }

  void readProbes(const TomlNode& part) {
    if (part.kind != TomlNode::Kind::Table) m_file.refuse(part.line, "expected [probes], found a value");
    OptionList options = probeOptions(m_plan.probes.settings);
    m_file.apply(kProbes, m_file.entry(part, false), options);
    m_hasProbes = true;
  }

  void requireNew(const std::string& name, std::size_t line) {
    if (std::ranges::find(m_names, name) != m_names.end())
      m_file.refuse(line, "expected a unique name of each set, found \"" + name + "\" twice");
    m_names.push_back(name);
  }

  void complete(const TomlEntry& values) {
    const auto model = values.values.find("model");
    if (model == values.values.end()) m_file.refuse(1, "expected model = \"MODEL\", found none");
    if (!fs::exists(m_plan.probes.run.model))
      m_plan.probes.run.model = model->second.texts.front();  // a cached model
    if (m_plan.probes.run.corpus.files.empty() && m_plan.probes.run.tokens.empty() && !m_hasProbes)
      m_file.refuse(1, "expected text = [\"FILE\"] or [probes], found none");
    if (!m_hasProbes) {
      m_plan.probes.settings.kinds = {ProbeKind::Text};
      m_plan.probes.settings.count = kMostTexts;
    }
    if (m_plan.probes.out.empty()) m_plan.probes.out = fs::path(m_path).replace_extension();
    if (m_plan.probes.out == m_path)
      m_file.refuse(1, "expected out = \"FOLDER\", because the name of this file has no extension");
    if (const auto& list = m_plan.singles; list != "all" && list != "none")
      m_file.addingLine(values.values.at("singles").line, [&] { parseHeadList(list); });
    if (m_plan.singles == "none" && m_names.empty())
      m_file.refuse(1, "expected a ranking, heads or singles, found none");
    const bool clamps = std::ranges::find(m_plan.ways, nameOf(WayKind::Clamp)) != m_plan.ways.end();
    if (clamps && m_plan.probes.run.clampFrom.empty())
      m_file.refuse(values.values.at("ways").line, "the way clamp needs clamp_from = \"ANALYSIS\"");
  }

  TomlFile m_file;
  fs::path m_path;
  ExperimentPlan m_plan;
  std::vector<std::string> m_names;
  bool m_hasProbes = false;
};

}  // namespace

OptionList experimentOptions(ExperimentPlan& plan) {
  OptionList options = probeRequestOptions(plan.probes), own = ownOptions(plan);
  options.erase(options.end() - std::ssize(probeOptions(plan.probes.settings)), options.end());
  options.insert(options.end(), own.begin(), own.end());
  options.insert(options.end(), {
                                    {"--clamp-from", "", &plan.probes.run.clampFrom,
                                     "Analysis with axes and slopes of heads, for the way clamp"},
                                    {"--out", "", &plan.probes.out,
                                     "Folder of the tables; default: the name of the file without .toml"},
                                });
  return options;
}

OptionList rankingOptions(HeadRanking& ranking) {
  return {{"--name", "name", &ranking.name, "Name in tables and sentences; default: order and column"},
          {"--analysis", "", &ranking.analysis, "Analysis with the heads, of other texts than those tested"},
          {"--column", "column", &ranking.column, "Numeric column of its heads.csv"},
          {"--order", "order", choiceOf(ranking.order), "highest or lowest first"}};
}

Json ExperimentPlan::settings() const {
  ExperimentPlan plan = *this, standard;
  Json settings = toJson(ownOptions(plan), ownOptions(standard));
  settings["probes"] = probes.settings.toJson();
  for (HeadRanking ranking : rankings) {
    HeadRanking usual;
    settings["rankings"].push_back(toJson(rankingOptions(ranking), rankingOptions(usual)));
  }
  for (const NamedHeads& each : named) settings["heads"][each.name] = each.heads;
  return settings;
}

ExperimentPlan readExperiment(const fs::path& file) {
  return ExperimentReader(file).read();
}

}  // namespace plastiscope
