// Chooses the weight file of a path; the only code that knows the layouts of model folders.
#include <algorithm>
#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/stand_in.h"
#include "core/weights/gguf.h"
#include "core/weights/safetensors.h"
#include "core/weights/weight_files.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

std::vector<std::string> fileNames(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    names.push_back(entry->path().filename().string());
  }
  if (code) throw InputError({folder, "", "", "the folder cannot be read: " + code.message()});
  std::sort(names.begin(), names.end());
  return names;
}

// Unsupported files with an explanation and a remedy; the first match applies.
enum class Of { Both, Folder, File };  // a folder with such a file, a file opened by its path
struct Refusal {
  std::string_view begin, end;  // of a file name
  const char* sentence;
  Of of = Of::Both;
};
constexpr const char* kPickled =
    "the weights are pickled (PyTorch's .bin, .pt, .pth or .ckpt), which can run code when read: convert "
    "them to safetensors with transformers' save_pretrained and open that folder";
constexpr const char* kAdapter =
    "this is an adapter without its model: merge it into the model it was trained on and open the merged "
    "folder";
constexpr const char* kConsolidated =
    "only consolidated* in the publisher's own layout is here: download the Hugging Face files of the model "
    "(config.json, model*.safetensors) as well";
constexpr const char* kOtherProgram =
    "the weights are those of another program (TensorFlow, Flax, ONNX): download the model's safetensors "
    "files or a GGUF file";
constexpr Refusal kRefusals[] = {
    {"pytorch_model", ".bin", kPickled},
    {"pytorch_model", ".bin.index.json", kPickled},
    {"adapter_config", ".json", kAdapter},
    {"checkpoint-", "", "the model is in the checkpoints of this training run: open one of these folders",
     Of::Folder},
    {"zero_to_fp32", ".py",
     "this is a DeepSpeed checkpoint: convert it with its zero_to_fp32.py (--safe_serialization) and open "
     "the result",
     Of::Folder},
    {"adapter_model", ".safetensors", kAdapter},
    {"adapter_model", ".bin", kAdapter},
    {"model-", ".safetensors",
     "there are shards but no model.safetensors.index.json, which lists their tensors: download it too",
     Of::Folder},
    {"consolidated", ".safetensors", kConsolidated},
    {"consolidated", ".pth", kConsolidated},
    {"", ".gguf",
     "there are several GGUF files, or GGUF files beside the configuration: open one of them by its own path",
     Of::Folder},
    {"", ".safetensors",
     "there is neither model.safetensors nor model.safetensors.index.json: open a file by its path",
     Of::Folder},
    {"model", ".bin", kPickled},
    {"model", ".pt", kPickled},
    {"model", ".pth", kPickled},
    {"", ".bin", kPickled, Of::File},  // training leaves such files in folders, too
    {"", ".pt", kPickled, Of::File},
    {"", ".pth", kPickled, Of::File},
    {"", ".ckpt", kPickled},
    {"", ".h5", kOtherProgram},
    {"", ".msgpack", kOtherProgram},
    {"", ".onnx", kOtherProgram},
};

bool fits(const Refusal& refusal, const std::string& name) {
  return name.starts_with(refusal.begin) && name.ends_with(refusal.end);
}

[[noreturn]] void refuseFolder(const fs::path& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const std::string part = standInByName(name);
    if (!part.empty()) throw InputError({folder / name, "", "", part});
  }
  for (const Refusal& refusal : kRefusals) {
    if (refusal.of == Of::File) continue;
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const auto& name) { return fits(refusal, name); });
    if (found != names.end()) throw InputError({folder / *found, "", "", refusal.sentence});
  }
  throw InputError({folder, "", "",
                    "there are no weights in this folder: expected model.safetensors, "
                    "model.safetensors.index.json or a .gguf file"});
}

void refuseFile(const fs::path& file) {
  for (const Refusal& refusal : kRefusals) {
    if (refusal.of != Of::Folder && fits(refusal, file.filename().string()))
      throw InputError({file, "", "", refusal.sentence});
  }
}

bool tooShortForGguf(const fs::path& file) {
  std::error_code code;
  const auto bytes = fs::file_size(file, code);
  return !code && bytes < 4;
}

// The only GGUF model; for a split model its first part.
fs::path onlyGguf(const fs::path& folder, std::vector<std::string> names) {
  std::erase_if(names, [](const std::string& name) { return !isGgufModelName(name); });
  return names.size() == 1 ? folder / names.front() : fs::path();
}

}  // namespace

WeightFile weightFileOf(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) throw InputError({path, "", "", "there is no such file or folder"});
  if (!fs::is_directory(status)) {
    if (const std::string part = standInByName(path.filename().string()); !part.empty())
      throw InputError({path, "", "", part});
    if (looksLikeGguf(path)) return {WeightKind::Gguf, path};
    refuseStandIn(InputFile(path), true);
    refuseFile(path);
    if (path.filename().string().ends_with(".safetensors.index.json")) return {WeightKind::ShardIndex, path};
    if (path.extension() == ".safetensors") return {WeightKind::Safetensors, path};
    if (path.extension() == ".gguf")
      throw InputError(tooShortForGguf(path) ? Fault{path, "", "", cutShort(fs::file_size(path, code), 4)}
                                             : Fault{path, "", "a GGUF file, which begins with GGUF",
                                                     "\"" + sanitized(readStart(path, 4)) + "\""});
    throw InputError({path, "", "a model folder, a .safetensors file or a GGUF file",
                      "a file named " + sanitized(path.filename().string())});
  }
  if (fs::exists(path / "model.safetensors", code))
    return {WeightKind::Safetensors, path / "model.safetensors"};
  if (fs::exists(path / "model.safetensors.index.json", code)) {
    return {WeightKind::ShardIndex, path / "model.safetensors.index.json"};
  }
  const std::vector<std::string> names = fileNames(path);
  if (!fs::exists(path / "config.json", code)) {
    const fs::path gguf = onlyGguf(path, names);
    if (!gguf.empty()) return {WeightKind::Gguf, gguf};
  }
  refuseFolder(path, names);
}

std::shared_ptr<const TensorSource> openTensors(const fs::path& path, bool followLinks) {
  const WeightFile weights = weightFileOf(path);
  switch (weights.kind) {
    case WeightKind::Gguf:
      return openGguf(weights.file);
    case WeightKind::ShardIndex:
      return openShardedSafetensors(weights.file, followLinks);
    case WeightKind::Safetensors:
      break;
  }
  return openSafetensors(weights.file);
}

}  // namespace plastiscope
