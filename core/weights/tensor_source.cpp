#include "core/weights/tensor_source.h"

#include <algorithm>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/stand_in.h"
#include "core/weights/gguf.h"
#include "core/weights/safetensors.h"
#include "core/weights/tensor_type.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kBytesAtOnce = 1 << 18;  // fits in the L2 cache

// Copies the overlap of [begin, begin + values.size()) with [first, first + out.size()).
void copyOverlap(std::int64_t begin, std::span<const float> values, std::int64_t first,
                 std::span<float> out) {
  const std::int64_t from = std::max(begin, first);
  const std::int64_t to = std::min(begin + std::ssize(values), first + std::ssize(out));
  std::copy_n(values.begin() + (from - begin), to - from, out.begin() + (from - first));
}

}  // namespace

void dequantize(TensorType type, std::int64_t first, std::span<float> out,
                const std::function<void(std::uint64_t offset, std::span<std::byte>)>& read) {
  const TensorFormat& format = formatOf(type);
  const std::int64_t blockElements = format.blockElements;
  if (type == TensorType::F32) {
    read(static_cast<std::uint64_t>(first) * sizeof(float), std::as_writable_bytes(out));
    return;
  }
  const std::int64_t end = first + std::ssize(out);
  const std::int64_t endBlock = (end + blockElements - 1) / blockElements;
  const std::int64_t mostBlocks =
      std::min(kBytesAtOnce / format.blockBytes, endBlock - first / blockElements);
  std::vector<std::byte> bytes(static_cast<std::size_t>(mostBlocks * format.blockBytes));
  std::vector<float> whole;
  for (std::int64_t block = first / blockElements; block < endBlock; block += mostBlocks) {
    const std::int64_t blocks = std::min(mostBlocks, endBlock - block);
    const std::int64_t begin = block * blockElements;
    read(static_cast<std::uint64_t>(block * format.blockBytes),
         std::span(bytes).first(static_cast<std::size_t>(blocks * format.blockBytes)));
    if (begin >= first && begin + blocks * blockElements <= end) {
      format.toFloat32(bytes.data(), blocks, out.data() + (begin - first));
    } else {
      whole.resize(static_cast<std::size_t>(blocks * blockElements));
      format.toFloat32(bytes.data(), blocks, whole.data());
      copyOverlap(begin, whole, first, out);
    }
  }
}

std::string shapeText(std::span<const std::int64_t> shape) {
  return "[" + joined(shape, [](std::int64_t size) { return std::to_string(size); }, ",") + "]";
}

std::int64_t TensorInfo::elements() const {
  return elementCount(shape).value_or(0);
}

const TensorInfo* TensorSource::find(std::string_view name) const {
  const auto& all = tensors();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const TensorInfo& tensor) { return tensor.name == name; });
  return found == all.end() ? nullptr : &*found;
}

void TensorSource::readValues(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const {
  dequantize(tensor.type, first, out,
             [&](std::uint64_t offset, std::span<std::byte> bytes) { readBytes(tensor, offset, bytes); });
}

void readFloat32(const TensorSource& source, const TensorInfo& tensor, std::span<float> out) {
  readFloat32Rows(source, tensor, 0, tensor.shape.empty() ? 1 : tensor.shape.front(), out);
}

void readFloat32Rows(const TensorSource& source, const TensorInfo& tensor, std::int64_t firstRow,
                     std::int64_t rows, std::span<float> out) {
  const std::int64_t allRows = tensor.shape.empty() ? 1 : tensor.shape.front();
  if (firstRow < 0 || rows < 0 || firstRow > allRows || rows > allRows - firstRow) {
    throw Error(ErrorKind::Internal, tensor.name + ": rows outside the tensor are asked for");
  }
  const std::int64_t rowElements = allRows == 0 ? 0 : tensor.elements() / allRows;
  if (static_cast<std::int64_t>(out.size()) != rows * rowElements) {
    throw Error(ErrorKind::Internal, tensor.name + ": " + std::to_string(rows * rowElements) +
                                         " values do not fit a buffer of " + std::to_string(out.size()));
  }
  if (!out.empty()) source.readValues(tensor, firstRow * rowElements, out);
}

// ---- Chooses the weight file of a path; the only code that knows the layouts of model folders.

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
