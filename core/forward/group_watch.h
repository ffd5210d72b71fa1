#pragma once
// State of a group between two steps of the forward pass, for resuming, and the observer of a running group.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace plastiscope {

// A step is one chunk of one text in one layer; identifies the next one. `text` is the index in the group.
struct GroupStep {
  std::int64_t layer = 0, text = 0, row = 0;
  auto operator<=>(const GroupStep&) const = default;
};

// A tensor of a state in its compute type (safetensors' name). The concatenated `pieces` are its bytes; they
// are valid as long as the state.
struct StateTensor {
  std::string name, type;
  std::vector<std::int64_t> shape;
  std::vector<std::span<const std::byte>> pieces;
};

// Data needed by later steps, except rows passed to the sink: hidden states; within a text also keys and
// values of the layer, recurrence states and collected rows.
struct GroupState {
  GroupStep next;
  std::vector<StateTensor> tensors;
  std::shared_ptr<const void> owner;  // copies of tensors on a GPU or not contiguous
};

// A saved state.
class KeptState {
 public:
  virtual ~KeptState() = default;
  virtual GroupStep next() const = 0;
  // Reads the tensor `name` into `pieces`; InputError if it is missing or has another type or shape.
  virtual void read(const std::string& name, const std::string& type, const std::vector<std::int64_t>& shape,
                    const std::vector<std::span<std::byte>>& pieces) const = 0;
};

// Cost of a group's first text in its first layer.
struct FirstLayerCost {
  double loadSeconds = 0, runSeconds = 0;
  double loadedShare = 0;  // of the weights of all layers to run
  double flops = 0;
};

// Called from the thread that runs the group. An exception ends the run.
class GroupWatch {
 public:
  virtual ~GroupWatch() = default;
  // State to resume from; nullptr: start. Called once.
  virtual const KeptState* keptState() { return nullptr; }
  // After the first layer of the first text, unless resumed: number of texts to run, at least one.
  virtual std::size_t textsToRun(const FirstLayerCost&) { return SIZE_MAX; }
  // A text has passed its last layer; the sink has all its rows.
  virtual void textDone(std::int64_t /*example*/) {}
  // Floating point operations of the step. `state` is valid until this returns; empty if the run cannot be
  // resumed within a text.
  virtual void stepDone(double /*flops*/, const std::function<GroupState()>& /*state*/) {}
  // The run stops on request, after at least one step; the state excludes partial steps.
  virtual void stopping(const std::function<GroupState()>& /*state*/) {}
};

}  // namespace plastiscope
