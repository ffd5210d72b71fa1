#include "core/store/qk_sniffer/layout.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <tuple>

#include "core/base/error.h"
#include "core/base/path_text.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr const char* kDataFile = "data.parquet";
constexpr std::size_t kMaxEntries = 100'000;

bool isHeadFolder(const std::string& name) {
  const auto digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(name[i])) != 0; };
  return name.size() == 7 && name[0] == 'l' && digit(1) && digit(2) && name[3] == 'h' && digit(4) &&
         digit(5) && (name[6] == 'q' || name[6] == 'k');
}

// Names of the folders in `folder`, hidden ones left out.
std::vector<std::string> foldersIn(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    if (name.front() == '.' || !entry->is_directory(code)) continue;
    names.push_back(name);
    if (names.size() > kMaxEntries) throw InputError({folder, "", "at most 100,000 folders", "more"});
  }
  if (code) throw InputError({folder, "", "", "the folder cannot be read: " + code.message()});
  std::sort(names.begin(), names.end());
  return names;
}

bool holdsHeads(const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), isHeadFolder);
}

// InputError if a folder looks like a head's but its name has another form.
void requireNames(const fs::path& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (isHeadFolder(name) || !fs::exists(folder / name / kDataFile)) continue;
    throw InputError({folder / name, "name of the folder",
                      "lLLhHHq or lLLhHHk with two digits each, such as l03h07q", name});
  }
}

QkFolder headsOf(const fs::path& folder, const std::vector<std::string>& names) {
  requireNames(folder, names);
  QkFolder result{folder, {}, false, {}};
  for (const std::string& name : names) {
    if (!isHeadFolder(name)) continue;
    const QkHeadFile head{{std::stoll(name.substr(1, 2)), std::stoll(name.substr(4, 2)),
                           name[6] == 'q' ? RowSet::Query : RowSet::Key},
                          folder / name / kDataFile};
    if (!fs::is_regular_file(head.file)) throw InputError({folder / name, "", kDataFile, "no such file"});
    result.heads.push_back(head);
  }
  std::ranges::sort(result.heads, {}, [](const QkHeadFile& head) {
    return std::tuple(head.place.layer, head.place.set, head.place.head);
  });
  return result;
}

}  // namespace

std::string qkFolderName(const RowPlace& place) {
  const auto& [layer, head, set] = place;
  if (layer < 0 || layer > 99 || head < 0 || head > 99) {
    throw InputError("layer " + std::to_string(layer) + ", head " + std::to_string(head) +
                     ": the qk-sniffer layout supports layers and heads from 0 to 99 only");
  }
  char text[16];
  std::snprintf(text, sizeof text, "l%02dh%02d%c", static_cast<int>(layer), static_cast<int>(head),
                set == RowSet::Query ? 'q' : 'k');
  return text;
}

QkFolder openQkFolder(const fs::path& folder) {
  if (!fs::exists(folder)) throw InputError({folder, "", "", "there is no such folder"});
  if (!fs::is_directory(folder))
    throw InputError({folder, "", "a folder in the qk-sniffer layout", "a file"});
  const std::vector<std::string> names = foldersIn(folder);
  if (holdsHeads(names)) {
    QkFolder heads = headsOf(folder, names);
    heads.parent = fs::absolute(folder).lexically_normal().parent_path();
    return heads;
  }
  requireNames(folder, names);
  std::vector<std::string> models;
  for (const std::string& name : names) {
    if (holdsHeads(foldersIn(folder / name))) models.push_back(name);
  }
  if (models.empty())
    throw InputError({folder, "", "folders such as l03h07q and l03h01k with data.parquet", "none"});
  if (models.size() > 1) {
    throw InputError({folder, "", "the captures of one model",
                      std::to_string(models.size()) + " models; give one of their folders, such as " +
                          pathText(folder / models.front())});
  }
  QkFolder heads = headsOf(folder / models.front(), foldersIn(folder / models.front()));
  heads.parent = folder;
  heads.olderLayout = true;
  return heads;
}

}  // namespace plastiscope
