#include <algorithm>
#include <cctype>
#include <chrono>
#include <numeric>

#include "core/analysis/settings.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/capture/position_sampler.h"
#include "core/jobs/capture_groups.h"
#include "core/jobs/capture_job.h"
#include "core/jobs/capture_setup.h"

namespace plastiscope {

namespace {

// Asks for one row of `layer`, so that an engine computes up to it, or (-1) for none.
struct TrialSink : QkSink {
  explicit TrialSink(std::int64_t wanted) : layer(wanted) {}
  std::int64_t layer;
  std::vector<std::int32_t> heads(std::int64_t number, QueryOrKey) const override {
    return number == layer ? std::vector<std::int32_t>{0} : std::vector<std::int32_t>{};
  }
  std::vector<std::int32_t> positions(std::int64_t number, QueryOrKey kind, std::int64_t) const override {
    return heads(number, kind);
  }
  bool wants(CapturePoint point) const override { return layer >= 0 && point == CapturePoint::PostRope; }
  void take(std::int64_t, QueryOrKey, CapturePoint, std::int64_t, std::span<const float>) override {}
};

// Measured speed of this computer for this model: time of a run = loading of its layers + flops / rate.
struct Speed {
  double secondsPerLayerLoad = 0, flopsPerSecond = 1;
  double startSeconds = 0;  // once, if the engine keeps the weights
};

constexpr double kTrialSeconds = 1.0;  // of the long run; about two with the short ones
constexpr std::int64_t kShortTrial = 64, kLongestTrial = 8192;

class SpeedTrial {
 public:
  explicit SpeedTrial(const CaptureSetup& setup)
      : m_setup(setup),
        m_lastLayer(std::min<std::int64_t>(2, setup.lastLayer)),
        m_runner(setup.engine->makeRunner(setup.model, m_lastLayer, setup.forward)) {
    const auto longest =
        std::max_element(setup.examples.begin(), setup.examples.end(),
                         [](const auto& a, const auto& b) { return a.tokens.size() < b.tokens.size(); });
    m_longest = longest - setup.examples.begin();
  }

  Speed measure(Progress& progress) {
    const std::int64_t all = tokensIn(texts(kLongestTrial)), few = std::min(kShortTrial, all);
    const double firstSeconds = secondsFor(few, progress);  // loads libraries and starts threads
    const double fewSeconds = secondsFor(few, progress);
    const double startSeconds = m_setup.engine->keepsWeights() ? firstSeconds : 0;
    // Number of tokens for about kTrialSeconds at the rate of the short run, which is the slower one.
    const double growth = std::clamp(kTrialSeconds / std::max(fewSeconds, 1e-4), 1.0, 1e3);
    const std::int64_t many =
        std::clamp(static_cast<std::int64_t>(static_cast<double>(few) * growth), few, all);
    if (many <= 2 * few) return {0, flopsOf(few) / fewSeconds, startSeconds};
    const double manySeconds = secondsFor(many, progress);
    Speed speed;
    speed.startSeconds = startSeconds;
    speed.flopsPerSecond = (flopsOf(many) - flopsOf(few)) / std::max(manySeconds - fewSeconds, 1e-6);
    const double loading = fewSeconds - flopsOf(few) / speed.flopsPerSecond;
    speed.secondsPerLayerLoad = std::max(0.0, loading) / (m_lastLayer + 1);
    return speed;
  }

 private:
  // Texts with that many tokens in all: the longest one and, if it has fewer, those that follow it.
  std::vector<TokenSequence> texts(std::int64_t tokens) const {
    std::vector<TokenSequence> group;
    for (std::size_t i = 0; i < m_setup.examples.size() && tokens > 0; ++i) {
      const std::size_t example = (m_longest + i) % m_setup.examples.size();
      const std::vector<std::int32_t>& all = m_setup.examples[example].tokens;
      const std::int64_t count = std::min(tokens, std::ssize(all));
      group.push_back({static_cast<std::int64_t>(example), {all.begin(), all.begin() + count}});
      tokens -= count;
    }
    return group;
  }

  static std::int64_t tokensIn(const std::vector<TokenSequence>& group) {
    std::int64_t tokens = 0;
    for (const TokenSequence& text : group) tokens += std::ssize(text.tokens);
    return tokens;
  }

  double flopsOf(std::int64_t tokens) const {
    std::vector<TextSize> sizes;
    for (const TokenSequence& text : texts(tokens)) sizes.emplace_back(std::ssize(text.tokens), 0);
    return m_setup.engine->flops(m_setup.model->spec, sizes, m_lastLayer);
  }

  double secondsFor(std::int64_t tokens, Progress& progress) {
    TrialSink sink(m_setup.engine->keepsWeights() ? m_lastLayer : -1);
    const std::vector<TokenSequence> group = texts(tokens);
    const auto start = std::chrono::steady_clock::now();
    GroupWatch nobody;
    m_runner->run(group, sink, progress, nobody);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  const CaptureSetup& m_setup;
  std::int64_t m_lastLayer;
  std::unique_ptr<ForwardRunner> m_runner;
  std::ptrdiff_t m_longest = 0;  // index of the longest text
};

double secondsOf(const CaptureSetup& setup, const GroupPlanner& planner,
                 const std::vector<CaptureGroup>& groups, Progress& progress) {
  if (groups.empty()) return 0;  // a part without texts
  const Speed speed = SpeedTrial(setup).measure(progress);
  double seconds = speed.startSeconds;
  for (const auto& group : groups) {
    // The cost that does not depend on the number of tokens arises once per group, in which each layer is
    // loaded, or once per text if the weights stay in memory.
    const auto times = setup.engine->keepsWeights() ? static_cast<double>(group.size()) : 1;
    seconds += planner.flops(group) / speed.flopsPerSecond +
               times * speed.secondsPerLayerLoad * static_cast<double>(setup.lastLayer + 1);
  }
  return seconds;
}

void countHeads(const CaptureSetup& setup, CaptureEstimate& estimate) {
  for (const UnitBlock& block : setup.layout.blocks) {
    if (block.preRopeOfBoth) continue;
    if (block.dense && block.kind == QueryOrKey::Query) estimate.denseHeads += std::ssize(block.heads);
    if (block.dense) continue;
    (block.kind == QueryOrKey::Query ? estimate.heads : estimate.keyHeads) += std::ssize(block.heads);
  }
}

std::string adviceFor(const CaptureSetup& setup, const CaptureEstimate& estimate) {
  std::string advice;
  if (estimate.memoryBytes > estimate.memoryLimit) {
    const std::int64_t window = fittingWindow(setup, estimate.memoryLimit);
    advice = "It needs " + byteText(estimate.memoryBytes) + " of memory, the limit is " +
             byteText(estimate.memoryLimit) +
             (window > 0 ? ": a --window of at most about " + withCommas(window) + " tokens fits."
                         : ": the model does not fit at any window.");
  }
  const auto next = [&advice] { return std::string(advice.empty() ? "It needs " : " It needs "); };
  if (estimate.cardFree && estimate.cardBytes > *estimate.cardFree)
    advice += next() + byteText(estimate.cardBytes) + " of GPU memory, " + byteText(*estimate.cardFree) +
              " are free: choose a shorter --window, " +
              (setup.device.dtype == "float32" ? "a 16-bit --dtype, " : "") + "or --device cpu.";
  if (estimate.diskBytes > estimate.freeDisk) {
    advice += next() + byteText(estimate.diskBytes) + " of disk, " + byteText(estimate.freeDisk) +
              " are free: choose fewer heads, a lower --rate, or another disk.";
  }
  return advice;
}

// An analysis has at least 16 bins and reports bins with too few queries as missing.
std::string cautionForRows(double rowsPerHead) {
  constexpr double kLeastBins = 16, kEnough = 1.5;  // rows are unevenly spread over bins
  const auto needed = static_cast<double>(AnalysisSettings().minQueries);
  const double inBin = rowsPerHead / kLeastBins;
  if (inBin >= kEnough * needed) return {};
  const auto count = [](double value) { return withCommas(static_cast<long long>(value)); };
  return "About " + count(rowsPerHead) + " rows per head are few: a bin of an analysis needs " +
         count(needed) + " queries, and there are at least " + count(kLeastBins) + " bins. " +
         (inBin < needed / 2 ? "There will be no profile and no map" : "Profile and map will have gaps") +
         "; take more or longer texts, or a higher rate.";
}

// Caveats about a window beyond training and, for a whole capture, about too few expected rows.
std::string cautionFor(const CaptureSetup& setup, const CapturePart& part, double rowsPerHead) {
  std::string caution = contextWarning(setup.plan.window, setup.trainedContext);
  if (!caution.empty()) {
    caution.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(caution.front())));
    caution += '.';
  }
  const std::string rows = part.isWhole() ? cautionForRows(rowsPerHead) : "";
  return caution + (caution.empty() || rows.empty() ? "" : " ") + rows;
}

}  // namespace

Json CaptureEstimate::toJson() const {
  Json value = {{"examples", examples},
                {"tokens", tokens},
                {"tokens_after_cut", tokensAfterCut},
                {"heads", heads},
                {"key_heads", keyHeads},
                {"rows_per_head", rowsPerHead},
                {"seconds", seconds},
                {"memory_bytes", memoryBytes},
                {"memory_limit", memoryLimit},
                {"disk_bytes", diskBytes},
                {"file_bytes", fileBytes},
                {"free_disk", freeDisk},
                {"fits", fits},
                {"advice", advice},
                {"caution", caution},
                {"settings", settings}};
  if (cardBytes > 0)
    value.update({{"card_bytes", cardBytes}, {"card_free", cardFree ? Json(*cardFree) : Json()}});
  if (denseHeads > 0) value.update({{"dense_heads", denseHeads}, {"dense_bytes", denseBytes}});
  return value;
}

CaptureEstimate estimateCapture(const CaptureRequest& request, Progress& progress) {
  const CaptureSetup setup = prepareCapture(request, progress);
  CaptureEstimate estimate;
  estimate.settings = setup.settings;
  estimate.examples = std::ssize(setup.examples);
  estimate.tokens = setup.tokensBeforeCut;
  countHeads(setup, estimate);
  const SamplerSettings sampling{setup.plan.window, setup.plan.bucketSize, setup.plan.rate};
  for (const CaptureExample& example : setup.examples) {
    const auto tokens = std::ssize(example.tokens);
    estimate.tokensAfterCut += tokens;
    estimate.rowsPerHead += positionSampler(setup.plan.sampler).expectedRows(sampling, tokens);
    estimate.denseBytes += denseUnitBytes(setup.layout, tokens);
  }
  std::vector<std::int64_t> all(setup.examples.size());
  std::iota(all.begin(), all.end(), 0);
  estimate.memoryLimit = memoryLimitOf(request);
  const GroupPlanner planner(setup);
  const auto groups = planner.all(all, estimate.memoryLimit, progress);
  for (const CaptureGroup& group : groups)
    estimate.memoryBytes = std::max(estimate.memoryBytes, planner.memory(group));
  if (setup.onGpu()) {
    const DeviceMemory room = setup.engine->memoryOn(setup.device);
    estimate.cardFree = room.free;
    for (const CaptureGroup& group : groups)
      estimate.cardBytes = std::max(estimate.cardBytes, planner.gpuMemory(group, room));
  }
  estimate.diskBytes = diskNeed(setup, groups);
  estimate.fileBytes = sealedBytes(setup);
  estimate.freeDisk = freeDiskBytes(request.out.empty() ? std::filesystem::path(".") : request.out);
  estimate.advice = adviceFor(setup, estimate);
  estimate.fits = estimate.advice.empty();
  estimate.caution = cautionFor(setup, request.part, estimate.rowsPerHead);
  // An engine that loads all weights is not tried where they do not fit.
  if (estimate.fits || !setup.engine->keepsWeights())
    estimate.seconds = secondsOf(setup, planner, groups, progress);
  return estimate;
}

}  // namespace plastiscope
