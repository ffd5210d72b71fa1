#pragma once
// How the work of a layer is cut: blocks of rows, tiles of queries, blocks of keys.
#include <c10/core/Device.h>
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace plastiscope {

// ---- Parallel work of the forward pass: fixed blocks of rows, so that results do not depend on the number
// of threads.

// Rows of one unit of work. Chosen so that a block's activations stay in a core's cache while the products
// are still as fast as large ones.
inline constexpr std::int64_t kRowBlock = 256;

// Calls body(first, count) for the blocks that make up [0, rows). On a CPU the blocks run on all threads and
// every tensor operation inside a block runs on that one thread; elsewhere there is one block with all rows.
// The first exception is rethrown after all threads have stopped.
void forRowBlocks(const c10::Device& device, std::int64_t rows,
                  const std::function<void(std::int64_t first, std::int64_t count)>& body);

// Calls work(i) for i in [0, count) on all threads, one-threaded inside.
void forEachInParallel(std::int64_t count, const std::function<void(std::int64_t)>& work);

// Whether parallel work goes on. The thread that made it asks, once for every piece of work that any thread
// begins; all of them know the answer.
class ParallelStop {
 public:
  explicit ParallelStop(const std::function<void()>& ask) : m_ask(ask) {}
  // Before a piece of work. Throws what `ask` throws, in the thread that asks.
  bool goesOn();
  // By the thread that made it, after the last piece: asks for those that others began.
  void askAll();

 private:
  const std::function<void()>& m_ask;
  const std::thread::id m_caller = std::this_thread::get_id();
  std::atomic<std::int64_t> m_begun = 0;
  std::int64_t m_asked = 0;
  std::atomic<bool> m_stopped = false;
};

// Calls work() on the calling thread; parallel work inside it stays on that thread.
void onThisThreadAlone(const std::function<void()>& work);

// ---- Which keys a run of queries sees, cut into blocks that need no mask.

// Queries of one attention call: whole tiles are a fixed size, so that results do not depend on the query
// chunk.
inline constexpr std::int64_t kAttentionTile = 1024;

enum class BlockShape {
  Full,    // every query sees every key of the block
  Causal,  // query i sees keys 0..i of the block (as many keys as queries)
  Edge,    // query i sees keys i.. of the block (as many keys as queries): the far end of a sliding window
};

struct KeyBlock {
  std::int64_t begin = 0, end = 0;  // key positions
  BlockShape shape = BlockShape::Full;
};

// What a query sees of the tokens up to itself: the last `window`, those of its block of `window` tokens, or
// all (window 0).
struct AttentionMask {
  std::int64_t window = 0;
  bool chunked = false;
};

// End of the tile of queries that starts at `begin`: a multiple of the size of tiles, the end of the mask, or
// `end`. So tiles are the same wherever a query chunk of whole kAttentionTile begins.
std::int64_t tileEnd(std::int64_t begin, std::int64_t end, const AttentionMask& mask);

// The blocks that the queries [begin, end) of one tile see, in order of position. Keys that are masked are in
// none of them.
std::vector<KeyBlock> keyBlocks(std::int64_t begin, std::int64_t end, const AttentionMask& mask);

// Pairs of query and key among the queries [begin, end): the useful work of causal attention.
double attentionPairs(std::int64_t begin, std::int64_t end, const AttentionMask& mask);

}  // namespace plastiscope
