#include "core/jobs/analysis_identity.h"

#include <algorithm>

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/compare/benchmark.h"
#include "core/store/stored_file.h"

namespace plastiscope {

AnalysisSettings resolvedSettings(const AnalysisSettings& settings, const CaptureInfo& info) {
  AnalysisSettings resolved = settings;
  if (resolved.mapCell == 0) resolved.mapCell = info.bucketSize;
  return resolved;
}

std::string settingsHashOf(const AnalysisSettings& resolved) {
  return sha256Hex(canonicalJson(resolved.toJson()));
}

bool isOfThisVersion(const AnalysisProvenance& provenance) {
  return provenance.programVersion == kVersion &&
         std::ranges::all_of(settingList(), [&provenance](const SettingInfo& setting) {
           return setting.leftOut || provenance.settings->contains(setting.name);
         });
}

Json captureFacts(const CaptureInfo& info) {
  Json kinds = Json::array();
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    kinds.push_back({{"layer", layer.layer},
                     {"attention", layer.attention},
                     {"window", layer.window},
                     {"rope", layer.rope},
                     {"query_rows", layer.queryRows},
                     {"key_rows", layer.keyRows}});
    if (layer.ownHeadDim > 0) kinds.back()["head_dim"] = layer.ownHeadDim;
    if (layer.ownKeyHeads > 0) kinds.back()["key_heads"] = layer.ownKeyHeads;
  }
  Json facts{{"model", info.modelName},
             {"architecture", info.architecture},
             {"window", info.window},
             {"bucket_size", info.bucketSize},
             {"sampler", info.sampler},
             {"rate", info.rate},
             {"point", info.point},
             {"layers", info.layers},
             {"query_heads", info.queryHeads},
             {"key_heads", info.keyHeads},
             {"head_dim", info.headDim},
             {"score_scale", info.scoreScale},
             {"rope", info.rope},
             {"examples", info.examples.size()},
             {"created", info.created},
             {"without_vectors", info.withoutVectors},
             {"layer_kinds", kinds}};
  // Interventions on heads, and a part of the texts.
  for (const char* told : {"ablate", "clamp_bias", "part"}) {
    if (info.settings->contains(told)) facts[told] = info.settings[told];
  }
  return facts;
}

bool belongsTo(const AnalysisProvenance& provenance, const CaptureInfo& info) {
  return provenance.captureFingerprint == info.fingerprint &&
         provenance.captureSettingsHash == info.settingsHash && *provenance.capture == captureFacts(info);
}

// ---- inputs of tables

TableSource sourceOf(const CaptureFile& capture) {
  const CaptureInfo& info = capture.info();
  return captureSource(capture.path(), info.fingerprint, info.settingsHash, captureFacts(info));
}

TableSource sourceOfStudy(const std::filesystem::path& path) {
  const StoredFile file(path);
  if (file.kind() == FileType::Other) file.refuse();
  if (file.kind() == FileType::Analysis) return analysisSource(path, file.analysis()->provenance);
  const CaptureInfo& info = file.capture()->info();
  AnalysisProvenance provenance;
  provenance.programVersion = kVersion;
  provenance.captureFingerprint = info.fingerprint;
  provenance.captureSettingsHash = info.settingsHash;
  provenance.capture = captureFacts(info);
  provenance.settingsHash = settingsHashOf(resolvedSettings({}, info));
  return analysisSource(path, provenance);
}

TableSource sourceOfFile(const std::filesystem::path& file) {
  return {pathText(file.filename()), sha256Hex(readFile(file)), file};
}

TableSource sourceOfScores(const std::string& nameOrFile) {
  const std::vector<std::string> shipped = benchmarkNames();
  const bool known = std::find(shipped.begin(), shipped.end(), nameOrFile) != shipped.end();
  return known ? shippedSource(nameOrFile) : sourceOfFile(nameOrFile);
}

TableSource shippedSource(const std::string& name) {
  return {name, name + " " + kVersion, {}};
}

}  // namespace plastiscope
