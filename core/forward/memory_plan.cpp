#include "core/forward/memory_plan.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/forward/attention_kernel.h"
#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/forward/head_scores.h"
#include "core/forward/layer_reader.h"
#include "core/forward/row_blocks.h"
#include "core/forward/token_loss.h"

namespace plastiscope {

namespace {

constexpr auto kBlockRows = static_cast<std::uint64_t>(kRowBlock);

std::uint64_t of(std::int64_t size) {
  return static_cast<std::uint64_t>(size);
}

// ---- Memory independent of the model (measured with libtorch 2.13 on x86-64).

// Program and pages touched by libtorch's CPU build and its matrix library before the first token: 130 to 160
// million bytes, by processor and pages per fault; oneDNN generates code for 16-bit products on demand.
constexpr std::uint64_t kRuntimeBytes = 143'000'000, kOneDnnBytes = 12'000'000;
// Per thread besides tensors: malloc arena, and packing buffers of float32 products.
constexpr std::uint64_t kArenaBytes = 2'000'000, kPackingBytes = 5'000'000;
// oneDNN's code per matrix size and number of rows; experts meet up to ten such numbers.
constexpr std::uint64_t kKernelBytes = 400'000;
// GPU: context, loaded library code, handles and workspaces, and the unused part of a block of libtorch's
// allocator. Measured with 64 tokens of a tiny model (NVIDIA H200, driver 580, CUDA 13.0, libtorch 2.11).
constexpr std::uint64_t kGpuBytes = 859'000'000;
// GPU, texts longer than a chunk: memory beyond libtorch's allocator at 131,072 tokens (826 and 830 million
// bytes for two of three models; none for the third).
constexpr std::uint64_t kEarlierKeysBytes = 830'000'000;

// ---- Weights, counted in numbers.

// Matrices of a layer; those of experts stay in one piece until all are packed.
struct LayerMatrices {
  std::vector<std::uint64_t> each;
  std::uint64_t rest = 0;    // norms, biases and other weights that are not packed
  std::uint64_t copied = 0;  // temporary copy while reordering
  std::uint64_t all() const { return std::accumulate(each.begin(), each.end(), rest); }
};

// Unpacked weights of a layer: the C library returns blocks of 32 MB and more at once, so that only one
// exists at a time, and keeps smaller ones until the next layer is read.
std::uint64_t packedFromBytes(const LayerMatrices& matrices, std::uint64_t bytes) {
  constexpr std::uint64_t kHandedBack = 32 << 20;
  std::uint64_t kept = 0, largest = 0;
  for (const std::uint64_t matrix : matrices.each) {
    const std::uint64_t size = matrix * bytes;
    if (size < kHandedBack) {
      kept += size;
    } else {
      largest = std::max(largest, size);
    }
  }
  return kept + largest;
}

// Numbers in the matrices that form queries, and keys and values, from the latent vectors and to them.
struct LatentMatrices {
  explicit LatentMatrices(const ModelSpec& spec)
      : query(spec.latent.queryRank > 0 ? spec.latent.queryRank * (spec.hidden + rows(spec))
                                        : spec.hidden * rows(spec)),
        keyValue((spec.latent.rank + spec.latent.ropeDim) * spec.hidden +
                 spec.latent.rank * spec.queryHeads * (spec.latent.nopeDim + spec.latent.valueDim)),
        output(spec.queryHeads * spec.latent.valueDim * spec.hidden) {}
  static std::int64_t rows(const ModelSpec& spec) { return spec.queryHeads * spec.headDim; }
  std::int64_t query, keyValue, output;
};

std::uint64_t otherStreams(const ModelSpec& spec) {
  return spec.altUp.streams > 0 ? of(spec.altUp.streams - 1) : 0;
}

LayerMatrices matricesOf(const ModelSpec& spec, std::int64_t number, LayerUse use) {
  const std::uint64_t hidden = of(spec.hidden);
  LayerMatrices matrices;
  if (number == spec.layerCount) {  // a block of the output matrix and its unconverted form
    const std::uint64_t rows = of(std::min(kHeadRows, spec.vocabulary));
    matrices.rest = 3 * rows * hidden + 3 * otherStreams(spec) * hidden * hidden;
    return matrices;
  }
  const LayerSpec& layer = spec.layer(number);
  if (layer.attention == AttentionKind::Cross) return matrices;
  const auto add = [&](std::int64_t rows) { matrices.each.push_back(of(rows) * hidden); };
  if (spec.latent.rank > 0) {
    const LatentMatrices latent(spec);
    matrices.each = {of(latent.query), of(latent.keyValue)};
    if (use != LayerUse::Operands) matrices.each.push_back(of(latent.output));
  } else if (layer.hasVectors()) {
    const std::int64_t query = spec.queryHeads * layer.headDim;
    const std::int64_t key = layer.ownKeys() ? layer.keyHeads * layer.headDim : 0;
    const std::int64_t value = use == LayerUse::Operands || layer.valuesAreKeys ? 0 : key;
    add((spec.attentionGate ? 2 : 1) * query + key + value);
    if (use != LayerUse::Operands) add(query);
  }
  matrices.rest += 6 * hidden;
  if (spec.altUp.streams > 0) matrices.rest += hidden * of(spec.altUp.streams + 2);  // router, norm and scale
  if (use == LayerUse::Operands) return matrices;
  if (layer.recurrence) {
    const RecurrenceSpec& r = spec.recurrence;
    add(r.inputRows());
    add(r.valueRows());
    matrices.rest += of(r.channels() * (r.kernel + 1));
    matrices.copied = matrices.each[matrices.each.size() - 2];  // its parts in another order
  }
  const ExpertSpec& experts = spec.experts;
  if (layer.experts) {
    add(2 * experts.count * experts.inner);
    add(experts.count * experts.inner);
    matrices.rest += hidden * of(experts.count + 3 * experts.sharedInner);
  }
  if (!layer.experts || experts.besideDense) {
    add(2 * layer.intermediate);
    add(layer.intermediate);
  }
  matrices.rest += 3 * hidden * of(spec.layerInput) + 2 * hidden * of(spec.laurelRank);
  return matrices;
}

// Maximum bytes of weights: a layer, the next one (read ahead) with its unpacked form, and buffers for
// conversion.
std::uint64_t weightBytes(const ModelSpec& spec, std::int64_t lastLayer, const ResolvedDevice& device,
                          const ForwardOptions& options) {
  const std::uint64_t bytes = bytesOf(device.dtype);
  const bool packs = device.device == "cpu" && device.dtype == "bfloat16" && cpuIsFastIn(device.dtype);
  std::uint64_t most = 0, before = 0;  // bytes of the layer being computed
  for (std::int64_t layer = 0; layer <= lastLayer; ++layer) {
    const LayerMatrices matrices = matricesOf(spec, layer, layerUse(spec, layer, lastLayer));
    const std::uint64_t own = matrices.all() * bytes;
    if (own == 0) continue;
    const std::uint64_t from = packs ? packedFromBytes(matrices, bytes) : 0;
    most = std::max(most, (options.readAhead ? before : 0) + own + from + matrices.copied * bytes);
    before = own;
  }
  if (device.device != "cpu") return most;  // threads convert in host memory
  return most + of(threadCount(options.threads)) * of(kLoadedNumbers) * (bytes < 4 ? 5 : 1);
}

// ---- Texts and rows.

// Maximum widths over all layers that are run, counted in numbers.
struct Widths {
  Widths(const ModelSpec& spec, std::int64_t lastLayer)
      : hidden(of(spec.hidden)),
        state(of(spec.stateWidth())),
        streams(spec.altUp.streams > 0 ? 3 * state : 0) {
    const RecurrenceSpec& r = spec.recurrence;
    const ExpertSpec& e = spec.experts;
    for (std::int64_t number = 0; number <= std::min(lastLayer, spec.layerCount - 1); ++number) {
      const LayerSpec& layer = spec.layer(number);
      const std::uint64_t ownKey = of(layer.keyHeads * layer.headDim);
      query = std::max(query, of(spec.queryHeads * layer.headDim));
      key = std::max(key, ownKey);
      inner = std::max(inner, of(layer.intermediate));
      if (layer.sparsity > 0) cutBytes = std::max(cutBytes, 12 * of(layer.intermediate));
      headDim = std::max(headDim, of(layer.headDim));
      if (spec.lastUserOfKeys(number, lastLayer) >= 0) sharedKeys += 3 * ownKey;
      if (layer.recurrence) {
        stateInput = of(r.inputRows());
        stateValues = of(r.valueRows());
        channels = of(r.channels());
        states = of(r.heads * r.keyDim * r.valueDim);
      }
      if (layer.experts && number < lastLayer) {
        expertRow =
            (e.besideDense ? 7 : 4) * hidden + 3 * of(e.count) + 3 * of(std::max(e.inner, e.sharedInner));
      }
    }
    if (spec.scoreSoftcap > 0) softcapGroup = of(spec.queryHeads / spec.keyHeads);
    gate = spec.attentionGate ? query : 0;
    latent = spec.latent.rank > 0 ? 2 * key + of(spec.latent.rank + spec.latent.queryRank) : 0;
    floatNorm = spec.norm.computeInFloat32 || spec.norm.subtractMean;
    floatHeads = std::ranges::any_of(spec.ropes, &RopeSpec::computeInFloat32);
  }

  // Maximum numbers alive per row in the projections of the mixer, and in the feed-forward part: input and
  // output, gate and up, and their product in one piece.
  std::uint64_t projectionRow() const {
    const std::uint64_t recurrent = stateInput > 0 ? 2 * hidden + std::max(stateInput, 2 * channels) : 0;
    return streams + std::max(2 * hidden + 2 * query + gate + 3 * key + latent, recurrent);
  }
  std::uint64_t feedForwardRow() const { return streams + std::max(4 * hidden + 3 * inner, expertRow); }

  std::uint64_t hidden;
  std::uint64_t state;         // of a token between layers
  std::uint64_t streams;       // a copy of all streams, their prediction and correction
  std::uint64_t cutBytes = 0;  // float32 copies per row for the cut of the gate
  std::uint64_t query = 0, key = 0, inner = 0, headDim = 0;
  std::uint64_t sharedKeys = 0;    // and values, kept for later layers
  std::uint64_t softcapGroup = 0;  // query heads per key head, with score softcap
  std::uint64_t gate = 0;          // gate of the attention output
  std::uint64_t latent = 0;        // latent vectors and what is formed from them
  std::uint64_t stateInput = 0, stateValues = 0, channels = 0;  // for the recurrence
  std::uint64_t states = 0;
  std::uint64_t expertRow = 0;  // per row in the experts
  bool floatNorm = false;       // float32 copies for norms that no kernel does in one step
  bool floatHeads = false;      // float32 copies for RoPE
};

std::uint64_t textBytes(const Widths& w, const GroupSize& size, std::uint64_t bytes) {
  const std::uint64_t hidden = of(size.tokens) * ((w.state + w.sharedKeys) * bytes + 4);
  return hidden + of(size.longest) * 2 * w.key * bytes;  // keys and values of one layer
}

// Attention with softcap: product and float32 scores, queries and weighted values.
std::uint64_t softcapBytes(const Widths& w, std::uint64_t rows, std::uint64_t bytes) {
  const std::uint64_t scores = kAttentionTile * (bytes < 4 ? bytes + 4 : 4);
  return w.softcapGroup * rows * (scores + w.headDim * (bytes + 12));
}

// libtorch's attention (float16 and GPUs): a tile of scores, or capped scores, and two partial results with
// log-sum-exps.
std::uint64_t libraryBytes(const Widths& w, std::uint64_t rows, std::uint64_t bytes) {
  const std::uint64_t scores = 4 * rows * (512 + w.hidden / 8);
  return std::max(scores, softcapBytes(w, rows, bytes)) + rows * 2 * (w.query * bytes + w.query / 16);
}

// Attention per thread: for whole chunks, or for single rows in float32 (scores and their inputs, a block of
// keys and values, packing buffers that 16-bit types do not need).
std::uint64_t attentionBytes(const Widths& w, std::uint64_t bytes) {
  const auto group = static_cast<std::int64_t>(w.query / std::max<std::uint64_t>(w.key, 1));
  const auto width = static_cast<std::int64_t>(w.headDim);
  return std::max<std::uint64_t>(
      {attentionScratchBytes(attentionTaskRows(group, width), group, width),
       4 * kAttentionTile * (2 * kBlockRows + 2 * w.headDim) + (bytes < 4 ? kPackingBytes : 0),
       bytes < 4 ? libraryBytes(w, kBlockRows, bytes) : 0});
}

// Recurrence: inputs, gate and results in the compute type, inputs and outputs of the states in float32.
std::uint64_t recurrenceBytes(const Widths& w, std::uint64_t rows, std::uint64_t bytes) {
  if (w.stateInput == 0) return 0;
  return rows * ((w.channels + 2 * w.stateValues) * bytes + (w.stateInput + w.stateValues) * 4) +
         2 * w.states * 4;
}

// Steps of a chunk run one after another and reuse memory: rows of the whole chunk plus buffers per thread.
std::uint64_t chunkBytes(const Widths& w, std::int64_t rows, std::uint64_t threads, std::uint64_t bytes) {
  const std::uint64_t chunk = of(rows);
  const std::uint64_t norms = bytes < 4 ? 2 * w.hidden * 4 : 0;  // float32 copies
  const std::uint64_t formed = chunk * (w.query + w.gate) * bytes;
  const std::uint64_t project = formed + threads * kBlockRows * (w.projectionRow() * bytes + norms);
  const std::uint64_t attend = formed + chunk * w.query * bytes + threads * attentionBytes(w, bytes);
  const std::uint64_t finish = chunk * (w.query + w.stateValues) * bytes +
                               threads * kBlockRows * (w.feedForwardRow() * bytes + norms + w.cutBytes);
  return std::max({attend, finish, project + recurrenceBytes(w, chunk, bytes)});
}

// On a GPU each step processes the whole chunk; libtorch caches its allocations and reuses them for requests
// of the same or smaller size, mostly without using the rest.
std::uint64_t gpuChunkBytes(const Widths& w, const GroupSize& size, std::int64_t chunk, std::uint64_t bytes) {
  const std::uint64_t rows = of(chunk), queries = (w.query + w.gate) * bytes, normed = w.hidden * bytes;
  const std::uint64_t all = queries + (2 * w.key + w.latent) * bytes;  // projections in one piece
  // Queries in one piece and their norm; or float32 copies and results.
  const std::uint64_t steps = w.floatNorm || w.floatHeads ? w.query * 8 : 2 * w.query * bytes;
  const std::uint64_t streams = w.streams * bytes;
  const std::uint64_t project =
      rows * (queries + normed + all + steps + streams) + recurrenceBytes(w, rows, bytes);
  // 16-bit types process earlier keys and keys of the chunk separately and merge in float32; so do listed
  // rows, since the first of them need not be the first of the text.
  std::uint64_t attend = rows * (queries + w.query * bytes);
  if (w.softcapGroup > 0 || bytes == 4) {
    attend += libraryBytes(w, of(std::min(chunk, kAttentionTile)), bytes);
  } else {
    attend += rows * (normed + w.query * (bytes + 8)) + (size.longest > chunk ? kEarlierKeysBytes : 0);
  }
  // Attention output, its projection, and its norm, which reuses the memory of all projections.
  const std::uint64_t kept = (w.query + w.stateValues) * bytes + normed + std::max(all, normed);
  const std::uint64_t norms = w.floatNorm ? 8 * w.hidden : 0;  // float32: a copy and the result
  const std::uint64_t finish =
      rows * (kept + norms + streams + w.cutBytes + (2 * w.inner + w.expertRow) * bytes);
  return std::max({project, attend, finish});
}

// Scores of heads after the last chunk of a text, when the memory of chunks is free.
std::uint64_t scoreBytes(const Widths& w, std::int64_t tokens, std::uint64_t threads, bool onCpu) {
  const std::uint64_t group = w.query / std::max<std::uint64_t>(w.key, 1);
  return 4 * threads *
         headScoreNumbers(tokens, static_cast<std::int64_t>(group), static_cast<std::int64_t>(w.headDim),
                          onCpu);
}

// A clamped head: keys in float32 and in the compute type, queries and results.
std::uint64_t clampedHeadBytes(const Widths& w, std::int64_t longest, std::int64_t chunk,
                               std::uint64_t bytes) {
  const std::uint64_t tile = of(std::min(chunk, kAttentionTile));
  const std::uint64_t oneHead = w.headDim * (2 * of(chunk) * bytes + 2 * tile * (bytes + 4));
  return of(longest) * w.headDim * (4 + (bytes < 4 ? bytes : 0)) + oneHead;
}

// Per token: projections, convolution, products with the state.
double recurrenceFlops(const ModelSpec& spec) {
  const RecurrenceSpec& r = spec.recurrence;
  const auto state = static_cast<double>(r.heads * r.keyDim * r.valueDim);
  return 2 * static_cast<double>(spec.hidden * (r.inputRows() + r.valueRows()) + r.kernel * r.channels()) +
         (r.deltaRule ? 7 : 5) * state;
}

}  // namespace

LayerUse layerUse(const ModelSpec& spec, std::int64_t layer, std::int64_t lastLayer) {
  if (lastLayer == spec.layerCount) return LayerUse::Whole;
  if (layer == lastLayer) return LayerUse::Operands;
  for (std::int64_t later = layer + 1; later < lastLayer; ++later) {
    if (spec.layer(later).attention != AttentionKind::Cross) return LayerUse::Whole;
  }
  return LayerUse::ReadRows;
}

double readShare(const TextSize& text) {
  const std::int64_t read = text.rowsRead.value_or(text.tokens);
  if (text.tokens < kAttentionTile || 2 * read > text.tokens) return 1;
  return static_cast<double>(read) / static_cast<double>(text.tokens);
}

bool readsEveryRow(const TextSize& text) {
  return readShare(text) == 1;
}

double layerFlops(const ModelSpec& spec, const LayerPart& part) {
  const auto hidden = static_cast<double>(spec.hidden);
  const auto tokens = static_cast<double>(part.rows);
  const auto streams = static_cast<double>(spec.altUp.streams);
  if (part.layer == spec.layerCount) {
    const double merge = static_cast<double>(otherStreams(spec)) * hidden;
    return 2 * tokens * hidden * (static_cast<double>(spec.vocabulary) + merge);
  }
  const LayerSpec& which = spec.layer(part.layer);
  if (which.attention == AttentionKind::Cross) return 0;
  const auto queryWidth = static_cast<double>(spec.queryHeads * which.headDim);
  const double keyWidth = which.ownKeys() ? static_cast<double>(which.keyHeads * which.headDim) : 0;
  const double valueWidth = which.valuesAreKeys ? 0 : keyWidth;
  const LatentMatrices latent(spec);
  if (spec.latent.rank > 0 && part.use == LayerUse::Operands)
    return part.share * 2 * tokens * static_cast<double>(latent.query + latent.keyValue);
  if (part.use == LayerUse::Operands)
    return which.hasVectors() ? part.share * 2 * tokens * hidden * (queryWidth + keyWidth) : 0;
  const double share = part.use == LayerUse::ReadRows ? part.share : 1;
  const ExpertSpec& experts = spec.experts;
  const std::int64_t sparse = which.experts ? experts.used * experts.inner + experts.sharedInner : 0;
  const std::int64_t dense = which.experts && !experts.besideDense ? 0 : which.intermediate;
  const double router = which.experts ? static_cast<double>(experts.count) : 0;
  double flops = share * tokens * 2 * hidden * (3 * static_cast<double>(sparse + dense) + router);
  flops += share * tokens * 2 * hidden * static_cast<double>(3 * spec.layerInput + 2 * spec.laurelRank);
  flops += (1 + share) * tokens * 2 * hidden * streams * (streams + 1);  // two predictions and the correction
  if (which.recurrence) flops += tokens * recurrenceFlops(spec);
  if (!which.hasVectors()) return flops;
  const double queries = (spec.attentionGate ? 3 : 2) * queryWidth;  // and gates and outputs
  const AttentionMask mask{which.window, which.attention == AttentionKind::Chunked};
  const double projections =
      spec.latent.rank > 0
          ? share * static_cast<double>(latent.query + latent.output) + static_cast<double>(latent.keyValue)
          : hidden * (share * queries + keyWidth + valueWidth);
  return flops + tokens * 2 * projections +
         share * 4 * queryWidth * attentionPairs(part.first, part.first + part.rows, mask);
}

std::int64_t chunkRows(const ForwardOptions& options, bool onGpu) {
  if (options.queryChunk <= 0) return onGpu ? kGpuChunks.front() : 2048;
  return std::max<std::int64_t>(1, options.queryChunk / kAttentionTile) * kAttentionTile;
}

double groupFlops(const ModelSpec& spec, const std::vector<TextSize>& texts, std::int64_t lastLayer,
                  const std::optional<GroupStep>& until) {
  const GroupStep next = until.value_or(GroupStep{lastLayer + 1, 0, 0});
  const auto flopsOf = [&](std::int64_t layer, const TextSize& text, std::int64_t rows) {
    return layerFlops(spec, {layer, 0, rows, layerUse(spec, layer, lastLayer), readShare(text)});
  };
  double flops = 0;
  for (std::int64_t layer = 0; layer <= std::min(lastLayer, next.layer); ++layer) {
    const auto all = std::ssize(texts);
    const std::int64_t whole = layer < next.layer ? all : std::min(all, next.text);
    for (std::int64_t i = 0; i < whole; ++i) {
      const TextSize& text = texts[i];
      flops += flopsOf(layer, text, text.tokens);
    }
  }
  if (next.layer >= 0 && next.layer <= lastLayer && next.row > 0)
    flops += flopsOf(next.layer, texts.at(next.text), next.row);
  return flops;
}

ForwardMemory forwardMemory(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                            const ResolvedDevice& device, const ForwardOptions& options) {
  const Widths w(spec, lastLayer);
  const std::uint64_t bytes = bytesOf(device.dtype);
  const std::int64_t chunk = std::min(chunkRows(options, device.device != "cpu"), size.longest);
  std::uint64_t base = textBytes(w, size, bytes), clamped = 0;
  if (options.interventions && !options.interventions->clamped.empty())
    clamped = clampedHeadBytes(w, size.longest, chunk, bytes);
  const std::uint64_t weights = weightBytes(spec, lastLayer, device, options);
  const bool onCpu = device.device == "cpu";
  const std::uint64_t threads = onCpu ? of(threadCount(options.threads)) : 1;
  const std::uint64_t scores = scoreBytes(w, size.longest, threads, onCpu);
  std::uint64_t last = matricesOf(spec, lastLayer, LayerUse::Operands).all() * bytes +
                       std::max(of(chunk) * (w.query + w.key) * bytes, scores);
  if (lastLayer == spec.layerCount) {  // normed states of a text; logits of a block of rows and their softmax
    const std::uint64_t rows =
        device.device == "cpu" ? of(threadCount(options.threads)) * kBlockRows : of(kLossRows);
    last += of(size.longest) * (w.hidden * bytes + 28) +
            rows * of(std::min(kHeadRows, spec.vocabulary)) * (bytes + 12);
  }
  if (!onCpu) {
    base += kGpuBytes;
    return {base + weights + clamped + std::max(gpuChunkBytes(w, size, chunk, bytes), scores), base + last};
  }
  base += kRuntimeBytes + threads * kArenaBytes +
          (bytes < 4 ? kOneDnnBytes + (w.expertRow > 0 ? 20 * kKernelBytes : 0) : threads * kPackingBytes);
  return {base + weights + clamped + std::max(chunkBytes(w, chunk, threads, bytes), scores), base + last};
}

ForwardFit fitForward(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                      const DeviceMemory& room, const ForwardOptions& options) {
  ForwardFit fit{options, 0};
  const auto fits = [&] {
    fit.bytes = forwardMemory(spec, size, lastLayer, room.device, fit.options).peakBytes;
    return room.holds(fit.bytes);
  };
  if (fits()) return fit;
  if (room.device.device != "cpu" && options.queryChunk == 0) {  // smaller chunks are slower
    for (const std::int64_t rows : kGpuChunks) {
      fit.options.queryChunk = rows;
      if (fits()) return fit;
    }
  }
  fit.options.readAhead = false;
  fits();
  return fit;
}

std::uint64_t groupStateBytes(const ModelSpec& spec, const GroupSize& size, const ResolvedDevice& device) {
  const Widths w(spec, spec.layerCount - 1);
  const std::uint64_t bytes = bytesOf(device.dtype);
  return textBytes(w, size, bytes) + w.states * 4 + w.channels * bytes * of(spec.recurrence.kernel);
}

}  // namespace plastiscope
