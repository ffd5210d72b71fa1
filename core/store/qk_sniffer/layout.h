#pragma once
// The folders of the qk-sniffer layout (method.md 1.10): ROOT/lLLhHHq and ROOT/lLLhHHk with data.parquet; in
// the older layout below one folder per model.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/store/capture_file.h"

namespace plastiscope {

struct QkHeadFile {
  std::int64_t layer = 0, head = 0;
  RowSet set = RowSet::Query;  // or Key
  std::filesystem::path file;
  std::string name() const;  // "l03h07q"
};

struct QkFolder {
  std::filesystem::path path;     // what holds the head folders
  std::filesystem::path parent;   // what holds `path`; in the older layout _saver_state.json is there
  bool olderLayout = false;       // the given folder holds the model's folder
  std::vector<QkHeadFile> heads;  // by layer, queries before keys, head
};

// "l03h07q". InputError above 99: the layout has two digits.
std::string qkFolderName(std::int64_t layer, std::int64_t head, RowSet set);

// `folder`: the root of either layout, or one model's folder of the older one. InputError: no head folders, a
// folder with data.parquet whose name is of another form, a head folder without it, several models.
QkFolder openQkFolder(const std::filesystem::path& folder);

}  // namespace plastiscope
