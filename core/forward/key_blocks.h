#pragma once
// Which keys a run of queries sees, cut into blocks that need no mask.
#include <cstdint>
#include <vector>

namespace plastiscope {

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
struct Visibility {
  std::int64_t window = 0;
  bool chunked = false;
};

// End of the tile of queries that starts at `begin`: a multiple of the size of tiles, the end of sight, or
// `end`. So tiles are the same wherever a query chunk of whole kAttentionTile begins.
std::int64_t tileEnd(std::int64_t begin, std::int64_t end, const Visibility& sight);

// The blocks that the queries [begin, end) of one tile see, in order of position. Keys out of sight are in
// none of them.
std::vector<KeyBlock> keyBlocks(std::int64_t begin, std::int64_t end, const Visibility& sight);

// Pairs of query and key among the queries [begin, end): the useful work of causal attention.
double attentionPairs(std::int64_t begin, std::int64_t end, const Visibility& sight);

}  // namespace plastiscope
