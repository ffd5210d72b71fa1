#pragma once
// One group on its way through the layers, step by step; it can begin at any step that was kept.
#include <ATen/core/Tensor.h>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/forward/decoder_layer.h"
#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/forward/layers_ahead.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// ---- Costs of a part of the forward pass, in closed form.

// Which outputs of a layer are used. Of the last layer that is run before `lastLayer`, only the rows whose
// queries and keys are captured in `lastLayer`.
LayerUse layerUse(const ModelSpec& spec, std::int64_t layer, std::int64_t lastLayer);

// The share of a text's rows for which the steps after keys and values are done in that layer, and queries
// and keys formed in the last one: those that are read, but all rows of short texts and where more than half
// are read, where single rows would not be faster.
double readShare(const TextSize& text);

// Floating point operations of the positions [first, first + rows) in one layer; `share` as above.
struct LayerPart {
  std::int64_t layer = 0, first = 0, rows = 0;
  LayerUse use = LayerUse::Whole;
  double share = 1;
};
double layerFlops(const ModelSpec& spec, const LayerPart& part);

// ---- The run.

class GroupRun {
 public:
  GroupRun(const Model& model, std::int64_t lastLayer, const ForwardOptions& options, const Compute& compute,
           const std::vector<TokenSequence>& group);
  void run(QkSink& sink, Progress& progress, GroupWatch& watch);

 private:
  using Clock = std::chrono::steady_clock;
  void begin(GroupWatch& watch);
  void requireStep() const;
  void runLayer(QkSink& sink, Progress& progress, GroupWatch& watch);
  void runText(QkSink& sink, Progress& progress, GroupWatch& watch);
  void runOutput(QkSink& sink, Progress& progress, GroupWatch& watch);
  void textDone(GroupWatch& watch);
  // The step after which a text is finished: the last layer's, or the model's output.
  bool isLast() const { return m_next.layer == m_lastLayer; }
  void chooseTexts(std::int64_t tokens, GroupWatch& watch);
  LayerUse use() const { return useOf(m_next.layer); }
  LayerUse useOf(std::int64_t layer) const { return layerUse(m_model.spec, layer, m_lastLayer); }
  void readAhead();
  double share() const { return readShare({std::ssize(m_group[index()].tokens), std::ssize(m_read)}); }
  // Of the work, where dense heads of the last layer let no row unread.
  double shareDone() const { return m_readsEvery ? 1 : share(); }
  void findReadRows(const QkSink& sink);
  std::vector<ChunkRows> chunkAt(const QkSink& sink, std::int64_t first, std::int64_t rows) const;
  const LayerSpec& layerSpec() const;
  std::size_t index() const { return static_cast<std::size_t>(m_next.text); }

  KeyValues memoryOfLayer();
  void makeShared(std::int64_t owner, SequenceState& text) const;
  void dropShared(SequenceState& text) const;
  struct SharedKeys {
    std::int64_t owner;
    std::size_t text;
  };
  std::vector<SharedKeys> sharedKeys() const;

  // Tensors of a state: what goes to or comes from a file.
  struct Part {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<at::Tensor> tensors;  // one below the other
  };
  Part hiddenPart() const;
  std::vector<Part> sharedParts() const;
  std::vector<Part> partsInsideText() const;
  GroupState state() const;
  void restore(const KeptState& kept, const Part& part) const;

  const Model& m_model;
  std::int64_t m_lastLayer;
  const ForwardOptions& m_options;
  Compute m_compute;
  const std::vector<TokenSequence>& m_group;
  std::vector<SequenceState> m_texts;  // of those that are run
  KeyValues m_memory;                  // flat, for the longest text and the widest layer
  KeyValues m_inUse;                   // of the text that is in m_layer
  std::int64_t m_longest = 0;
  bool m_sharesKeysBefore = false;
  GroupStep m_next;
  const KeptState* m_kept = nullptr;  // until its part inside a text is read
  bool m_begins = true;               // how many texts to run is not decided yet
  LayersAhead m_ahead;
  std::unique_ptr<DecoderLayer> m_layer;
  std::optional<OperandRows> m_wanted;  // of the text that is in m_layer
  std::vector<std::int32_t> m_read;     // of that text: rows of which the last layer's operands are wanted
  bool m_readsEvery = false;            // of heads that are wanted at every position, too
  Clock::time_point m_loadStart, m_runStart;
  std::int64_t m_steps = 0;
};

// How many rows at a time a card is asked for, of which the first that fits is taken.
inline constexpr std::array<std::int64_t, 3> kCardChunks = {32768, 8192, 2048};
// options.queryChunk as it is used: whole attention tiles.
std::int64_t chunkRows(const ForwardOptions& options, bool onCard);

}  // namespace plastiscope
