#pragma once
// Everything that is known about a qk-sniffer data set before it is imported, and what the capture file says
// about itself because of it.
#include <filesystem>
#include <limits>
#include <optional>

#include "core/model/model_spec.h"
#include "core/store/capture_file.h"
#include "core/store/qk_sniffer/capture_facts.h"
#include "core/store/qk_sniffer/import_index.h"
#include "core/store/qk_sniffer/qk_import.h"
#include "core/store/qk_sniffer/saver_state.h"

namespace plastiscope {

struct ImportSources {
  // Reads what lies beside the rows, and the model folder where one was given. The arguments must outlive it.
  ImportSources(const QkImportRequest& request, const QkFolder& folder, const QkIndex& index,
                Progress& progress);

  const QkImportRequest& request;
  const QkFolder& folder;
  const QkIndex& index;
  Progress& progress;
  SaverState state;
  CaptureFacts facts;
  std::filesystem::path modelPath;  // empty without --model
  std::optional<ModelSpec> spec;
};

inline constexpr std::int64_t kMostImportPositions = std::numeric_limits<std::int32_t>::max();
inline constexpr const char* kUnknownFact = "unknown";

// import_model.cpp: names, counts of layers and heads, score scale. InputError where a head has no keys.
void fillModel(CaptureInfo& info, const ImportSources& from);
// Order of sources: options for what only they or the data set can say (window, sampler, RoPE), else the
// model folder, plastiscope.json, _saver_state.json or README.md, and last what follows from the rows. Counts
// of heads: model folder, data set, options, largest index + 1. UsageError where the window or the buckets
// are not known.
CaptureInfo importedInfo(const QkImportRequest& request, const QkFolder& folder, const QkIndex& index,
                         Progress& progress);

}  // namespace plastiscope
