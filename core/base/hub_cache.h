#pragma once
// The Hugging Face cache: KIND--ORG--NAME/{refs,blobs,snapshots/HASH}, where KIND is models or datasets.
// Unreadable folders and files are skipped.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace plastiscope {

// The folder named by an environment variable, with a leading "~" expanded; empty when it is not set.
std::filesystem::path folderFrom(const char* variable);
// `folder` / `name`; empty when `folder` is empty.
std::filesystem::path below(const std::filesystem::path& folder, const char* name);
std::filesystem::path firstOf(std::initializer_list<std::filesystem::path> folders);  // not empty
// XDG_CACHE_HOME or ~/.cache.
std::filesystem::path userCacheFolder();
// HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME/hub, or huggingface/hub in the user's cache.
std::filesystem::path hubCacheFolder();

std::vector<std::filesystem::path> foldersIn(const std::filesystem::path& folder);  // sorted by name

// Entries of one kind in a cache, sorted by name.
std::vector<std::filesystem::path> hubEntries(const std::filesystem::path& cache, const std::string& kind);
// ".../models--ORG--NAME" -> "ORG/NAME".
std::string nameOfHubEntry(const std::filesystem::path& entry);
// Snapshot hash -> names of the branches and tags that point to it.
std::map<std::string, std::vector<std::string>> hubRefsOf(const std::filesystem::path& entry);
// The snapshot of refs/main, else the only snapshot; empty when there is none.
std::filesystem::path mainSnapshotOf(const std::filesystem::path& entry);

}  // namespace plastiscope
