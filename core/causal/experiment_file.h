#pragma once
// The plan of an intervention study, and the TOML file that it is read from (resources/help/causes.md).
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/option.h"
#include "core/causal/experiment_sets.h"
#include "core/causal/probe_request.h"

namespace plastiscope {

enum class RankingOrder { Highest, Lowest };
constexpr std::array<const char*, 2> namesOf(RankingOrder) {
  return {"highest", "lowest"};
}

// Heads in order of a column of heads.csv.
struct HeadRanking {
  std::string name;  // "highest ap_aligned"
  std::filesystem::path analysis;
  std::string column = "ap_aligned";
  RankingOrder order = RankingOrder::Highest;
};

struct NamedHeads {
  std::string name, heads;  // "L1H2,L3H0-7"
};

struct ExperimentPlan : SetChoice {
  ProbeRequest probes;  // model, texts, where it runs, clampFrom; `out` is the folder of the tables
  std::vector<HeadRanking> rankings;
  std::vector<NamedHeads> named;
  std::string singles = "all";  // heads that are changed one by one: "all", "none" or a list
  std::vector<std::string> ways = {"zero"};

  // The settings that change the results, as JSON; model, analyses and texts are identified separately.
  Json settings() const;
};

// Keys of the file besides [probes], [heads] and [[ranking]], and those of a ranking.
OptionList experimentOptions(ExperimentPlan& plan);
OptionList rankingOptions(HeadRanking& ranking);

// Paths in the file are relative to its folder. InputError with the line: invalid TOML, an unknown or missing
// key, a wrong value.
ExperimentPlan readExperiment(const std::filesystem::path& file);

}  // namespace plastiscope
