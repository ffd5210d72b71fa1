#pragma once
// Sets of heads of an intervention study, and the ways to change them (method.md, Intervention studies).
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/capture/head_list.h"
#include "core/causal/outcome_run.h"

namespace plastiscope {

// ---- Ways to change heads

enum class WayKind { Zero, Mean, Resample, Clamp, Distance, MaskFirst, RopeBand };
constexpr std::array<const char*, 7> namesOf(WayKind) {
  return {"zero", "mean", "resample", "clamp", "distance", "mask_first", "rope_band"};
}

struct ExperimentWay {
  WayKind kind = WayKind::Zero;
  // Distance: last keys that are seen; MaskFirst: keys that are hidden; RopeBand: wavelengths in tokens, from
  // and up to but without.
  std::int64_t from = 0, to = 0;

  std::string text() const;  // "distance:1024", "rope_band:1000-4000"
  // "Removing HEADS"
  std::string sentence(const std::string& heads) const;
  static ExperimentWay parse(const std::string& text);  // UsageError
};

// ---- Sets

enum class SetKind { Ranking, Named, Single, Random, Matched };
constexpr std::array<const char*, 5> namesOf(SetKind) {
  return {"ranking", "named", "single", "random", "matched"};
}

// The first k heads are the set of dose k.
struct ExperimentSet {
  SetKind kind = SetKind::Ranking;
  std::string name;  // of the ranking or the named set; Matched: of the set that it matches; Single: "L1H2"
  std::int64_t draw = -1;  // of Random and Matched, from 0
  std::vector<HeadName> order;
  std::vector<std::int64_t> doses;

  std::vector<HeadName> heads(std::int64_t dose) const;  // ascending
};

struct HeadChange {
  std::size_t way = 0;
  std::vector<HeadName> heads;  // ascending
  auto operator<=>(const HeadChange&) const = default;
};

struct ExperimentCase {
  std::size_t set = 0;
  std::int64_t dose = 0;
  std::size_t change = 0;
};

// Each distinct change once: those with the highest first layer, which share most layers, first.
struct ExperimentDesign {
  std::vector<ExperimentWay> ways;
  std::vector<ExperimentSet> sets;
  std::vector<HeadChange> changes;
  std::vector<ExperimentCase> cases;  // by set, dose, way
};

// Sizes and draws of sets.
struct SetChoice {
  std::vector<std::int64_t> doses = {1, 2, 4,
                                     8};  // of rankings; those above the number of heads are left out
  std::int64_t randomSets = 50, matchedSets = 50;
  std::uint64_t seed = 0;
};

struct SetRequest : SetChoice {
  std::vector<ExperimentSet> rankings;  // kind, name and order
  std::vector<ExperimentSet> named;     // likewise, with one dose: all heads
  std::vector<HeadName> singles;
  std::vector<HeadName> candidates;  // that random and matched sets are drawn from, ascending
};

// A random draw is a random order of the candidates. A matched draw exchanges the candidates of each layer at
// random and takes, for each head of the ranking, the head in its place: its sets have as many heads of every
// layer. Both are nested as the ranking is.
ExperimentDesign designExperiment(const SetRequest& request, std::vector<ExperimentWay> ways);

// ---- Changes of a text

// Input of ways besides the heads; only that of the ways in use is needed.
struct WayInput {
  std::int64_t tokens = 0;  // of the text
  HeadOutputs means, others;
  std::map<HeadName, KeyClamp> clamps;
};

// UsageError if no RoPE pair of a layer has a wavelength in the band.
Change makeChange(const ExperimentWay& way, const std::vector<HeadName>& heads, const ModelSpec& spec,
                  const WayInput& input);

// Query heads of all layers with attention, ascending.
std::vector<HeadName> headsWithAttention(const ModelSpec& spec);

// The text whose outputs replace those of text `probe`: of another replicate; if possible of the same kind
// and condition, and at least as long. UsageError if all texts are of one replicate.
std::size_t donorOf(const std::vector<ProbeText>& probes, std::size_t probe, std::uint64_t seed);

}  // namespace plastiscope
