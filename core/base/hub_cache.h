#pragma once
// The cache that Hugging Face's programs share on a computer: KIND--ORG--NAME/{refs,blobs,snapshots/HASH},
// KIND being models or datasets. Unreadable places are passed over.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace plastiscope {

// The folder that an environment variable names, "~" in front standing for the home folder; empty when it is
// not set.
std::filesystem::path folderFrom(const char* variable);
// `folder` / `name`; empty when there is no folder.
std::filesystem::path below(const std::filesystem::path& folder, const char* name);
std::filesystem::path firstOf(std::initializer_list<std::filesystem::path> folders);  // that is not empty
// XDG_CACHE_HOME or ~/.cache.
std::filesystem::path userCacheFolder();
// HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME/hub, or huggingface/hub in the user's cache.
std::filesystem::path hubCacheFolder();

std::vector<std::filesystem::path> foldersIn(const std::filesystem::path& folder);  // by name

// Entries of a cache of one kind, by name.
std::vector<std::filesystem::path> hubEntries(const std::filesystem::path& cache, const std::string& kind);
// ".../models--ORG--NAME" -> "ORG/NAME".
std::string nameOfHubEntry(const std::filesystem::path& entry);
// Hash of a snapshot -> the branches or tags that mean it.
std::map<std::string, std::vector<std::string>> hubRefsOf(const std::filesystem::path& entry);
// The snapshot that refs/main (else the only snapshot) means; empty when there is none.
std::filesystem::path mainSnapshotOf(const std::filesystem::path& entry);

}  // namespace plastiscope
