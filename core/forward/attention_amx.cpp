// Attention with AMX tile products of bfloat16.
#if defined(__x86_64__)

#include <cstdlib>
#include <cstring>

#include "core/base/platform.h"
#include "core/forward/attention_avx512.h"
#include "core/forward/attention_tile.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kTileRows = 16, kTileWords = 16;

// Configures eight tiles of 16 rows of 64 bytes for the calling thread during its lifetime.
class TileSetup {
 public:
  TileSetup() {
    struct alignas(64) {
      std::uint8_t palette = 1, startRow = 0, reserved[14] = {};
      std::uint16_t rowBytes[16] = {};
      std::uint8_t rows[16] = {};
    } setup;
    for (int tile = 0; tile < 8; ++tile) {
      setup.rowBytes[tile] = 64;
      setup.rows[tile] = 16;
    }
    // The compiler assumes that only the first eight bytes are read.
    asm volatile("" : : "r"(&setup) : "memory");
    _tile_loadconfig(&setup);
  }
  ~TileSetup() { _tile_release(); }
  TileSetup(const TileSetup&) = delete;
  TileSetup& operator=(const TileSetup&) = delete;
};

struct AmxLevel : Avx512Pairs {
  using Product = PanelProduct<Word>;
  static constexpr std::int64_t kRows = 32, kDepthUnit = kTileWords, kKeyBlock = 128,
                                kScoreStep = kKeyBlock + 16;
  static constexpr bool kQueriesByWord = false;

  static void scores(const Product& product) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    multiply(product, product.depth);
  }

  static void addValues(const Product& product) {
    seeStores();
    const std::int64_t step = product.outStep * 4;
    _tile_loadd(0, product.out, step);
    _tile_loadd(1, product.out + kTileWords, step);
    _tile_loadd(2, product.out + kTileRows * product.outStep, step);
    _tile_loadd(3, product.out + kTileRows * product.outStep + kTileWords, step);
    multiply(product, kScoreStep);
  }

 private:
  // Adds to the sums in tiles 0 to 3 and stores them. Rows of the strip are `step` words apart.
  static void multiply(const Product& product, std::int64_t step) {
    seeStores();
    for (std::int64_t word = 0; word < product.depth; word += kTileWords) {
      const Word* const a = product.strip + word;
      const Word* const b = product.panel + word * kColumns;
      _tile_loadd(6, b, kColumns * 4);
      _tile_loadd(4, a, step * 4);
      _tile_loadd(7, b + kTileWords, kColumns * 4);
      _tile_loadd(5, a + kTileRows * step, step * 4);
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, product.out, product.outStep * 4);
    _tile_stored(1, product.out + kTileWords, product.outStep * 4);
    _tile_stored(2, product.out + kTileRows * product.outStep, product.outStep * 4);
    _tile_stored(3, product.out + kTileRows * product.outStep + kTileWords, product.outStep * 4);
  }
  // Makes earlier stores visible to tile loads, which the compiler does not track.
  static void seeStores() { asm volatile("" ::: "memory"); }
};

bool attendWithTiles(const AttentionTask& task, std::byte* scratch, const AttentionWatch& watch) {
  const TileSetup setup;
  return attendTask<AmxLevel, BFloat16>(task, scratch, watch);
}

// Respects oneDNN's limit on instruction sets (ONEDNN_MAX_CPU_ISA: a name such as avx512_core_bf16).
bool tilesAreWanted() {
  const char* most = std::getenv("ONEDNN_MAX_CPU_ISA");
  return most == nullptr || *most == 0 || !strcasecmp(most, "all") || !strcasecmp(most, "default") ||
         strcasestr(most, "amx");
}

bool hasAmx() {
  static const bool has = __builtin_cpu_supports("amx-bf16") && __builtin_cpu_supports("amx-tile") &&
                          __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw") &&
                          mayUseTileRegisters();
  return has && tilesAreWanted();
}

}  // namespace

const AttentionKernel kAmxAttention{"amx", hasAmx, nullptr, attendWithTiles};

}  // namespace plastiscope
#endif
