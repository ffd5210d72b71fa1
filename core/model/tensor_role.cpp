#include "core/model/tensor_role.h"

#include <cstddef>

namespace plastiscope {

std::string_view nameOf(TensorRole role) {
  static constexpr std::string_view kNames[] = {
      "input_norm",
      "input_norm_bias",
      "query_norm",
      "key_norm",
      "attention_output_norm",
      "mlp_norm",
      "mlp_norm_bias",
      "mlp_output_norm",
      "query",
      "query_gate",
      "key",
      "value",
      "query_key_value",
      "output",
      "query_bias",
      "key_bias",
      "value_bias",
      "output_bias",
      "sinks",
      "gate",
      "up",
      "gate_up",
      "down",
      "gate_bias",
      "up_bias",
      "down_bias",
      "xielu_positive",
      "xielu_negative",
      "xielu_beta",
      "xielu_eps",
      "router",
      "router_bias",
      "router_correction",
      "expert_gate",
      "expert_up",
      "expert_gate_up",
      "expert_down",
      "expert_gate_bias",
      "expert_up_bias",
      "expert_gate_up_bias",
      "expert_down_bias",
      "shared_gate",
      "shared_up",
      "shared_gate_up",
      "shared_down",
      "shared_expert_gate",
  };
  static_assert(std::size(kNames) == static_cast<std::size_t>(TensorRole::SharedExpertGate) + 1);
  return kNames[static_cast<std::size_t>(role)];
}

}  // namespace plastiscope
