#pragma once
// Selection of rows of a text for a step: consecutive or listed positions.
#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace plastiscope {

// Ascending positions of a text.
class ReadRows {
 public:
  ReadRows() = default;
  static ReadRows run(std::int64_t first, std::int64_t count);
  static ReadRows list(std::span<const std::int32_t> positions);

  std::int64_t count() const { return m_count; }
  bool isRun() const { return m_positions.empty(); }
  std::int64_t operator[](std::int64_t i) const;
  std::span<const std::int32_t> listed() const { return m_positions; }  // empty: consecutive
  // The rows with indices `at` .. at + count - 1.
  ReadRows part(std::int64_t at, std::int64_t count) const;
  at::Tensor positions(const at::Device& device) const;  // [count] int64
  // Selects these rows of x, whose row 0 has position `origin`: a view if consecutive, else a copy.
  at::Tensor rowsOf(const at::Tensor& x, std::int64_t origin = 0) const;
  at::Tensor placesOf(const ReadRows& some,
                      const at::Device& device) const;  // as below
  // Index of each of `wanted` among these rows; all must be present.
  std::vector<std::int64_t> placesOf(std::span<const std::int32_t> wanted) const;

 private:
  std::int64_t m_first = 0, m_count = 0;
  std::vector<std::int32_t> m_positions;  // empty: consecutive
};

// Like forRowBlocks: body(at, rows) with rows = choice.part(at, ...). Blocks of a list do not cross attention
// tiles, so they do not depend on the chunk.
void forRowBlocks(const c10::Device& device, const ReadRows& choice,
                  const std::function<void(std::int64_t at, const ReadRows& rows)>& body);
// Calls `checkpoint` between blocks as ParallelStop does; it may throw to stop.
void forRowBlocks(const c10::Device& device, const ReadRows& choice, const std::function<void()>& checkpoint,
                  const std::function<void(std::int64_t at, const ReadRows& rows)>& body);

}  // namespace plastiscope
