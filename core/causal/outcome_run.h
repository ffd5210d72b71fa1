#pragma once
// Runs probes through a model, unchanged and with changed heads, and returns how well their tokens are
// predicted. Changed runs share the layers below their first changed head.
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/head_list.h"
#include "core/causal/probe_text.h"
#include "core/forward/forward_engine.h"
#include "core/model/model.h"

namespace plastiscope {

using Change = std::shared_ptr<const Interventions>;  // nullptr: none
using Outcomes = std::vector<TokenOutcome>;           // [scored tokens of a probe]
using HeadOutputs = std::map<HeadName, std::shared_ptr<const std::vector<float>>>;  // [tokens, head_dim]

// Counts the queries that predict a copied token, and by head those among them whose most attended key is the
// token that is copied. Queries that predict tokens without an earlier copy are left out.
struct Retrieval {
  std::int64_t queries = 0;
  std::map<HeadName, std::int64_t> hits;  // of every query head
};

// UsageError unless the engine runs changed sequences and gives outcomes of single tokens.
void requireVariants(const ForwardEngine& engine);

class OutcomeRunner {
 public:
  // `memoryLimit`: bytes; 0 = 80 % of the free memory. UsageError if the engine cannot change heads, or the
  // model has no output.
  OutcomeRunner(std::shared_ptr<const Model> model, std::shared_ptr<const ForwardEngine> engine,
                ForwardOptions options, std::uint64_t memoryLimit = 0);

  // [probes][scored], unchanged. InputError for an outcome that is not finite. `retrieval`: if not null,
  // receives one entry per probe.
  std::vector<Outcomes> unchanged(std::span<const ProbeText> probes, Progress& progress,
                                  std::vector<Retrieval>* retrieval = nullptr) const;
  // [changes][scored] of one probe; a null change is the unchanged model. ResourceError, Stopped.
  std::vector<Outcomes> changed(const ProbeText& probe, std::span<const Change> changes,
                                Progress& progress) const;
  // Outputs of these heads in the unchanged model, before gate and output projection.
  HeadOutputs outputs(const std::vector<std::int32_t>& tokens, const std::vector<HeadName>& heads,
                      Progress& progress) const;
  // Queries [tokens, head_dim] of these query heads, and keys of their key heads, after RoPE, by change.
  struct Vectors {
    std::map<HeadName, std::vector<float>> queries, keys;  // keys by key head
  };
  std::vector<Vectors> vectors(const std::vector<std::int32_t>& tokens, const std::vector<HeadName>& heads,
                               std::span<const Change> changes, Progress& progress) const;

  const Model& model() const { return *m_model; }

 private:
  // Runs sequences in groups that fit into memory, each with the unchanged sequence `shared` before it, if
  // that is not empty. The sink gets their numbers.
  void run(const std::vector<TokenSequence>& sequences, const std::vector<std::int32_t>& shared,
           std::int64_t lastLayer, QkSink& sink, Progress& progress) const;
  // Runs the text with each change; their sequences share the layers below the first change.
  void runChanged(const std::vector<std::int32_t>& tokens, std::span<const Change> changes,
                  std::int64_t lastLayer, QkSink& sink, Progress& progress) const;
  // The number of sequences of this length, at most `wanted`, that fit beside `others`; at least one.
  std::int64_t fitting(std::int64_t wanted, std::int64_t others, std::int64_t tokens,
                       std::int64_t lastLayer) const;

  std::shared_ptr<const Model> m_model;
  std::shared_ptr<const ForwardEngine> m_engine;
  ForwardOptions m_options;
  std::uint64_t m_memoryLimit;
};

// Mean outputs of these heads over the probes that reach a position, for the tokens of the longest.
HeadOutputs meanOutputs(const OutcomeRunner& runner, std::span<const ProbeText> probes,
                        const std::vector<HeadName>& heads, Progress& progress);

}  // namespace plastiscope
