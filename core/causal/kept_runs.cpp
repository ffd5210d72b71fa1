#include "core/causal/kept_runs.h"

#include <algorithm>
#include <span>

#include "core/base/error.h"
#include "core/base/files.h"

namespace plastiscope {

KeptResults::KeptResults(std::filesystem::path folder, std::string settingsHash)
    : m_folder(std::move(folder)), m_settingsHash(std::move(settingsHash)) {}

std::filesystem::path KeptResults::fileOf(const std::string& step) const {
  return m_folder / (step + ".cbor");
}

Json KeptResults::resultIn(const std::filesystem::path& file) const {
  Json json = Json::from_cbor(readFile(file));
  if (json.at("settings_hash") != m_settingsHash) throw InputError({file, "", "the same settings", "others"});
  return json.at("result");
}

void KeptResults::write(const std::string& step, const Json& result) const {
  const auto bytes = Json::to_cbor({{"settings_hash", m_settingsHash}, {"result", result}});
  writeFileAtomically(fileOf(step), std::as_bytes(std::span(bytes)));
}

void KeptResults::run(const std::string& stage, const std::string& unit, double total,
                      const std::vector<RunStep>& steps, Progress& progress) const {
  ProgressState state{stage, total, total, unit, -1, -1};
  double work = 0, tokens = 0;
  for (const RunStep& step : steps) {
    state.done -= step.units;
    work += step.work;
  }
  progress.started(stage, canonicalJson({{"settings_hash", m_settingsHash}}));
  progress.advanced(state);
  RateMeter meter(work);
  InnerProgress inside(progress);
  try {
    for (const RunStep& step : steps) {
      progress.throwIfStopped();
      step.run(inside);
      meter.add(step.work);
      state.done += step.units;
      tokens += step.tokens;
      if (tokens > 0) state.tokensPerSecond = tokens / std::max(meter.elapsedSeconds(), 1e-9);
      state.etaSeconds = meter.etaSeconds();
      for (const std::string& text : step.finished) progress.unitFinished(text);
      progress.advanced(state);
    }
  } catch (const Stopped&) {
    throw Stopped("stopped on request; finished runs are kept, and the same command continues");
  }
}

}  // namespace plastiscope
