#pragma once
// Finds files of records (benchmarks, corpora): in a folder, and among downloaded data sets.
#include <filesystem>
#include <string>
#include <vector>

namespace plastiscope {

// `place` itself if it is a file, else its files of records, up to three folders deep. InputError when there
// is none.
std::vector<std::filesystem::path> recordFilesOf(const std::filesystem::path& place);

struct FoundRecords {
  std::string name;             // "caskcsg/LongBench-Pro"
  std::filesystem::path place;  // the file, or the folder of several
  std::size_t files = 0;
};
// Data sets with files of records in the Hugging Face caches (hubCacheFolder(), HF_DATASETS_CACHE, HF_HOME):
// long-context benchmarks first, then by name.
std::vector<FoundRecords> findRecords();

}  // namespace plastiscope
