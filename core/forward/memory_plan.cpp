#include "core/forward/group_run.h"

#include <algorithm>

#include "core/forward/attention_kernel.h"
#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/forward/row_blocks.h"

namespace plastiscope {

namespace {

// Resident before the first token: the program and the pages that libtorch and its matrix library touch
// (measured with libtorch 2.13 on x86-64, with SmolLM2-135M of 16 to 8,192 tokens).
constexpr std::uint64_t kRuntimeBytes = 156'000'000;
// What a working thread adds beside its tensors: packing buffers of matrix products, its arena.
constexpr std::uint64_t kThreadBytes = 9'000'000;
// Handles and workspaces of a CUDA context; an assumption, not yet measured.
constexpr std::uint64_t kCudaBytes = 600'000'000;

// Whether any layer up to the last one that is run has experts.
bool hasExperts(const ModelSpec& spec, std::int64_t lastLayer) {
  for (std::int64_t layer = 0; layer < lastLayer; ++layer) {
    if (spec.layers[static_cast<std::size_t>(layer)].experts) return true;
  }
  return false;
}

// Sizes of one model as counts of numbers.
struct Widths {
  Widths(const ModelSpec& spec, std::int64_t lastLayer)
      : hidden(of(spec.hidden)), layerInput(of(spec.layerInput)) {
    for (const LayerSpec& layer : spec.layers) {
      query = std::max(query, of(spec.queryHeads) * of(layer.headDim));
      key = std::max(key, of(layer.keyHeads) * of(layer.headDim));
      inner = std::max(inner, of(layer.intermediate));
      headDim = std::max(headDim, of(layer.headDim));
    }
    if (spec.scoreSoftcap > 0) softcapGroup = of(spec.queryHeads / spec.keyHeads);
    readMixers(spec, lastLayer);
    if (!hasExperts(spec, lastLayer)) return;
    experts = of(spec.experts.count);
    expertInner = of(spec.experts.inner);
    besideDense = spec.experts.besideDense;
    sharedInner = of(spec.experts.sharedInner);
  }
  static std::uint64_t of(std::int64_t size) { return static_cast<std::uint64_t>(size); }

  void readMixers(const ModelSpec& spec, std::int64_t lastLayer) {
    const RecurrenceSpec& r = spec.recurrence;
    gate = spec.attentionGate ? query : 0;
    for (std::int64_t layer = 0; layer <= lastLayer; ++layer) {
      const LayerSpec& one = spec.layers[static_cast<std::size_t>(layer)];
      const std::uint64_t ownQuery = of(spec.queryHeads * one.headDim),
                          ownKey = of(one.keyHeads * one.headDim);
      const std::uint64_t ownKeys = one.ownKeys() ? 2 * ownKey : 0;
      std::uint64_t weights =
          one.hasVectors() ? hidden * ((spec.attentionGate ? 3 : 2) * ownQuery + ownKeys) : 0;
      if (spec.lastUserOfKeys(layer, lastLayer) >= 0) sharedKeys += 3 * ownKey;
      if (one.recurrence) {
        stateInput = of(r.inputRows());
        stateValues = of(r.valueRows());
        channels = of(r.channels());
        states = of(r.heads) * of(r.keyDim) * of(r.valueDim);
        weights += hidden * (stateInput + stateValues) + channels * of(r.kernel + 1);
      }
      mixers = std::max(mixers, weights);
    }
  }

  std::uint64_t layerWeights() const {
    const std::uint64_t sparse = experts * (3 * hidden * expertInner + hidden) + 3 * hidden * sharedInner;
    const std::uint64_t dense = 3 * hidden * inner;
    const std::uint64_t matrices =
        mixers + (besideDense ? dense + sparse : std::max(dense, sparse)) + 3 * hidden * layerInput;
    return matrices + 6 * hidden + query + 2 * key + 2 * inner;  // norms and possible biases
  }
  // Experts that lie in one tensor are read in one piece.
  std::uint64_t largestMatrix() const {
    return hidden * std::max({query, key, inner, 2 * experts * expertInner, sharedInner, stateInput});
  }
  // The most numbers alive at once while one row passes the projections or the feed-forward part.
  std::uint64_t rowScratch() const {
    const std::uint64_t sparse =
        (besideDense ? 7 : 4) * hidden + 3 * experts + std::max(2 * expertInner, 2 * sharedInner);
    const std::uint64_t recurrent = 2 * hidden + std::max(stateInput, 2 * channels);
    return std::max({2 * hidden + 2 * query + gate + 3 * key, 2 * hidden + 2 * inner, sparse, recurrent}) +
           hidden;
  }

  std::uint64_t hidden, layerInput;
  std::uint64_t query = 0, key = 0, inner = 0, headDim = 0;  // of the widest layer
  std::uint64_t sharedKeys = 0;                              // with values, kept for layers to come
  std::uint64_t softcapGroup = 0;  // query heads of a key head where scores are capped
  std::uint64_t gate = 0;          // of the attention's output
  std::uint64_t mixers = 0;        // the most weights of attention and recurrence in a layer
  std::uint64_t stateInput = 0, stateValues = 0, channels = 0, states = 0;  // of the recurrence
  std::uint64_t experts = 0, expertInner = 0, sharedInner = 0;
  bool besideDense = false;
};

// Tokens of the group, of its longest text, of a chunk and of an attention tile; bytes of a number.
struct MemoryNeed {
  std::uint64_t rows, longest, chunk, tile, bytes;

  std::uint64_t texts(const Widths& w) const { return rows * ((w.hidden + w.sharedKeys) * bytes + 4); }
  std::uint64_t keysAndValues(const Widths& w) const { return longest * 2 * w.key * bytes; }
  // Queries and attended rows of a chunk, and the two partial results of a tile with their log-sum-exps.
  std::uint64_t chunkBuffers(const Widths& w) const {
    return chunk * (2 * w.query + w.gate) * bytes + tile * 2 * (w.query * bytes + 4 * w.query / 64);
  }
  // A clamped head's keys in float32 and in the compute type, its queries and results.
  std::uint64_t clampedHead(const Widths& w) const {
    const std::uint64_t oneHead = w.headDim * (2 * chunk * bytes + 2 * tile * (bytes + 4));
    return longest * w.headDim * (4 + (bytes < 4 ? bytes : 0)) + oneHead;
  }
  // A recurrence's inputs, gate and results in the compute type, what its states read and give in float32.
  std::uint64_t recurrence(const Widths& w) const {
    return chunk * ((w.channels + 2 * w.stateValues) * bytes + (w.stateInput + w.stateValues) * 4) +
           w.states * 4;
  }
};

// While a thread reads a tensor: its pages of the file, and the float32 numbers on their way to a 16-bit
// type.
std::uint64_t loadingBytes(const Widths& w, std::uint64_t bytes) {
  return w.largestMatrix() * (bytes < 4 ? 8 : 4);
}

// While capped scores of that many rows are formed: the product and its float32 scores, the queries and the
// weighted values.
std::uint64_t softcapBytes(const Widths& w, std::uint64_t rows, std::uint64_t bytes) {
  const std::uint64_t scores = kAttentionTile * (bytes < 4 ? bytes + 4 : 4);
  return w.softcapGroup * rows * (scores + w.headDim * (bytes + 12));
}

// While a thread works on a block of rows.
std::uint64_t blockBytes(const Widths& w, std::uint64_t bytes) {
  constexpr auto kBlock = static_cast<std::uint64_t>(kRowBlock);
  const std::uint64_t norms = bytes < 4 ? 2 * w.hidden * 4 : 0;  // formed in float32
  const auto group = static_cast<std::int64_t>(w.query / std::max<std::uint64_t>(w.key, 1));
  const auto width = static_cast<std::int64_t>(w.headDim);
  const std::uint64_t attention = std::max<std::uint64_t>(
      {attentionScratchBytes(attentionTaskRows(group, width), group, width),
       4 * kBlock * (512 + w.hidden / 8),  // a tile of scores of libtorch's fused kernel
       // Of single rows in float32: scores and what they are formed from, a piece of keys and values.
       4 * kAttentionTile * (2 * kBlock + 2 * w.headDim)});
  return kBlock * (w.rowScratch() * bytes + norms) + std::max(attention, softcapBytes(w, kBlock, bytes));
}

// Of one token: projections, convolution, and what its state is multiplied by.
double recurrenceFlops(const ModelSpec& spec) {
  const RecurrenceSpec& r = spec.recurrence;
  const auto state = static_cast<double>(r.heads * r.keyDim * r.valueDim);
  return 2 * static_cast<double>(spec.hidden * (r.inputRows() + r.valueRows()) + r.kernel * r.channels()) +
         (r.deltaRule ? 7 : 5) * state;
}

}  // namespace

std::int64_t layerOfReadRows(const ModelSpec& spec, std::int64_t lastLayer) {
  std::int64_t layer = lastLayer - 1;
  while (layer >= 0 && spec.layers.at(static_cast<std::size_t>(layer)).attention == AttentionKind::Cross)
    --layer;
  return layer;
}

double readShare(const TextSize& text) {
  const std::int64_t read = text.rowsRead.value_or(text.tokens);
  if (text.tokens < kAttentionTile || 2 * read > text.tokens) return 1;
  return static_cast<double>(read) / static_cast<double>(text.tokens);
}

double layerFlops(const ModelSpec& spec, const LayerPart& part) {
  const auto hidden = static_cast<double>(spec.hidden);
  const auto tokens = static_cast<double>(part.rows);
  const LayerSpec& which = spec.layer(part.layer);
  if (which.attention == AttentionKind::Cross) return 0;
  const auto queryWidth = static_cast<double>(spec.queryHeads * which.headDim);
  const double keyWidth = which.ownKeys() ? static_cast<double>(which.keyHeads * which.headDim) : 0;
  const double valueWidth = which.valuesAreKeys ? 0 : keyWidth;
  if (part.use == LayerUse::Operands)
    return which.hasVectors() ? part.share * 2 * tokens * hidden * (queryWidth + keyWidth) : 0;
  const double share = part.use == LayerUse::ReadRows ? part.share : 1;
  const ExpertSpec& experts = spec.experts;
  const std::int64_t sparse = which.experts ? experts.used * experts.inner + experts.sharedInner : 0;
  const std::int64_t dense = which.experts && !experts.besideDense ? 0 : which.intermediate;
  const double router = which.experts ? static_cast<double>(experts.count) : 0;
  double flops = share * tokens * 2 * hidden * (3 * static_cast<double>(sparse + dense) + router);
  flops += share * tokens * 2 * hidden * 3 * static_cast<double>(spec.layerInput);
  if (which.recurrence) flops += tokens * recurrenceFlops(spec);
  if (!which.hasVectors()) return flops;
  const double queries = (spec.attentionGate ? 3 : 2) * queryWidth;  // and gates and outputs
  const AttentionMask mask{which.window, which.attention == AttentionKind::Chunked};
  return flops + tokens * 2 * hidden * (share * queries + keyWidth + valueWidth) +
         share * 4 * queryWidth * attentionPairs(part.first, part.first + part.rows, mask);
}

std::int64_t chunkRows(std::int64_t wanted) {
  return std::max<std::int64_t>(1, wanted / kAttentionTile) * kAttentionTile;
}

ForwardCost forwardCost(const ModelSpec& spec, const std::vector<TextSize>& texts, std::int64_t lastLayer,
                        const ResolvedDevice& device, const ForwardOptions& options) {
  std::int64_t longest = 0, tokens = 0;
  for (const TextSize& text : texts) {
    longest = std::max(longest, text.tokens);
    tokens += text.tokens;
  }
  return {forwardPeakBytes(spec, tokens, longest, lastLayer, device, options),
          flopsBefore(spec, texts, lastLayer, {lastLayer + 1, 0, 0})};
}

double flopsBefore(const ModelSpec& spec, const std::vector<TextSize>& texts, std::int64_t lastLayer,
                   const GroupStep& next) {
  const std::int64_t readLayer = layerOfReadRows(spec, lastLayer);
  const auto flopsOf = [&](std::int64_t layer, const TextSize& text, std::int64_t rows) {
    const LayerUse use = layer == lastLayer   ? LayerUse::Operands
                         : layer == readLayer ? LayerUse::ReadRows
                                              : LayerUse::Whole;
    return layerFlops(spec, {layer, 0, rows, use, readShare(text)});
  };
  double flops = 0;
  for (std::int64_t layer = 0; layer <= std::min(lastLayer, next.layer); ++layer) {
    const auto all = std::ssize(texts);
    const std::int64_t whole = layer < next.layer ? all : std::min(all, next.text);
    for (std::int64_t i = 0; i < whole; ++i) {
      const TextSize& text = texts[static_cast<std::size_t>(i)];
      flops += flopsOf(layer, text, text.tokens);
    }
  }
  if (next.layer >= 0 && next.layer <= lastLayer && next.row > 0)
    flops += flopsOf(next.layer, texts.at(static_cast<std::size_t>(next.text)), next.row);
  return flops;
}

std::uint64_t forwardPeakBytes(const ModelSpec& spec, std::int64_t tokens, std::int64_t longest,
                               std::int64_t lastLayer, const ResolvedDevice& device,
                               const ForwardOptions& options) {
  const Widths w(spec, lastLayer);
  const std::int64_t chunk = std::min(chunkRows(options.queryChunk), longest);
  const MemoryNeed need{Widths::of(tokens), Widths::of(longest), Widths::of(chunk),
                        Widths::of(std::min(chunk, kAttentionTile)), bytesOf(device.dtype)};
  std::uint64_t bytes = need.texts(w) + need.keysAndValues(w) + w.layerWeights() * need.bytes;
  if (options.interventions && !options.interventions->clamped.empty()) bytes += need.clampedHead(w);
  if (device.device != "cpu") {
    // A whole chunk is one block there.
    return bytes + kCudaBytes + need.chunkBuffers(w) + need.chunk * w.rowScratch() * 4 +
           softcapBytes(w, need.tile, need.bytes);
  }
  const auto threads = static_cast<std::uint64_t>(threadCount(options.threads));
  return bytes + kRuntimeBytes + threads * kThreadBytes +
         std::max(threads * loadingBytes(w, need.bytes),
                  need.chunkBuffers(w) + need.recurrence(w) + threads * blockBytes(w, need.bytes));
}

std::uint64_t groupStateBytes(const ModelSpec& spec, std::int64_t tokens, std::int64_t longest,
                              const ResolvedDevice& device) {
  const Widths w(spec, spec.layerCount - 1);
  const MemoryNeed need{Widths::of(tokens), Widths::of(longest), 0, 0, bytesOf(device.dtype)};
  const std::uint64_t recurrence =
      w.states * 4 + w.channels * need.bytes * static_cast<std::uint64_t>(spec.recurrence.kernel);
  return need.texts(w) + need.keysAndValues(w) + recurrence;
}

}  // namespace plastiscope
