#pragma once
// Summary of a model for `info`, the library and the model page.
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json_value.h"
#include "core/model/model.h"

namespace plastiscope {

struct ModelCard {
  ModelSpec spec;
  std::string container;  // "safetensors" or "GGUF"
  std::filesystem::path path;
  struct Window {
    std::int64_t tokens = 0;
    bool chunked = false;  // blocks of `tokens` instead of a sliding window
    std::vector<std::int64_t> layers;
  };
  std::vector<Window> windows;             // sliding layers by window size, ascending
  std::vector<std::int64_t> nopeLayers;    // full layers without RoPE
  std::vector<std::int64_t> crossLayers;   // cross-attention: no rows captured
  std::vector<std::int64_t> linearLayers;  // recurrence: no rows captured
  struct OwnHeads {
    std::int64_t headDim = 0, keyHeads = 0;
    std::vector<std::int64_t> layers;
  };
  std::vector<OwnHeads> ownHeads;           // layers whose heads differ from the model's
  std::vector<std::int64_t> sharingLayers;  // use the keys of an earlier layer
  std::string weightTypes;                  // as in Model
  std::uint64_t weightBytes = 0;
  std::int64_t parameters = 0;  // elements of all tensors
  std::string fingerprint;
  JsonValue engine;  // as in Model
  std::vector<std::string> warnings, notes;
};

ModelCard cardOf(const Model& model);

// "llama3 (theta 500000, factor 8, ...)": kind and values, per layer type if they differ.
std::string ropeText(const std::vector<RopeSpec>& ropes);
std::string ropeText(const RopeSpec& rope);
// The same, or the kind of positions without RoPE.
std::string positionsText(const ModelSpec& spec);
// "native" or "transformers 5.23.0 (torch 2.13.0, Python 3.12): the reason", of Model::engine.
std::string engineText(const Json& engine);
// "0-2, 4, 8-11".
std::string numberRanges(const std::vector<std::int64_t>& ascending);

// Title and value for each line of the card; omits lines that do not apply.
std::vector<std::pair<std::string, std::string>> cardLines(const ModelCard& card);
Json toJson(const ModelCard& card);

}  // namespace plastiscope
