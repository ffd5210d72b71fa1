#include "core/store/qk_sniffer/import_info.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/model/model.h"
#include "core/model/rope_settings.h"
#include "core/store/qk_sniffer/capture_metadata.h"
#include "core/store/qk_sniffer/import_sources.h"

namespace plastiscope {

namespace {

void fillRope(CaptureInfo& info, const ImportSources& from) {
  if (!from.request.rope->is_null()) {
    try {
      const std::int64_t positions = info.contextLength > 0 ? info.contextLength : info.window;
      info.rope = readRope(normalRopeSettings(from.request.rope, "--rope"),
                           {"--rope", info.headDim, positions, 0, {}})
                      .toJson();
    } catch (const InputError& error) {
      throw UsageError(error.what());
    }
  } else if (from.spec) {
    info.rope = ropeJson(from.spec->ropes);
  } else if (const auto rope = from.facts.model.object("rope")) {
    info.rope = *rope;
  } else {
    info.rope = Json{{"rope_type", kUnknownFact}};
    from.progress.warned("the RoPE settings are not known; --model or --rope would tell them");
  }
}

// Lengths of texts are not in the layout: the last row of an example is then taken as its end.
void fillExamples(CaptureInfo& info, const ImportSources& from) {
  std::vector<std::int64_t> tokens(from.index.exampleIds.size(), 1);
  for (const auto& [key, shared] : from.index.shared) {
    for (std::size_t i = 0; i < shared.rows.position.size(); ++i) {
      std::int64_t& length = tokens[static_cast<std::size_t>(shared.rows.example[i])];
      length = std::max<std::int64_t>(length, shared.rows.position[i] + std::int64_t{1});
    }
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::int32_t id = from.index.exampleIds[i];
    CaptureExampleInfo example{std::to_string(id), id, tokens[i], ""};
    if (const auto facts = from.facts.examples.find(id); facts != from.facts.examples.end()) {
      example.seedId = facts->second.seedId;
      example.tokens = std::clamp(facts->second.tokens, tokens[i], info.window);
      example.sha256 = facts->second.sha256;
    }
    info.examples.push_back(example);
  }
}

std::string digestOfRows(const QkIndex& index) {
  Sha256 hash;
  for (const auto& [key, shared] : index.shared) {
    for (const auto* column : {&shared.rows.position, &shared.rows.example, &shared.rows.bucket}) {
      hash.add(std::as_bytes(std::span(*column)));
    }
  }
  hash.add(std::as_bytes(std::span(index.exampleIds)));
  return hash.hex();
}

void fillSettings(CaptureInfo& info, const ImportSources& from) {
  Json settings = {{"import", "qk-sniffer"},
                   {"model", info.modelName},
                   {"window", info.window},
                   {"sampler", info.sampler},
                   {"bucket_size", info.bucketSize},
                   {"rate", info.rate},
                   {"point", info.point},
                   {"store", "float32"},
                   {"examples", info.examples.size()},
                   {"rows_sha256", digestOfRows(from.index)},
                   {kSourceMetadata, from.state.metadata}};
  info.settings = settings;
  info.settings.set(kSourceMetadata, captureMetadata(info, info.point));
  info.settingsHash = sha256Hex(canonicalJson(info.settings));
}

}  // namespace

ImportSources::ImportSources(const QkImportRequest& asked, const QkFolder& data, const QkIndex& rows,
                             Progress& told)
    : request(asked),
      folder(data),
      index(rows),
      progress(told),
      state(readSaverState(data)),
      facts(readCaptureFacts(data.path)) {
  if (request.model.empty()) return;
  modelPath = resolveModelPath(request.model);
  spec = readModelSpec(modelPath);
}

CaptureInfo importedInfo(const QkImportRequest& request, const QkFolder& folder, const QkIndex& index,
                         Progress& progress) {
  const ImportSources from(request, folder, index, progress);
  CaptureInfo info;
  info.programVersion = kVersion;
  for (const auto fill :
       {fillModel, fillWindow, fillSampling, fillLayers, fillRope, fillExamples, fillSettings})
    fill(info, from);
  return info;
}

}  // namespace plastiscope
