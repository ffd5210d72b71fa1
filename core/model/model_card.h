#pragma once
// What a model is, in the words that `info`, the library and the model page show.
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
    bool chunked = false;  // blocks of so many tokens instead of the last ones
    std::vector<std::int64_t> layers;
  };
  std::vector<Window> windows;             // sliding layers by window size, ascending
  std::vector<std::int64_t> nopeLayers;    // full layers without RoPE
  std::vector<std::int64_t> crossLayers;   // cross-attention: no vectors
  std::vector<std::int64_t> linearLayers;  // a recurrence: no vectors
  struct OwnHeads {
    std::int64_t headDim = 0, keyHeads = 0;
    std::vector<std::int64_t> layers;
  };
  std::vector<OwnHeads> ownHeads;           // of layers that are not like the model
  std::vector<std::int64_t> sharingLayers;  // attend to the keys of an earlier layer
  std::string weightTypes;                  // as in Model
  std::uint64_t weightBytes = 0;
  std::int64_t parameters = 0;  // elements of all tensors
  std::string fingerprint;
  std::vector<std::string> warnings, notes;
};

ModelCard cardOf(const Model& model);

// "llama3 (theta 500000, factor 8, ...)": kind and values; by layer type where they differ.
std::string ropeText(const std::vector<RopeSpec>& ropes);
std::string ropeText(const RopeSpec& rope);
// "0-2, 4, 8-11".
std::string numberRanges(const std::vector<std::int64_t>& ascending);

// Title and value of every line of the card; lines that do not apply are left out.
std::vector<std::pair<std::string, std::string>> cardLines(const ModelCard& card);
Json toJson(const ModelCard& card);

}  // namespace plastiscope
