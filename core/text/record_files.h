#pragma once
// Files of records (benchmarks, corpora) on this computer: those of a folder, and the data sets that other
// programs have fetched.
#include <filesystem>
#include <string>
#include <vector>

namespace plastiscope {

// A file as itself, of a folder those that hold records, three folders deep. InputError when there is none.
std::vector<std::filesystem::path> recordFilesOf(const std::filesystem::path& place);

struct FoundRecords {
  std::string name;             // "caskcsg/LongBench-Pro"
  std::filesystem::path place;  // the file, or the folder where there are several
  std::size_t files = 0;
};
// Data sets of the Hugging Face cache (hubCacheFolder(), HF_DATASETS_CACHE, HF_HOME) with files of records:
// long-context benchmarks first, then by name.
std::vector<FoundRecords> findRecords();

}  // namespace plastiscope
