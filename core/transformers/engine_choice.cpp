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

}  // namespace

OpenedModel openWithEngine(const fs::path& path, const EngineOptions& options, const JsonValue& ropeOverride,
                           bool followLinks, Progress& progress) {
  if (options.kind == EngineKind::Transformers)
    return openByTransformers(path, options, ropeOverride, followLinks, progress);
  const auto native = [&] { return OpenedModel{openModel(path, ropeOverride, followLinks), nullptr}; };
  if (options.kind == EngineKind::Native) return native();
  const std::optional<FolderFacts> folder = readFolderFacts(path);
  if (!folder) return native();
  const bool known = folder->known;
  if (known && !ropeOverride->is_null()) return native();  // the override may replace what would be refused
  std::string refusal;
  try {
    readModelSpec(path);
    if (options.nativeRuns) return native();
  } catch (const InputError& error) {
    refusal = error.what();
  }
  const std::optional<fs::path> python = findPython(options.python);
  if (!python && !refusal.empty() && !known) throw InputError(refusal + "; " + kPythonAdvice);
  if (!python) return native();
  const std::string reason = refusal.empty() ? "this program has no native engine"
                             : known         ? refusal
                                     : "the native engine does not know " + sanitized(folder->modelType);
  try {
    OpenedModel model =
        opened(TransformersEngine::open(*python, *folder, ropeOverride, followLinks, reason, progress));
    progress.told("engine " + engineText(model.model->engine));
    return model;
  } catch (const InputError&) {
    if (!known) throw;
    return native();  // which says what is wrong with it
  }
}

}  // namespace plastiscope
