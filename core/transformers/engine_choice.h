#pragma once
// Opens a model with the engine that will run it.
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/progress.h"
#include "core/model/model.h"
#include "core/transformers/transformers_engine.h"

namespace plastiscope {

struct EngineWish {
  EngineKind kind = EngineKind::Auto;
  std::string python;      // for transformers; "": those of findPython()
  bool nativeRuns = true;  // false in a program without the native engine
  bool operator==(const EngineWish&) const = default;
};

struct OpenedModel {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const TransformersEngine> transformers;  // null: the native engine
};

// `path`, `ropeOverride` and `followLinks` as for openModel(). Tells `progress` why auto chose transformers.
// InputError of openModel() if no engine opens the model, with what is missing for transformers.
OpenedModel openWithEngine(const std::filesystem::path& path, const EngineWish& wish,
                           const JsonValue& ropeOverride, bool followLinks, Progress& progress);

}  // namespace plastiscope
