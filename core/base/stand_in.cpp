#include "core/base/stand_in.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <span>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"

namespace plastiscope {
namespace {

constexpr std::size_t kLooked = 4096, kShortestMessage = 9, kQuoted = 60;
constexpr std::array<std::string_view, 8> kDataExtensions = {".safetensors", ".gguf", ".model", ".json",
                                                             ".jsonl",       ".h5",   ".bin",   ".parquet"};

struct StandIn {
  std::string_view start;  // in lower case, after leading white space
  bool anyFile;            // recognised in any file, not only in data
  const char* sentence;
};
constexpr const char* kPage =
    "this is a web page, not the file itself (often a login or error page): download the file again, signed "
    "in where "
    "access is restricted";
constexpr const char* kOldGgml =
    "this is a model in GGML's format from before GGUF (August 2023), which is not read: download the model "
    "as GGUF "
    "or safetensors";
constexpr StandIn kStandIns[] = {
    {"version https://git-lfs.github.com/spec/", true,
     "this is a git-lfs pointer, not the file itself: run 'git lfs pull' in its folder or download the file"},
    {"/annex/objects/", true,
     "this is a git-annex pointer, not the file itself: run 'git annex get' on it or download the file"},
    {"# xet version", true, "this is a git-xet pointer, not the file itself: download the file"},
    {"<!doctype html", false, kPage},
    {"<html", false, kPage},
    {"<head", false, kPage},
    {"<?xml", false, kPage},
    {"lmgg", false, kOldGgml},
    {"fmgg", false, kOldGgml},
    {"tjgg", false, kOldGgml},
    {"algg", false, kOldGgml},
};

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return lower;
}

// A short text in place of data: "Entry not found", {"error":"Unauthorized"}.
bool isMessage(std::string_view text, std::string_view lower, const std::string& extension) {
  const bool readable = std::ranges::all_of(text, [](unsigned char letter) {
    return (letter >= ' ' && letter <= '~') || letter == '\n' || letter == '\r' || letter == '\t';
  });
  if (!readable || text.size() < kShortestMessage || text.size() >= kLooked || extension == ".jsonl")
    return false;
  static const std::regex kJsonMessage(R"re(\{\s*"(error|detail|message)"\s*:\s*")re");
  if (std::regex_search(lower.begin(), lower.end(), kJsonMessage, std::regex_constants::match_continuous))
    return true;
  if (extension != ".json") return true;
  static const std::regex kJsonWord("(true|false|null|nan|infinity)\\b");
  return (std::isalpha(static_cast<unsigned char>(lower.front())) != 0 || lower.starts_with("404")) &&
         !std::regex_search(lower.begin(), lower.end(), kJsonWord, std::regex_constants::match_continuous);
}

std::string standIn(std::string_view start, const std::string& extension, bool isData) {
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), start.size()));
  if (start.empty()) return "";
  const std::string lower = lowerCase(start);
  for (const StandIn& known : kStandIns) {
    if ((known.anyFile || isData) && lower.starts_with(known.start)) return known.sentence;
  }
  if (!isData || !isMessage(start, lower, extension)) return "";
  return "this is a message, not the file itself (\"" +
         sanitized(start.substr(0, std::min(start.find_first_of("\r\n"), kQuoted))) +
         "\"): download the file again, signed in where access is restricted";
}

}  // namespace

std::string standInByName(const std::string& name) {
  static const std::regex kUnfinished(R"(.*\.(incomplete|crdownload|aria2|partial|part))", std::regex::icase);
  static const std::regex kPart(
      R"((.*\.(gguf|safetensors|bin))([-._](split|part)[-._]?)([0-9a-z]{1,5}|[0-9]+[-_]?of[-_]?[0-9]+)|)"
      R"((.*\.(gguf|safetensors|bin))(\.)([0-9]{2,3}|a[a-z]))",
      std::regex::icase);
  std::smatch found;
  if (std::regex_match(name, kUnfinished))
    return "the download of this file is unfinished: finish it with the program that started it";
  if (!std::regex_match(name, found, kPart)) return "";
  const bool named = found[1].matched;
  const std::string whole = sanitized(found[named ? 1 : 6].str());
  return "this is one part of a file that was cut into pieces: join all of them in order ('cat " + whole +
         sanitized(found[named ? 3 : 8].str()) + "* > " + whole + "') and open the result";
}

void refuseStandIn(const InputFile& file) {
  const std::string extension = lowerCase(file.path().extension().string());
  refuseStandIn(file, std::ranges::find(kDataExtensions, extension) != kDataExtensions.end());
}

void refuseStandIn(const InputFile& file, bool isData) {
  std::string sentence = standInByName(file.path().filename().string());
  if (sentence.empty()) {
    std::string start(kLooked, '\0');
    start.resize(file.read(0, std::as_writable_bytes(std::span(start))));
    sentence = standIn(start, lowerCase(file.path().extension().string()), isData);
  }
  if (!sentence.empty()) throw InputError({file.path(), "", "", sentence});
}

}  // namespace plastiscope
