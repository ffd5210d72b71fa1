// Self-attention of one layer.
#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/forward/attention.h"
#include "core/forward/decoder_layer.h"
#include "core/forward/head_interventions.h"
#include "core/forward/head_scores.h"
#include "core/forward/row_blocks.h"
#include "core/forward/work_meter.h"

namespace plastiscope {

namespace {

// ---- Attention of one layer: projections, norms, RoPE, and attention over earlier tokens; captures queries
// and keys.

// Factors of the queries at positions [rows]: [rows, 1, 1] float32.
at::Tensor temperatures(const QueryTemperature& rule, const at::Tensor& positions) {
  const at::Tensor from = positions.add(rule.offset).to(at::kFloat);
  return from.div(rule.length).floor_().add_(1).log_().mul_(rule.beta).add_(1).view({-1, 1, 1});
}

double pairsOf(const ReadRows& rows, const AttentionMask& mask) {
  if (rows.isRun()) return attentionPairs(rows[0], rows[0] + rows.count(), mask);
  double pairs = 0;
  for (const std::int32_t position : rows.listed()) pairs += attentionPairs(position, position + 1, mask);
  return pairs;
}

class SelfAttention : public Mixer {
 public:
  SelfAttention(const ModelSpec& spec, std::int64_t layer, const Compute& compute, LayerWeights& weights)
      : m_spec(spec),
        m_number(layer),
        m_layer(spec.layers.at(layer)),
        m_compute(compute),
        m_weights(std::move(weights.attention)),
        m_use(weights.use) {}

  void change(const std::vector<const Interventions*>& changes) override {
    m_interventions = HeadInterventions::ofLayer(changes, m_number, m_compute);
  }

  at::Tensor run(const MixerInput& input) override {
    const ChunkRows& chunk = input.chunk;
    const Operands operands = allocate(input);
    const auto fillAll = [&](const ReadRows& rows, bool queries, bool keys) {
      forRowBlocks(m_compute.device, rows, input.checkpoint, [&](std::int64_t at, const ReadRows& block) {
        fill(input, {block, at, queries, keys}, operands);
      });
    };
    if (m_use == LayerUse::Whole) {
      fillAll(chunk.keys, true, true);
    } else {
      fillAll(chunk.queries, true, false);
      if (m_layer.ownKeys()) fillAll(chunk.keys, false, true);
    }
    const auto collect = [&](QueryOrKey kind, const ReadRows& rows, const at::Tensor& before,
                             const at::Tensor& after) {
      if (before.defined()) input.wanted.collect(kind, CapturePoint::PreRope, rows, before);
      input.wanted.collect(kind, CapturePoint::PostRope, rows, after);
    };
    collect(QueryOrKey::Query, chunk.queries, operands.queryBefore, operands.query);
    collect(QueryOrKey::Key, chunk.keys, operands.keyBefore, operands.key);
    if (m_use == LayerUse::Operands) {
      if (m_layer.ownKeys() && input.wanted.scored().vectors.defined()) keepKeys(input, operands.key);
      return {};
    }
    at::Tensor query = operands.query, gate = operands.gate;
    if (chunk.outputs.count() < chunk.queries.count()) {
      const at::Tensor places = chunk.queries.placesOf(chunk.outputs, m_compute.device);
      query = query.index_select(0, places);
      if (gate.defined()) gate = gate.index_select(0, places);
    }
    const at::Tensor attended = attend(input, query);
    if (gate.defined()) {
      forRowBlocks(m_compute.device, attended.size(0), [&](std::int64_t row, std::int64_t count) {
        attended.narrow(0, row, count).mul_(at::sigmoid(gate.narrow(0, row, count).flatten(1)));
      });
    }
    input.wanted.collectOutputs(chunk.outputs, attended);
    if (m_interventions) m_interventions->replace(attended, chunk.first, m_layer.headDim);
    return attended;
  }

  at::Tensor project(const at::Tensor& mixed) const override {
    if (m_spec.latent.rank == 0) return m_weights.output.times(mixed);
    const at::Tensor heads = mixed.unflatten(1, {m_spec.queryHeads, -1});
    return m_weights.output.times(heads.narrow(2, 0, m_spec.latent.valueDim).flatten(1));
  }

  TextScores scores(const SequenceState& text, const KeyValues& memory,
                    const OperandRows::Scored& queries) const override {
    std::vector<ScoredGroup> groups;
    const auto heads = std::ssize(queries.heads);
    const std::int64_t groupSize = m_spec.queryHeads / m_layer.keyHeads;
    for (std::int64_t first = 0, end = 0; first < heads; first = end) {
      const std::int64_t keyHead = queries.heads[first] / groupSize;
      at::Tensor keys = memory.keys.select(0, keyHead).narrow(0, 0, std::ssize(*text.tokens)), own;
      const auto ownKeys = [&](std::int64_t i) {
        return m_interventions ? m_interventions->clampedKeys(queries.heads[i], keys) : at::Tensor();
      };
      own = ownKeys(first);
      end = first + 1;
      while (!own.defined() && end < heads && queries.heads[end] / groupSize == keyHead &&
             !ownKeys(end).defined())
        ++end;
      ScoredGroup& group = groups.emplace_back();
      group.queries = queries.vectors.narrow(0, first, end - first);
      group.keys = own.defined() ? own : keys;
      if (m_weights.sinks.defined()) {
        const std::vector<std::int64_t> places(queries.heads.begin() + first, queries.heads.begin() + end);
        group.sinks = m_weights.sinks.to(at::kFloat)
                          .index_select(0, at::tensor(places, at::kLong).to(m_compute.device));
      }
    }
    return headScores({*text.tokens, queries.positions}, groups, rule(), queries.topKeys);
  }

 private:
  // Keeps the keys of a chunk in the last layer, which needs them only for scores.
  static void keepKeys(const MixerInput& input, const at::Tensor& key) {
    const ReadRows& rows = input.chunk.keys;
    if (rows.count() == 0) return;
    input.memory.keys.index_copy_(1, rows.positions(key.device()), key.transpose(0, 1));
  }

  AttentionRule rule() const {
    return {m_spec.scoreScale, m_layer.window, m_layer.attention == AttentionKind::Chunked,
            m_spec.scoreSoftcap, m_weights.sinks};
  }

  // Queries, keys and values of one chunk: [rows, heads, head_dim]; copies before RoPE and the output gate
  // only if needed.
  struct Operands {
    at::Tensor query, key, value, queryBefore, keyBefore, gate;
  };
  Operands allocate(const MixerInput& input) const {
    const ChunkRows& chunk = input.chunk;
    const auto options = at::TensorOptions(m_compute.device).dtype(m_compute.dtype);
    const auto queries = [&] {
      return at::empty({chunk.queries.count(), m_spec.queryHeads, m_layer.headDim}, options);
    };
    const auto keys = [&] {
      return at::empty({chunk.keys.count(), m_layer.keyHeads, m_layer.headDim}, options);
    };
    Operands operands;
    operands.query = queries();
    if (m_weights.gated && m_use != LayerUse::Operands) operands.gate = queries();
    if (input.wanted.wants(QueryOrKey::Query, CapturePoint::PreRope, chunk.first, chunk.rows))
      operands.queryBefore = queries();
    if (!m_layer.ownKeys()) {  // shared keys exist already
      const auto there = [&](const at::Tensor& memory) { return chunk.keys.rowsOf(memory.transpose(0, 1)); };
      operands.key = there(input.memory.keys);
      if (input.memory.keysBefore.defined()) operands.keyBefore = there(input.memory.keysBefore);
      return operands;
    }
    const auto room = [&](const at::Tensor& memory) {
      return memory.narrow(1, chunk.first, chunk.rows).transpose(0, 1);
    };
    if (m_use == LayerUse::Operands) {
      operands.key = keys();
    } else {
      operands.key = room(input.memory.keys);
      operands.value = room(input.memory.values);
    }
    if (input.memory.keysBefore.defined()) {
      operands.keyBefore = room(input.memory.keysBefore);
    } else if (input.wanted.wants(QueryOrKey::Key, CapturePoint::PreRope, chunk.first, chunk.rows)) {
      operands.keyBefore = keys();
    }
    return operands;
  }

  // Rows of the chunk that one product computes queries, keys or both for, and their index in the operands.
  struct Block {
    const ReadRows& rows;
    std::int64_t at;
    bool queries, keys;
  };

  // Queries, with their gates if there are any, keys and values of a block: [count, heads, head_dim].
  struct Projected {
    at::Tensor query, gate, key, value;
  };
  Projected projected(const at::Tensor& x, const Block& block) const {
    const std::int64_t queryHeads = m_spec.queryHeads, keyHeads = m_layer.keyHeads;
    const bool apart = block.queries && !block.keys;
    const at::Tensor all = (apart ? m_weights.query : m_weights.operands)
                               .times(x)
                               .unflatten(1, {-1, m_layer.headDim});  // [count, heads of all kinds, head_dim]
    Projected found;
    std::int64_t head = 0;  // next head in `all`
    if (block.queries) {
      found.query = all.narrow(1, 0, m_weights.gated ? 2 * queryHeads : queryHeads);
      head = found.query.size(1);
      if (m_weights.gated) {
        const at::Tensor pairs = found.query.unflatten(1, {queryHeads, 2});
        found.query = pairs.select(2, 0);
        found.gate = pairs.select(2, 1);
      }
    }
    if (!block.keys || !m_layer.ownKeys()) return found;
    found.key = all.narrow(1, head, keyHeads);
    const bool hasValues = m_use != LayerUse::Operands;
    if (hasValues) found.value = m_layer.valuesAreKeys ? found.key : all.narrow(1, head + keyHeads, keyHeads);
    return found;
  }

  // The same for latent attention (LatentSpec); values [count, heads, value_dim].
  Projected projectedFromLatent(const at::Tensor& x, const Block& block) const {
    const LatentSpec& latent = m_spec.latent;
    NormSpec norm = m_spec.norm;
    norm.eps = LatentSpec::kNormEps;
    const auto heads = [&](const at::Tensor& rows) { return rows.unflatten(1, {m_spec.queryHeads, -1}); };
    Projected found;
    if (block.queries) {
      const bool narrowed = m_weights.queryDown.defined();
      found.query = heads(m_weights.query.times(
          narrowed ? normalised(m_weights.queryDown.times(x), m_weights.queryDownNorm, norm) : x));
    }
    if (!block.keys) return found;
    const at::Tensor down = m_weights.operands.times(x);
    const at::Tensor up = heads(
        m_weights.latentUp.times(normalised(down.narrow(1, 0, latent.rank), m_weights.latentNorm, norm)));
    const at::Tensor rotated = down.narrow(1, latent.rank, latent.ropeDim).unsqueeze(1);
    found.key = at::cat({up.narrow(2, 0, latent.nopeDim), rotated.expand({-1, m_spec.queryHeads, -1})}, 2);
    found.value = up.narrow(2, latent.nopeDim, latent.valueDim);
    return found;
  }

  void fill(const MixerInput& input, const Block& block, const Operands& operands) const {
    const auto projectedWithout = [&](const at::Tensor& without) {
      const at::Tensor x = input.normed(block.rows, without);
      return m_spec.latent.rank > 0 ? projectedFromLatent(x, block) : projected(x, block);
    };
    Projected all = projectedWithout({});
    if (m_interventions) cutPaths(input.text, block, projectedWithout, all);
    const auto rowsOf = [&](const at::Tensor& chunk) {
      return chunk.defined() ? chunk.narrow(0, block.at, block.rows.count()) : chunk;
    };
    const at::Tensor positions = block.rows.positions(m_compute.device);
    RopeRows rotation;
    if (m_layer.rope) {
      const RopeFrequencies& rope = input.text.ropes[m_layer.ropeIndex];
      rotation =
          ropeRows(rope.inverse, rope.attentionFactor, positions,
                   m_spec.ropes[m_layer.ropeIndex].computeInFloat32 ? Compute{m_compute.device, at::kFloat}
                                                                    : m_compute);
    }
    const RopeRows* const used = m_layer.rope ? &rotation : nullptr;
    if (block.queries) {
      if (operands.gate.defined()) rowsOf(operands.gate).copy_(all.gate);
      const at::Tensor factors =
          m_layer.queryScale ? temperatures(m_spec.temperature, positions) : at::Tensor();
      finishHeads({all.query, m_weights.queryNorm, used, factors, rowsOf(operands.queryBefore),
                   rowsOf(operands.query)});
    }
    if (!block.keys || !m_layer.ownKeys()) return;
    finishHeads({all.key, m_weights.keyNorm, used, {}, rowsOf(operands.keyBefore), rowsOf(operands.key)});
    if (!operands.value.defined()) return;
    at::Tensor value = all.value;
    if (m_spec.operandClip > 0) value = clipped(value);
    if (m_spec.valueNorm) value = normalised(value, {}, m_spec.norm);
    const at::Tensor kept = rowsOf(operands.value);
    kept.narrow(2, 0, value.size(2)).copy_(value);  // zeros fill values up to the size of keys
    if (value.size(2) < kept.size(2)) kept.narrow(2, value.size(2), kept.size(2) - value.size(2)).zero_();
  }

  // Sets the heads of `all` that cuts enter to what they are without the cut contributions.
  void cutPaths(const SequenceState& text, const Block& block,
                const std::function<Projected(const at::Tensor&)>& projectedWithout, Projected& all) const {
    const auto& cuts = m_interventions->cuts();
    if (!cuts.empty() && m_layer.valuesAreKeys && all.value.defined()) all.value = all.value.clone();
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const auto sameEnd = [&](const PathCut& cut) {
        return cut.into == cuts[i].into && cut.head == cuts[i].head;
      };
      if (std::any_of(cuts.begin(), cuts.begin() + i, sameEnd)) continue;
      at::Tensor without;
      for (const PathCut& cut : cuts) {
        const auto found = std::ranges::find_if(text.contributions, [&](const Contribution& one) {
          return one.from == cut.from && one.values == cut.values;
        });
        if (!sameEnd(cut) || found == text.contributions.end()) continue;
        const at::Tensor rows = block.rows.rowsOf(found->rows);
        without = without.defined() ? without.add(rows) : rows;
      }
      const Projected other = projectedWithout(without);
      const auto set = [&](const at::Tensor& to, const at::Tensor& from) {
        if (to.defined()) to.select(1, cuts[i].head).copy_(from.select(1, cuts[i].head));
      };
      if (cuts[i].into == AttentionInput::Query) set(all.query, other.query);
      if (cuts[i].into == AttentionInput::Key) set(all.key, other.key);
      if (cuts[i].into == AttentionInput::Value) set(all.value, other.value);
    }
  }

  // query: rows of the chunk's outputs.
  at::Tensor attend(const MixerInput& input, const at::Tensor& query) const {
    const AttentionRule attention = rule();
    const ReadRows& rows = input.chunk.outputs;
    const WorkTimer timer(WorkKind::Attention,
                          4 * static_cast<double>(m_spec.queryHeads * m_layer.headDim) *
                              pairsOf(rows, {attention.window, attention.chunked}),
                          at::get_num_threads());
    const AttentionCall call{query,     rows[0],          input.memory.keys, input.memory.values,
                             attention, input.checkpoint, rows.listed()};
    const at::Tensor attended = causalAttention(call);
    if (m_interventions) m_interventions->limit(attended, call);
    return attended;
  }

  // Queries or keys of a block before attention.
  struct HeadRows {
    at::Tensor heads;  // [count, heads, head_dim], as projected
    NormWeights norm;
    const RopeRows* rotation;  // nullptr: no RoPE in the layer
    at::Tensor factors;        // [count, 1, 1] float32 or undefined
    at::Tensor before, out;    // before RoPE (undefined if not needed) and after all steps
  };
  void finishHeads(HeadRows rows) const {
    if (const std::int64_t skipped = m_spec.ropes[m_layer.ropeIndex].first; skipped > 0) {
      const auto part = [](const at::Tensor& heads, std::int64_t first, std::int64_t count) {
        return heads.defined() ? heads.narrow(2, first, count) : heads;
      };
      const std::int64_t rest = m_layer.headDim - skipped;
      for (const at::Tensor& copy : {rows.before, rows.out})
        if (copy.defined()) part(copy, 0, skipped).copy_(part(rows.heads, 0, skipped));
      rows.heads = part(rows.heads, skipped, rest);
      rows.before = part(rows.before, skipped, rest);
      rows.out = part(rows.out, skipped, rest);
    }
    const QueryKeyNorm& rule = m_spec.queryKeyNorm;
    if (m_spec.operandClip > 0) {
      rows.heads = clipped(headsNormed(rows.heads, rows.norm));
      rows.norm = {};
    }
    const bool wholeRows = normsWholeRows(rows.norm);
    if (hasRowSteps(rows.heads) && !(rule.afterRope && (wholeRows || rule.weightless))) {
      if (wholeRows) {
        rows.heads = headsNormed(rows.heads, rows.norm);
        finishInOnePass({rows.heads, {}, rows.rotation, rows.factors, rows.before, rows.out});
      } else {
        finishInOnePass(rows);
      }
      return;
    }
    if (!rule.afterRope) rows.heads = headsNormed(rows.heads, rows.norm);
    if (rows.before.defined()) rows.before.copy_(rows.heads);
    if (rows.rotation == nullptr) {
      rows.out.copy_(rows.heads);
    } else {
      const RopeSpec& rope = m_spec.ropes[m_layer.ropeIndex];
      if (rope.computeInFloat32) {
        const at::Tensor wide = rows.heads.to(at::kFloat), rotated = at::empty_like(wide);
        applyRope(wide, *rows.rotation, rope.interleaved, rotated);
        rows.out.copy_(rotated);
      } else {
        applyRope(rows.heads, *rows.rotation, rope.interleaved, rows.out);
      }
    }
    if (rule.afterRope) rows.out.copy_(headsNormed(rows.out, rows.norm));
    if (rule.weightless && m_layer.rope) rows.out.copy_(normalised(rows.out, {}, m_spec.norm));
    if (rows.factors.defined()) rows.out.mul_(rows.factors);
  }

  void finishInOnePass(const HeadRows& rows) const {
    const QueryKeyNorm& rule = m_spec.queryKeyNorm;
    const VectorNormOf norm(rows.norm, m_spec.norm, m_layer.headDim), plain({}, m_spec.norm, m_layer.headDim);
    HeadStep step;
    step.count = countOf(rows.heads);
    step.in = vectorsOf(rows.heads);
    step.out = vectorsOf(rows.out);
    if (rows.before.defined()) step.before = vectorsOf(rows.before);
    if (rows.norm.weight.defined()) (rule.afterRope ? step.normAfter : step.normBefore) = &norm.norm();
    if (rule.weightless && m_layer.rope) step.normAfter = &plain.norm();
    at::Tensor cos, sin;
    if (rows.rotation != nullptr) {
      cos = rows.rotation->cos.to(at::kFloat);
      sin = rows.rotation->sin.to(at::kFloat);
      step.cos = cos.const_data_ptr<float>();
      step.sin = sin.const_data_ptr<float>();
      step.half = cos.size(2);
      step.interleaved = m_spec.ropes[m_layer.ropeIndex].interleaved;
    }
    if (rows.factors.defined()) step.factor = rows.factors.const_data_ptr<float>();
    runStep(step);
  }

  at::Tensor clipped(const at::Tensor& heads) const {
    return heads.clamp(-m_spec.operandClip, m_spec.operandClip);
  }

  // A weight over all heads is longer than a head.
  bool normsWholeRows(const NormWeights& norm) const {
    return norm.weight.defined() && norm.weight.dim() == 1 && norm.weight.size(0) != m_layer.headDim;
  }

  // heads [count, heads, head_dim].
  at::Tensor headsNormed(const at::Tensor& heads, const NormWeights& norm) const {
    if (normsWholeRows(norm)) return normalised(heads.flatten(1), norm, m_spec.norm).view_as(heads);
    return normalisedIfAny(heads, norm, m_spec.norm);
  }

  const ModelSpec& m_spec;
  const std::int64_t m_number;  // of the layer
  const LayerSpec& m_layer;
  Compute m_compute;
  AttentionWeights m_weights;
  LayerUse m_use;
  std::unique_ptr<const HeadInterventions> m_interventions;
};

}  // namespace

std::unique_ptr<Mixer> makeSelfAttention(const ModelSpec& spec, std::int64_t layer, const Compute& compute,
                                         LayerWeights& weights) {
  return std::make_unique<SelfAttention>(spec, layer, compute, weights);
}

}  // namespace plastiscope
