#pragma once
// Which examples a resample has (method.md section 6).
#include <cstdint>
#include <vector>

namespace plastiscope {

// How often each example is drawn in each resample: [resample][example].
struct Resamples {
  std::int64_t examples = 0;
  std::vector<std::vector<std::int32_t>> times;
  // Of a jackknife: how many examples each resample leaves out; the first is the whole and leaves out none.
  // Empty where examples are drawn with replacement.
  std::vector<std::int64_t> leftOut;

  std::int64_t count() const { return static_cast<std::int64_t>(times.size()); }
};

// Own definition: resample r draws `examples` ids one after the other, each below(examples) of the generator
// of method.md 4.7 with state combine(combine(combine(0x243F6A8885A308D3, mix64(seed)), mix64(0x62)),
// mix64(r)). It depends on nothing else, so all heads share it.
Resamples drawResamples(std::uint64_t seed, std::int64_t count, std::int64_t examples);

// The whole, then one resample a group without its examples. Own definition: example e belongs to group
// e mod min(groups, examples), so that groups differ by one example at most and each has some of the
// beginning and of the end.
Resamples leaveOut(std::int64_t examples, std::int64_t groups);

}  // namespace plastiscope
