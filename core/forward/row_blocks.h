#pragma once
// Partition of a layer's work: blocks of rows, tiles of queries, blocks of keys.
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

namespace plastiscope {

// ---- Parallel work in fixed blocks of rows, so that results do not depend on the number of threads.

// Rows per unit of work: activations stay in a core's cache, and products are as fast as large ones.
inline constexpr std::int64_t kRowBlock = 256;

// Calls body(first, count) for the blocks of [0, rows). On a CPU, blocks run on all threads, each
// single-threaded inside; on other devices there is one block. Rethrows the first exception after all threads
// have stopped.
void forRowBlocks(const c10::Device& device, std::int64_t rows,
                  const std::function<void(std::int64_t first, std::int64_t count)>& body);

// Calls work(i) for i in [0, count) on all threads, each single-threaded inside.
void forEachInParallel(std::int64_t count, const std::function<void(std::int64_t)>& work);

// Cancellation of parallel work. The creating thread calls `ask` once for every piece of work begun by any
// thread and shares the result.
class ParallelStop {
 public:
  explicit ParallelStop(const std::function<void()>& ask) : m_ask(ask) {}
  // Call before a piece of work. In the creating thread it throws what `ask` throws.
  bool goesOn();
  // Called by the creating thread after the last piece: catches up with calls of `ask` for other threads.
  void askAll();

 private:
  const std::function<void()>& m_ask;
  const std::thread::id m_caller = std::this_thread::get_id();
  std::atomic<std::int64_t> m_begun = 0;
  std::int64_t m_asked = 0;
  std::atomic<bool> m_stopped = false;
};

// Calls work() on the calling thread, including its parallel parts.
void onThisThreadAlone(const std::function<void()>& work);

// ---- Keys visible to a tile of queries, in blocks that need no mask.

// Queries per attention call: tiles have a fixed size, so that results do not depend on the query chunk.
inline constexpr std::int64_t kAttentionTile = 1024;

enum class BlockShape {
  Full,    // every query sees every key of the block
  Causal,  // query i sees keys 0..i of the block (as many keys as queries)
  Edge,    // query i sees keys i.. of the block (as many keys as queries): the start of a sliding window
};

struct KeyBlock {
  std::int64_t begin = 0, end = 0;  // key positions
  BlockShape shape = BlockShape::Full;
};

// Keys visible to a query, up to itself: the last `window`, those in its block of `window` tokens (chunked),
// or all (window 0).
struct AttentionMask {
  std::int64_t window = 0;
  bool chunked = false;
};

// End of the query tile that starts at `begin`: the next multiple of the tile size, a boundary of the mask,
// or `end`. Tiles do not depend on where a chunk of whole kAttentionTile begins.
std::int64_t tileEnd(std::int64_t begin, std::int64_t end, const AttentionMask& mask);

// Blocks visible to queries [begin, end) of one tile, in order of position, without masked keys.
std::vector<KeyBlock> keyBlocks(std::int64_t begin, std::int64_t end, const AttentionMask& mask);

// Number of visible query-key pairs for queries [begin, end): the useful work of causal attention.
double attentionPairs(std::int64_t begin, std::int64_t end, const AttentionMask& mask);

// ---- Rows of a text for a step: consecutive or listed positions.

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
