#include "core/weights/sharded.h"

#include <algorithm>
#include <map>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/weights/safetensors.h"
#include "core/weights/tensor_directory.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxIndexBytes = 100'000'000;
constexpr std::size_t kMaxShards = 4096;
constexpr std::size_t kMaxFileName = 255;

using TensorsOfShard =
    std::map<std::string, std::vector<std::string>>;  // shard file name -> tensor names, sorted

bool isPlainShardName(const std::string& name) {
  constexpr std::string_view kEnding = ".safetensors";
  return name.size() > kEnding.size() && name.size() <= kMaxFileName && name.ends_with(kEnding) &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos && name.front() != '.';
}

TensorsOfShard readIndex(const fs::path& index) {
  const Json root = parseJson(readFile(index, kMaxIndexBytes), index, true);
  if (!root.is_object() || !root.contains("weight_map") || !root["weight_map"].is_object()) {
    throw InputError({index, "", "an object with \"weight_map\"", "none"});
  }
  TensorsOfShard shards;
  for (const auto& [tensor, shard] : root["weight_map"].items()) {
    if (!shard.is_string() || !isPlainShardName(shard.get_ref<const std::string&>())) {
      throw InputError({index, "weight_map of " + sanitized(tensor),
                        "a plain file name ending in .safetensors", sanitized(canonicalJson(shard))});
    }
    shards[shard.get<std::string>()].push_back(tensor);
  }
  if (shards.empty()) throw InputError({index, "weight_map", "at least one tensor", "none"});
  if (shards.size() > kMaxShards) {
    throw InputError({index, "weight_map", "at most " + std::to_string(kMaxShards) + " shards",
                      std::to_string(shards.size())});
  }
  return shards;
}

bool isInside(const fs::path& file, const fs::path& folder) {
  const auto [end, unused] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

// The shard really lies in the model folder, or in the `blobs` folder of the cache entry that holds the
// snapshot.
void checkConfined(const fs::path& shard, const fs::path& folder) {
  std::error_code code;
  const fs::path real = fs::canonical(shard, code);
  if (code) throw InputError({shard, "", "", "cannot be opened: " + code.message()});
  const fs::path realFolder = fs::canonical(folder);
  const bool inSnapshot = realFolder.parent_path().filename() == "snapshots";
  const fs::path blobs = realFolder.parent_path().parent_path() / "blobs";
  if (!isInside(real, realFolder) && !(inSnapshot && isInside(real, blobs))) {
    throw InputError({shard, "", "a file inside the model folder", "a link to " + pathText(real)});
  }
}

// The tensors of one shard that the index assigns to it, in file order.
std::vector<TensorInfo> listedTensors(const ByteSource& shard, const std::vector<std::string>& listed) {
  std::vector<TensorInfo> tensors = readSafetensorsDirectory(shard);
  std::erase_if(tensors, [&](const TensorInfo& tensor) {
    return !std::binary_search(listed.begin(), listed.end(), tensor.name);
  });
  if (tensors.size() == listed.size()) return tensors;
  for (const std::string& name : listed) {
    const bool present =
        std::any_of(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == name; });
    if (!present)
      throw InputError({shard.path(), "tensor " + sanitized(name), "present, as the index says", "none"});
  }
  return tensors;
}

}  // namespace

std::shared_ptr<const TensorSource> openShardedSafetensors(const fs::path& index) {
  const fs::path folder = index.has_parent_path() ? index.parent_path() : fs::path(".");
  TensorDirectory directory;
  for (const auto& [name, tensors] : readIndex(index)) {
    checkConfined(folder / name, folder);
    const auto file = openBytes(folder / name);
    directory.add(file, listedTensors(*file, tensors));
  }
  return std::make_shared<const DirectorySource>(folder, std::move(directory));
}

}  // namespace plastiscope
