#pragma once
// What a model is, as data: read from config.json or GGUF metadata, enough to build the forward pass.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace plastiscope {

// Rotary position embedding, one kind of rope_kinds.h with its values.
struct RopeSpec {
  std::string kind = "default";  // default, linear, dynamic, llama3, yarn, longrope
  double theta = 10000;
  std::int64_t rotaryDim = 0;  // first part of the head that turns; = head_dim unless partial
  bool interleaved = false;    // pairs (2i, 2i+1) instead of (i, i + rotaryDim/2)
  double factor = 1;
  std::int64_t originalContext = 0;              // original_max_position_embeddings; 0 = not given
  std::int64_t maxPositions = 0;                 // max_position_embeddings
  double lowFreqFactor = 1, highFreqFactor = 4;  // llama3
  double betaFast = 32, betaSlow = 1;            // yarn
  bool truncate = true;                          // yarn
  std::optional<double> attentionFactor, mscale, mscaleAllDim;
  std::vector<double> shortFactor, longFactor;  // longrope [rotaryDim / 2]
  std::vector<float> frequencyFactors;  // GGUF rope_freqs.weight: inverse frequencies are divided by these
  Json toJson() const;                  // only what the kind uses
};

enum class AttentionKind { Full, Sliding, Cross };
std::string_view nameOf(AttentionKind kind);  // "full", "sliding", "cross"

struct LayerSpec {
  AttentionKind attention = AttentionKind::Full;
  std::int64_t window = 0;  // tokens a query sees, itself included; 0 = all
  bool rope = true;
  bool queryScale = false;  // a position dependent query factor is part of the captured query
};

enum class Activation { Silu, GeluTanh, Gelu };

struct ModelSpec {
  std::string name;          // general.name, _name_or_path or the folder's name
  std::string architecture;  // "llama"
  std::int64_t layerCount = 0, hidden = 0, intermediate = 0, vocabulary = 0;
  std::int64_t queryHeads = 0, keyHeads = 0, headDim = 0;
  std::int64_t contextLength = 0;
  double normEps = 1e-5;
  double scoreScale = 0;  // 1/sqrt(head_dim) unless the model has its own
  Activation activation = Activation::Silu;
  bool attentionBias = false, outputBias = false, mlpBias = false;
  bool tiedEmbeddings = false;
  RopeSpec rope;
  std::vector<LayerSpec> layers;  // [layerCount]
  Json config;                    // as read (GGUF: metadata without arrays)

  std::int64_t groupSize() const { return queryHeads / keyHeads; }
};

}  // namespace plastiscope
