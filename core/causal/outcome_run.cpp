#include "core/causal/outcome_run.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"

namespace plastiscope {

namespace {

std::vector<std::int32_t> everyPosition(std::size_t tokens) {
  std::vector<std::int32_t> all(tokens);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Indices of the scored tokens that are copied and predicted by a query with more than itself to see.
std::vector<std::size_t> copiedTokens(const ProbeText& probe) {
  std::vector<std::size_t> tokens;
  for (std::size_t i = 0; i < probe.scored.size(); ++i) {
    if (probe.copied[i] >= 0 && probe.scored[i] > 1) tokens.push_back(i);
  }
  return tokens;
}

std::vector<std::int32_t> headsIn(std::span<const HeadName> heads, std::int64_t layer) {
  std::vector<std::int32_t> some;
  for (const HeadName& head : heads) {
    if (head.layer == layer) some.push_back(static_cast<std::int32_t>(head.head));
  }
  std::ranges::sort(some);
  return some;
}

// The number of the unchanged sequence that changed ones start from; nothing of it is taken.
constexpr std::int64_t kShared = -1;

// Takes the outcomes of sequences 0, 1, ...: of each its own probe, or all of one.
class OutcomeSink : public QkSink {
 public:
  OutcomeSink(const ModelSpec& spec, std::span<const ProbeText> probes, std::span<Outcomes> outcomes,
              std::span<Retrieval> retrieval = {})
      : m_spec(spec), m_probes(probes), m_outcomes(outcomes), m_retrieval(retrieval) {}

  std::vector<std::int32_t> heads(std::int64_t layer, QueryOrKey kind) const override {
    const bool any = wantsTopKeys() && kind == QueryOrKey::Query && layer < m_spec.layerCount &&
                     m_spec.layer(layer).hasVectors();
    return any ? everyPosition(static_cast<std::size_t>(m_spec.queryHeads)) : std::vector<std::int32_t>();
  }
  std::vector<std::int32_t> positions(std::int64_t, QueryOrKey, std::int64_t) const override { return {}; }
  bool wants(CapturePoint point) const override { return point == CapturePoint::PostRope; }
  void take(std::int64_t, QueryOrKey, CapturePoint, std::int64_t, std::span<const float>) override {}
  std::vector<std::int32_t> scoredQueries(std::int64_t layer, std::int64_t example) const override {
    std::vector<std::int32_t> queries;
    if (heads(layer, QueryOrKey::Query).empty()) return queries;
    for (const std::size_t i : copiedTokens(probe(example))) queries.push_back(probe(example).scored[i] - 1);
    return queries;
  }
  bool wantsTopKeys() const override { return !m_retrieval.empty(); }
  void takeScores(std::int64_t layer, std::int64_t example, TextScores scores) override {
    const std::vector<std::size_t> tokens = copiedTokens(probe(example));
    Retrieval& found = m_retrieval[example];
    found.queries = std::ssize(tokens);
    auto key = scores.topKeys.begin();
    for (std::int64_t head = 0; head < m_spec.queryHeads; ++head) {
      std::int64_t& hits = found.hits[{layer, head}];
      for (const std::size_t i : tokens) hits += *key++ == probe(example).copied[i] ? 1 : 0;
    }
  }
  std::optional<std::vector<std::int32_t>> scoredTokens(std::int64_t example) const override {
    return example == kShared ? std::vector<std::int32_t>() : probe(example).scored;
  }
  void takeOutcomes(std::int64_t example, std::span<const TokenOutcome> outcomes) override {
    if (example == kShared) return;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (!std::isfinite(outcomes[i].nll))
        throw InputError("token " + std::to_string(probe(example).scored[i]) + " of probe " +
                         probe(example).id +
                         ": the model's output is not a finite number; float32 as dtype "
                         "may help");
    }
    m_outcomes[example].assign(outcomes.begin(), outcomes.end());
  }

 private:
  const ProbeText& probe(std::int64_t example) const { return m_probes[m_probes.size() == 1 ? 0 : example]; }

  const ModelSpec& m_spec;
  std::span<const ProbeText> m_probes;
  std::span<Outcomes> m_outcomes;
  std::span<Retrieval> m_retrieval;
};

// Takes vectors of heads at every position, or their outputs.
class HeadSink : public QkSink {
 public:
  HeadSink(std::span<const HeadName> queryHeads, std::span<const HeadName> keyHeads, std::size_t tokens,
           std::vector<OutcomeRunner::Vectors>& vectors)
      : m_queryHeads(queryHeads), m_keyHeads(keyHeads), m_tokens(tokens), m_vectors(&vectors) {}
  HeadSink(std::span<const HeadName> heads, std::size_t tokens,
           std::map<HeadName, std::vector<float>>& outputs)
      : m_outputHeads(heads), m_tokens(tokens), m_outputs(&outputs) {}

  std::vector<std::int32_t> heads(std::int64_t layer, QueryOrKey kind) const override {
    return headsIn(kind == QueryOrKey::Query ? m_queryHeads : m_keyHeads, layer);
  }
  // The shared sequence as well: its hidden states are needed wherever those of the others are.
  std::vector<std::int32_t> positions(std::int64_t layer, QueryOrKey kind, std::int64_t) const override {
    return heads(layer, kind).empty() ? std::vector<std::int32_t>() : everyPosition(m_tokens);
  }
  bool wants(CapturePoint point) const override { return point == CapturePoint::PostRope; }
  void take(std::int64_t layer, QueryOrKey kind, CapturePoint, std::int64_t example,
            std::span<const float> vectors) override {
    if (example == kShared) return;
    OutcomeRunner::Vectors& all = (*m_vectors)[example];
    keep(layer, heads(layer, kind), vectors, kind == QueryOrKey::Query ? all.queries : all.keys);
  }
  std::vector<std::int32_t> outputHeads(std::int64_t layer, std::int64_t) const override {
    return headsIn(m_outputHeads, layer);
  }
  void takeOutputs(std::int64_t layer, std::int64_t, std::span<const float> outputs) override {
    keep(layer, headsIn(m_outputHeads, layer), outputs, *m_outputs);
  }
  std::optional<std::vector<std::int32_t>> scoredTokens(std::int64_t) const override {
    return std::vector<std::int32_t>();
  }

 private:
  static void keep(std::int64_t layer, const std::vector<std::int32_t>& heads, std::span<const float> values,
                   std::map<HeadName, std::vector<float>>& target) {
    const std::size_t each = values.size() / heads.size();
    for (std::size_t i = 0; i < heads.size(); ++i) {
      const auto own = values.subspan(i * each, each);
      target[{layer, heads[i]}].assign(own.begin(), own.end());
    }
  }

  std::span<const HeadName> m_queryHeads, m_keyHeads, m_outputHeads;
  std::size_t m_tokens;
  std::vector<OutcomeRunner::Vectors>* m_vectors = nullptr;
  std::map<HeadName, std::vector<float>>* m_outputs = nullptr;
};

std::int64_t lastLayerOf(std::span<const HeadName> heads) {
  std::int64_t last = 0;
  for (const HeadName& head : heads) last = std::max(last, head.layer);
  return last;
}

HeadOutputs shared(std::map<HeadName, std::vector<float>> outputs) {
  HeadOutputs all;
  for (auto& [head, values] : outputs)
    all[head] = std::make_shared<const std::vector<float>>(std::move(values));
  return all;
}

}  // namespace

void requireVariants(const ForwardEngine& engine) {
  if (engine.runsVariants()) return;
  throw UsageError(
      "probes and changed heads need the engine native, which does not know this model's family; `capture "
      "--ablate` changes heads in models of the engine transformers");
}

OutcomeRunner::OutcomeRunner(std::shared_ptr<const Model> model, std::shared_ptr<const ForwardEngine> engine,
                             ForwardOptions options, std::uint64_t memoryLimit)
    : m_model(std::move(model)), m_engine(std::move(engine)), m_options(std::move(options)) {
  requireVariants(*m_engine);
  m_options.output = true;
  m_engine->requireSupport(*m_model, m_options);
  m_memoryLimit = memoryLimit > 0 ? memoryLimit : availableMemoryBytes() / 10 * 8;
}

std::int64_t OutcomeRunner::fitting(std::int64_t wanted, std::int64_t others, std::int64_t tokens,
                                    std::int64_t lastLayer) const {
  const ResolvedDevice device = m_engine->resolveDevice(*m_model, m_options);
  const DeviceMemory room = m_engine->memoryOn(device);
  const auto fits = [&](std::int64_t count) {
    const GroupSize size{(count + others) * tokens, tokens};
    const std::uint64_t bytes = m_engine->memory(m_model->spec, size, lastLayer, device, m_options).peakBytes;
    return device.device == "cpu" ? bytes <= m_memoryLimit : room.holds(bytes);
  };
  std::int64_t least = 1, most = std::max<std::int64_t>(1, wanted);
  while (least < most) {
    const std::int64_t middle = (least + most + 1) / 2;
    if (fits(middle))
      least = middle;
    else
      most = middle - 1;
  }
  return least;
}

void OutcomeRunner::run(const std::vector<TokenSequence>& sequences, const std::vector<std::int32_t>& shared,
                        std::int64_t lastLayer, QkSink& sink, Progress& progress) const {
  const auto runner = m_engine->makeRunner(m_model, lastLayer, m_options);
  const KeepFreedMemory keep;
  std::int64_t longest = 0, others = shared.empty() ? 0 : 1;  // contributions of heads are as large as texts
  for (const TokenSequence& sequence : sequences) {
    longest = std::max(longest, std::ssize(sequence.tokens));
    others += sequence.interventions ? std::ssize(sequence.interventions->cuts) : 0;
  }
  for (auto next = sequences.begin(); next != sequences.end();) {
    std::vector<TokenSequence> group;
    if (!shared.empty()) group.push_back({kShared, shared});
    const auto end =
        next + fitting(sequences.end() - next, std::min<std::int64_t>(others, 64), longest, lastLayer);
    group.insert(group.end(), next, end);
    GroupWatch watch;
    runner->run(group, sink, progress, watch);
    next = end;
  }
}

std::vector<Outcomes> OutcomeRunner::unchanged(std::span<const ProbeText> probes, Progress& progress,
                                               std::vector<Retrieval>* retrieval) const {
  std::vector<Outcomes> all(probes.size());
  std::vector<Retrieval> found(retrieval != nullptr ? probes.size() : 0);
  std::vector<TokenSequence> sequences;
  for (const ProbeText& probe : probes) sequences.push_back({std::ssize(sequences), probe.tokens});
  OutcomeSink sink(m_model->spec, probes, all, found);
  run(sequences, {}, m_model->spec.layerCount, sink, progress);
  if (retrieval != nullptr) std::ranges::move(found, std::back_inserter(*retrieval));
  return all;
}

void OutcomeRunner::runChanged(const std::vector<std::int32_t>& tokens, std::span<const Change> changes,
                               std::int64_t lastLayer, QkSink& sink, Progress& progress) const {
  std::vector<TokenSequence> sequences;
  for (const Change& change : changes) sequences.push_back({std::ssize(sequences), tokens, change, 0});
  std::ranges::stable_sort(sequences, std::greater(), [&](const TokenSequence& sequence) {
    return sequence.interventions ? std::min(sequence.interventions->firstChanged(), lastLayer) : lastLayer;
  });
  run(sequences, tokens, lastLayer, sink, progress);
}

std::vector<Outcomes> OutcomeRunner::changed(const ProbeText& probe, std::span<const Change> changes,
                                             Progress& progress) const {
  std::vector<Outcomes> all(changes.size());
  OutcomeSink sink(m_model->spec, std::span(&probe, 1), all);
  runChanged(probe.tokens, changes, m_model->spec.layerCount, sink, progress);
  return all;
}

HeadOutputs OutcomeRunner::outputs(const std::vector<std::int32_t>& tokens,
                                   const std::vector<HeadName>& heads, Progress& progress) const {
  if (heads.empty()) return {};
  std::map<HeadName, std::vector<float>> all;
  HeadSink sink(heads, tokens.size(), all);
  // The last two layers of a run are computed in part only.
  run({{0, tokens}}, {}, std::min(lastLayerOf(heads) + 2, m_model->spec.layerCount), sink, progress);
  return shared(std::move(all));
}

std::vector<OutcomeRunner::Vectors> OutcomeRunner::vectors(const std::vector<std::int32_t>& tokens,
                                                           const std::vector<HeadName>& heads,
                                                           std::span<const Change> changes,
                                                           Progress& progress) const {
  std::vector<Vectors> all(changes.size());
  if (heads.empty()) return all;
  const std::vector<HeadName> keyHeads = keyHeadsOf(heads, m_model->spec);
  HeadSink sink(heads, keyHeads, tokens.size(), all);
  runChanged(tokens, changes, lastLayerOf(heads), sink, progress);
  return all;
}

HeadOutputs meanOutputs(const OutcomeRunner& runner, std::span<const ProbeText> probes,
                        const std::vector<HeadName>& heads, Progress& progress) {
  std::map<HeadName, std::vector<float>> means;
  std::vector<float> texts;  // [tokens] that reach a position
  for (const ProbeText& probe : probes) {
    texts.resize(std::max(texts.size(), probe.tokens.size()));
    for (std::size_t t = 0; t < probe.tokens.size(); ++t) ++texts[t];
    for (const auto& [head, values] : runner.outputs(probe.tokens, heads, progress)) {
      std::vector<float>& sum = means[head];
      sum.resize(std::max(sum.size(), values->size()));
      for (std::size_t i = 0; i < values->size(); ++i) sum[i] += (*values)[i];
    }
  }
  for (auto& [head, sum] : means) {
    const std::size_t width = sum.size() / texts.size();
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] /= texts[i / width];
  }
  return shared(std::move(means));
}

}  // namespace plastiscope
