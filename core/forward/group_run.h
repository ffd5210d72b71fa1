#pragma once
// Runs a group through the layers, step by step; can resume from a kept state.
#include <ATen/core/Tensor.h>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/forward/decoder_layer.h"
#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/forward/layer_weights.h"
#include "core/forward/memory_plan.h"
#include "core/model/model_spec.h"

namespace plastiscope {

class GroupRun {
 public:
  GroupRun(const Model& model, std::int64_t lastLayer, const ForwardOptions& options, const Compute& compute,
           const std::vector<TokenSequence>& group);
  void run(QkSink& sink, Progress& progress, GroupWatch& watch);

 private:
  using Clock = std::chrono::steady_clock;
  void begin(GroupWatch& watch);
  void requireVariants() const;
  void fork();
  void wantContributions();
  bool isChanged() const;
  void requireStep() const;
  void runLayer(QkSink& sink, Progress& progress, GroupWatch& watch);
  void runText(QkSink& sink, Progress& progress, GroupWatch& watch);
  void runOutput(QkSink& sink, Progress& progress, GroupWatch& watch);
  void textDone(GroupWatch& watch);
  // Whether the current step finishes a text: last layer, or logits.
  bool isLast() const { return m_next.layer == m_lastLayer; }
  void chooseTexts(std::int64_t tokens, GroupWatch& watch);
  LayerUse use() const { return useOf(m_next.layer); }
  LayerUse useOf(std::int64_t layer) const { return layerUse(m_model.spec, layer, m_lastLayer); }
  void readAhead();
  double share() const { return readShare({std::ssize(m_group[index()].tokens), std::ssize(m_read)}); }
  // Share of rows computed: all if dense heads or scores of the last layer need every row.
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

  // Tensors of a state, for writing to or reading from a file.
  struct Part {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<at::Tensor> tensors;  // concatenated along the first dimension
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
  std::vector<SequenceState> m_texts;  // of texts to run
  KeyValues m_memory;                  // flat, large enough for the longest text and widest layer
  KeyValues m_inUse;                   // of the text in m_layer
  std::int64_t m_longest = 0;
  bool m_sharesKeysBefore = false;
  GroupStep m_next;
  const KeptState* m_kept = nullptr;  // until its part inside a text is read
  bool m_begins = true;               // the number of texts to run is not decided yet
  LayersAhead m_ahead;
  std::unique_ptr<DecoderLayer> m_layer;
  std::optional<OperandRows> m_wanted;  // of the text in m_layer
  std::vector<std::int32_t> m_read;     // rows of that text whose queries or keys the last layer captures
  bool m_readsEvery = false;            // dense heads or scores need every row
  Clock::time_point m_loadStart, m_runStart;
  std::int64_t m_steps = 0;
};

}  // namespace plastiscope
