// Compares the forecast of GPU memory with measured captures. The forecast needs no GPU.
#include <gtest/gtest.h>

#include <fstream>

#include "core/forward/forward.h"
#include "core/model/model.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

// memory_benchmark.py --device cuda: the driver's peak memory in use during a capture of all heads, less the
// memory in use before. NVIDIA H200 (139 GiB, driver 580.159, CUDA 13.0), libtorch 2.11; models of four
// layers with random weights; 8 rows per bucket, but 128 before and after rotation for 135m in bfloat16 at
// 8,192 tokens. olmo2 is left out: the memory of the previous process was not yet free when it began.
struct Taken {
  const char* config;
  const char* dtype;
  std::int64_t tokens, texts;
  std::uint64_t bytes;
};

#define LLAMA(hidden, inner, heads, keyHeads, width)                                          \
  R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": )" #hidden \
  R"(, "intermediate_size": )" #inner R"(, "num_attention_heads": )" #heads                   \
  R"(, "num_key_value_heads": )" #keyHeads R"(, "head_dim": )" #width                         \
  R"(, "num_hidden_layers": 4, "vocab_size": 32768, "max_position_embeddings": 131072, )"     \
  R"("rms_norm_eps": 1e-5, "rope_theta": 500000.0, "hidden_act": "silu", "tie_word_embeddings": true})"
constexpr const char* kTiny = LLAMA(128, 256, 4, 2, 32);
constexpr const char* k135m = LLAMA(576, 1536, 9, 3, 64);
constexpr const char* k1b = LLAMA(2048, 8192, 32, 8, 64);
constexpr const char* k8b = LLAMA(4096, 14336, 32, 8, 128);
#undef LLAMA
constexpr const char* kQwen3 =
    R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 1024, "intermediate_size": 3072,
        "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "num_hidden_layers": 4, "vocab_size": 8192,
        "max_position_embeddings": 131072, "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "hidden_act": "silu"})";
constexpr const char* kPhi3 =
    R"({"architectures": ["Phi3ForCausalLM"], "model_type": "phi3", "hidden_size": 1536, "intermediate_size": 4096,
        "num_attention_heads": 16, "num_key_value_heads": 8, "num_hidden_layers": 4, "vocab_size": 8192,
        "max_position_embeddings": 131072, "original_max_position_embeddings": 131072, "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0, "hidden_act": "silu"})";
constexpr const char* kGemma2 =
    R"({"architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2", "hidden_size": 1152, "intermediate_size": 4608,
        "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "num_hidden_layers": 4, "vocab_size": 8192,
        "max_position_embeddings": 131072, "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "query_pre_attn_scalar": 256,
        "sliding_window": 4096, "attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0,
        "hidden_activation": "gelu_pytorch_tanh"})";

constexpr Taken kTaken[] = {
    {kTiny, "float32", 512, 1, 831'520'768},       {k135m, "float32", 4096, 1, 982'515'712},
    {k135m, "float32", 32768, 1, 1'678'770'176},   {k135m, "bfloat16", 131072, 1, 2'286'944'256},
    {k135m, "float16", 8192, 1, 974'127'104},      {k135m, "float32", 1024, 8, 917'504'000},
    {k135m, "bfloat16", 8192, 1, 993'001'472},     {k1b, "float32", 8192, 1, 2'192'572'416},
    {k1b, "bfloat16", 8192, 1, 1'540'358'144},     {k1b, "bfloat16", 32768, 1, 2'844'786'688},
    {k1b, "bfloat16", 131072, 1, 3'446'669'312},   {k8b, "bfloat16", 8192, 1, 2'540'699'648},
    {k8b, "bfloat16", 32768, 1, 4'954'521'600},    {k8b, "bfloat16", 131072, 1, 6'986'661'888},
    {kQwen3, "bfloat16", 8192, 1, 1'261'436'928},  {kPhi3, "bfloat16", 4096, 1, 1'097'859'072},
    {kGemma2, "bfloat16", 8192, 1, 1'339'031'552},
};

ModelSpec specOf(const char* config) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "config.json") << config;
  return readModelSpec(folder.path());
}

// Goal R8 (tests/sweeps/README.md): within 8 %, at most 12 %.
TEST(GpuMemory, ForecastIsCloseToMeasuredMemory) {
  for (const Taken& taken : kTaken) {
    const ModelSpec spec = specOf(taken.config);
    const std::uint64_t forecast = forwardMemory(spec, {taken.tokens * taken.texts, taken.tokens},
                                                 spec.layerCount - 1, {"cuda:0", taken.dtype}, {})
                                       .peakBytes;
    // Two of three captures that attend to keys before a chunk used memory that the third did not.
    const double most = taken.tokens > 32768 ? 0.12 : 0.05;
    EXPECT_NEAR(static_cast<double>(forecast) / static_cast<double>(taken.bytes), 1, most)
        << spec.hidden << " " << taken.dtype << " " << taken.tokens;
  }
}

TEST(GpuMemory, UsesAsManyRowsAsFit) {
  const ModelSpec spec = specOf(k8b);
  const ResolvedDevice card{"cuda:0", "bfloat16"};
  constexpr GroupSize kSize{100'000, 100'000};
  const auto need = [&](std::int64_t rows, bool readAhead) {
    ForwardOptions options;
    options.queryChunk = rows;
    options.readAhead = readAhead;
    return forwardMemory(spec, kSize, 3, card, options).peakBytes;
  };
  struct Expected {
    std::optional<std::uint64_t> free;
    std::int64_t rows;  // 0: the maximum
    bool readAhead, fits;
  };
  const std::uint64_t least = need(2048, false);
  const Expected cases[] = {{std::nullopt, 0, true, true},
                            {need(32768, true), 0, true, true},
                            {need(32768, true) - 1, 8192, true, true},
                            {need(8192, true) - 1, 2048, true, true},
                            {need(2048, true) - 1, 2048, false, true},
                            {least, 2048, false, true},
                            {least - 1, 2048, false, false}};
  for (const Expected& one : cases) {
    const DeviceMemory room{card, one.free};
    const ForwardFit fit = fitForward(spec, kSize, 3, room, {});
    EXPECT_EQ(fit.options.queryChunk, one.rows);
    EXPECT_EQ(fit.options.readAhead, one.readAhead);
    EXPECT_EQ(fit.bytes, need(one.rows, one.readAhead));
    EXPECT_EQ(room.holds(fit.bytes), one.fits);
  }
}

TEST(GpuMemory, KeepsTheRequestedRows) {
  ForwardOptions options;
  options.queryChunk = 8192;
  const ForwardFit fit =
      fitForward(specOf(k1b), {100'000, 100'000}, 3, {{"cuda:0", "bfloat16"}, 1'000'000}, options);
  EXPECT_EQ(fit.options.queryChunk, 8192);
}

}  // namespace
}  // namespace plastiscope
