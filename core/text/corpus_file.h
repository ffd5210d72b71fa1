#pragma once
// One record of a corpus file, and the kinds of files they come from.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/progress.h"

namespace plastiscope {

struct CorpusRecord {
  std::filesystem::path file;
  std::string place;  // "line 12"; empty for a whole file
  Json value;         // an object; for a .txt file a text
};

// Takes a record; false = no more are wanted.
using RecordSink = std::function<bool(CorpusRecord)>;

struct CorpusFormat {
  std::string_view name;
  // "" in the list stands for every other file: plain text.
  std::string_view extension;
  void (*read)(const std::filesystem::path& file, Progress& progress, const RecordSink& sink);
};

// By the extension. InputError for kinds that are known not to be text (archives, documents).
const CorpusFormat& corpusFormatOf(const std::filesystem::path& file);

}  // namespace plastiscope
