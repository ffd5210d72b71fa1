#include "core/transformers/engine_choice.h"

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/model/model_card.h"
#include "core/transformers/python_finder.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

OpenedModel opened(TransformersEngine::Opened parts) {
  return {std::move(parts.model), std::move(parts.engine)};
}

OpenedModel openByTransformers(const fs::path& path, const EngineOptions& options, const JsonValue& rope,
                               bool followLinks, Progress& progress) {
  const std::optional<FolderFacts> folder = readFolderFacts(path);
  if (!folder) {
    throw InputError(
        {path, "", "a model folder with a config.json that states a model_type, for the engine transformers",
         path.extension() == ".gguf" ? "a GGUF file" : "none"});
  }
  const std::optional<fs::path> python = findPython(options.python);
  if (!python) {
    const std::string tried = options.python.empty() ? "no Python" : sanitized(options.python);
    throw UsageError(tried +
                     (options.python.empty() ? " with torch and transformers was found"
                                             : " is not a Python with torch and transformers") +
                     ": " + kPythonAdvice);
  }
  return opened(TransformersEngine::open(*python, *folder, rope, followLinks, "", progress));
}

// InputError with the advice if the native engine refuses the configuration.
void requireConfig(const fs::path& path, const std::string& advice) {
  try {
    readModelSpec(path);
  } catch (const InputError& error) {
    throw InputError(std::string(error.what()) + "; " + advice);
  }
}

}  // namespace

OpenedModel openWithEngine(const fs::path& path, const EngineOptions& options, const JsonValue& ropeOverride,
                           bool followLinks, Progress& progress) {
  if (options.kind == EngineKind::Transformers)
    return openByTransformers(path, options, ropeOverride, followLinks, progress);
  if (options.kind == EngineKind::Native) return {openModel(path, ropeOverride, followLinks), nullptr};
  const std::optional<FolderFacts> folder = readFolderFacts(path);
  const bool known = !folder || folder->known;
  OpenedModel model;
  if (known) {
    if (folder && ropeOverride->is_null())
      requireConfig(path, "the engine transformers may open it (--engine transformers)");
    model.model = openModel(path, ropeOverride, followLinks);
  }
  if (!folder || (known && options.nativeRuns)) return model;
  const std::optional<fs::path> python = findPython(options.python);
  if (!python && !known) requireConfig(path, kPythonAdvice);
  if (!python) return model;
  const std::string reason = known ? "this program has no native engine"
                                   : "the native engine does not know " + sanitized(folder->modelType);
  model = opened(TransformersEngine::open(*python, *folder, ropeOverride, followLinks, reason, progress));
  progress.told("engine " + engineText(model.model->engine));
  return model;
}

}  // namespace plastiscope
