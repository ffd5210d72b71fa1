#pragma once
// A group of texts between two steps of the forward pass: what a later run needs to go on from there, and who
// looks after a group while it runs.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace plastiscope {

// A step is one chunk of rows of one text in one layer: which one comes next. Texts by their index in the
// group.
struct GroupStep {
  std::int64_t layer = 0, text = 0, row = 0;
  auto operator<=>(const GroupStep&) const = default;
};

// A tensor of a state, in the exact type it is computed in (safetensors' name of it). The bytes of `pieces`
// follow each other in the tensor; they are there as long as the state is.
struct StateTensor {
  std::string name, type;
  std::vector<std::int64_t> shape;
  std::vector<std::span<const std::byte>> pieces;
};

// Everything that steps to come need of those done, beside the vectors that the sink took: hidden states,
// and inside a text the keys and values of the layer, the states of its recurrence and its vectors so far.
struct GroupState {
  GroupStep next;
  std::vector<StateTensor> tensors;
  std::shared_ptr<const void> owner;  // copies of what lies on a GPU or is not in one piece
};

// A state that was kept somewhere.
class KeptState {
 public:
  virtual ~KeptState() = default;
  virtual GroupStep next() const = 0;
  // Fills `pieces` with the tensor of that name; InputError when there is none of that type and shape.
  virtual void read(const std::string& name, const std::string& type, const std::vector<std::int64_t>& shape,
                    const std::vector<std::span<std::byte>>& pieces) const = 0;
};

// What the first text of a group cost in the group's first layer.
struct FirstLayerCost {
  double loadSeconds = 0, runSeconds = 0;
  double loadedShare = 0;  // of the weights of all layers that are run
  double flops = 0;
};

// All of it is called from the thread that runs the group. An error that a function throws ends the run.
class GroupWatch {
 public:
  virtual ~GroupWatch() = default;
  // Where the group goes on; nullptr: it begins. Asked once.
  virtual const KeptState* keptState() { return nullptr; }
  // Of a group that begins, after the first text's first layer: how many of its texts to run, at least one.
  virtual std::size_t textsToRun(const FirstLayerCost&) { return SIZE_MAX; }
  // A text passed its last layer: the sink has all of its vectors.
  virtual void textDone(std::int64_t /*example*/) {}
  // Floating point operations of the step. `state` may be asked for until this returns.
  virtual void stepDone(double /*flops*/, const std::function<GroupState()>& /*state*/) {}
  // The run stops as asked, after at least one step; what a step in between did is not in the state.
  virtual void stopping(const std::function<GroupState()>& /*state*/) {}
};

}  // namespace plastiscope
