#pragma once
// Opens a model with the engine that will run it.
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/progress.h"
#include "core/model/model.h"
#include "core/transformers/transformers_engine.h"

namespace plastiscope {

struct EngineOptions {
  EngineKind kind = EngineKind::Auto;
  std::string python;      // for transformers; "": the one that findPython() finds
  bool nativeRuns = true;  // false in a program without the native engine
  bool operator==(const EngineOptions&) const = default;
};

struct OpenedModel {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const TransformersEngine> transformers;  // null: the native engine
  std::shared_ptr<const ForwardEngine> engine() const { return transformers ? transformers : nativeEngine(); }
};

// `path`, `ropeOverride` and `followLinks` as for openModel(). Tells `progress` why auto chose transformers.
// InputError of openModel() if no engine opens the model, with what is missing for transformers.
OpenedModel openWithEngine(const std::filesystem::path& path, const EngineOptions& options,
                           const JsonValue& ropeOverride, bool followLinks, Progress& progress);

}  // namespace plastiscope
