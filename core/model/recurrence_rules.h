#pragma once
// How configurations describe recurrences.
#include <string>
#include <utility>
#include <vector>

#include "core/base/json_value.h"
#include "core/model/config_values.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// The gated delta net of the Qwen families: linear_num_key_heads and its like.
void readDeltaNet(ModelSpec& spec, const ConfigValues& values);
// What its families call its sizes in GGUF files, and the values of those that they leave out.
std::vector<std::pair<std::string, std::string>> deltaNetGgufKeys();
ConfigDefaults deltaNetDefaults();

// Mamba 2: mamba_n_heads and its like.
void readMamba2(ModelSpec& spec, const ConfigValues& values);

}  // namespace plastiscope
