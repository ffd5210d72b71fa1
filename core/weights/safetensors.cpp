#include "core/weights/safetensors.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMaxHeader = 100'000'000;
constexpr std::size_t kMaxSafetensorsRank = 64;

std::string headerOf(const ByteSource& file) {
  if (file.size() < 8) {
    throw InputError({file.path(), "", "", cutShort(file.size(), 8)});
  }
  std::uint64_t length = 0;
  file.read(0, std::as_writable_bytes(std::span(&length, 1)));
  if (length > kMaxHeader) {
    throw InputError({file.path(), "header length", "at most 100,000,000", std::to_string(length)});
  }
  if (length > file.size() - 8) {
    throw InputError({file.path(), "header", "", cutShort(file.size(), 8 + length)});
  }
  std::string header(length, '\0');
  file.read(8, std::as_writable_bytes(std::span(header)));
  return header;
}

// Checks a declared tensor on its own.
TensorInfo checked(SafetensorsEntry entry, std::uint64_t dataStart, const std::filesystem::path& file) {
  const std::string place = "tensor " + sanitized(entry.name);
  if (entry.shape.size() > kMaxSafetensorsRank) {
    throw InputError({file, place, "at most 64 dimensions", std::to_string(entry.shape.size())});
  }
  const auto bytes = entry.format ? byteCount(*entry.format, entry.shape) : entry.end - entry.begin;
  if (!bytes) throw InputError({file, place, "a shape whose size fits 63 bits", "a larger one"});
  if (entry.begin > entry.end) {
    throw InputError({file, place, "data_offsets in ascending order",
                      std::to_string(entry.begin) + ", " + std::to_string(entry.end)});
  }
  if (entry.end - entry.begin != *bytes) {
    throw InputError({file, place, std::to_string(*bytes) + " bytes by its shape and type",
                      std::to_string(entry.end - entry.begin) + " by its data_offsets"});
  }
  TensorInfo tensor{std::move(entry.name),
                    TensorType::Other,
                    std::move(entry.shape),
                    *bytes,
                    entry.begin + dataStart,
                    file,
                    nullptr};
  if (entry.format)
    tensor.type = entry.format->type;
  else
    tensor.unread = std::make_shared<const InputError>(
        Fault{file, place, "a type of " + safetensorsTypeNames(), "\"" + sanitized(entry.dtype) + "\""});
  return tensor;
}

// Whether the header of another safetensors file begins at this offset.
bool looksLikeHeader(const ByteSource& file, std::uint64_t at) {
  constexpr std::uint64_t kStart = 10;  // header length and {"
  char start[kStart];
  if (file.size() - at < kStart) return false;
  file.read(at, std::as_writable_bytes(std::span(start)));
  return start[7] == 0 && start[8] == '{' && start[9] == '"';
}

// Checks that the data cover the rest of the file without gaps or overlaps.
void checkCoverage(const std::vector<SafetensorsEntry>& entries, std::uint64_t dataStart,
                   const ByteSource& source) {
  const std::filesystem::path& file = source.path();
  const std::uint64_t dataSize = source.size() - dataStart;
  std::uint64_t reached = 0;
  for (const SafetensorsEntry& entry : entries) {
    if (entry.begin != reached) {
      throw InputError({file, "tensor " + sanitized(entry.name),
                        "data from offset " + std::to_string(reached),
                        "offset " + std::to_string(entry.begin) +
                            (entry.begin < reached ? " (overlapping data)" : " (a gap in the data)")});
    }
    reached = entry.end;
  }
  if (reached > dataSize)
    throw InputError({file, "data", "", cutShort(dataStart + dataSize, dataStart + reached)});
  if (reached < dataSize && looksLikeHeader(source, dataStart + reached))
    throw InputError(
        {file, "", "",
         "several safetensors files are joined into this one: keep the shards apart, under their own "
         "names and with their model.safetensors.index.json"});
  if (reached < dataSize) {
    throw InputError(
        {file, "data", std::to_string(reached) + " bytes by the header", std::to_string(dataSize)});
  }
}

}  // namespace

std::vector<TensorInfo> readSafetensorsDirectory(const ByteSource& file) {
  const std::string header = headerOf(file);
  const std::uint64_t dataStart = 8 + header.size();
  std::vector<SafetensorsEntry> entries = parseSafetensorsHeader(header, file.path());
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  checkCoverage(entries, dataStart, file);
  std::vector<TensorInfo> tensors;
  tensors.reserve(entries.size());
  for (SafetensorsEntry& entry : entries)
    tensors.push_back(checked(std::move(entry), dataStart, file.path()));
  return tensors;
}

std::shared_ptr<const TensorSource> openSafetensors(const std::filesystem::path& path) {
  const auto file = openBytes(path);
  TensorDirectory directory;
  directory.add(file, readSafetensorsDirectory(*file));
  return std::make_shared<const DirectorySource>(path, std::move(directory));
}

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
    shards[shard.is_string() ? shard.get<std::string>() : canonicalJson(shard)].push_back(tensor);
    if (shards.size() > kMaxShards)
      throw InputError({index, "weight_map", "at most " + std::to_string(kMaxShards) + " shards", "more"});
  }
  if (shards.empty()) throw InputError({index, "weight_map", "at least one tensor", "none"});
  return shards;
}

// Accepts links made by the folder's owner or this user (downloads into a cache, another disk, git-annex).
void checkLink(const fs::path& shard, const fs::path& folder) {
  struct stat link {
  }, place{};
  const bool isLink = ::lstat(shard.c_str(), &link) == 0 && S_ISLNK(link.st_mode);
  if (!isLink || (::stat(folder.c_str(), &place) == 0 && link.st_uid == place.st_uid) ||
      link.st_uid == ::geteuid())
    return;
  throw InputError({shard, "", "a file, or a link that the folder's owner made",
                    "a link of another user; --follow-links follows it"});
}

// Placeholder for a tensor in the index that cannot be read.
TensorInfo unreadTensor(const std::string& name, const fs::path& file, const InputError& why) {
  return {name, TensorType::Other, {0}, 0, 0, file, std::make_shared<const InputError>(why)};
}

// The tensors that the index assigns to a shard, in file order; missing ones last, as unread.
std::vector<TensorInfo> listedTensors(const ByteSource& shard, const std::vector<std::string>& listed) {
  std::vector<TensorInfo> tensors = readSafetensorsDirectory(shard);
  std::erase_if(tensors, [&](const TensorInfo& tensor) {
    return !std::binary_search(listed.begin(), listed.end(), tensor.name);
  });
  if (tensors.size() == listed.size()) return tensors;
  std::set<std::string> there;
  for (const TensorInfo& tensor : tensors) there.insert(tensor.name);
  for (const std::string& name : listed) {
    if (!there.contains(name))
      tensors.push_back(unreadTensor(
          name, shard.path(),
          InputError({shard.path(), "tensor " + sanitized(name), "present, as the index lists it", "none"})));
  }
  return tensors;
}

std::shared_ptr<const ByteSource> openShard(const fs::path& index, const fs::path& folder,
                                            const std::string& name, bool followLinks) {
  if (!isPlainShardName(name))
    throw InputError({index, "weight_map", "a plain file name ending in .safetensors", sanitized(name)});
  if (!followLinks) checkLink(folder / name, folder);
  return openBytes(folder / name);
}

}  // namespace

std::shared_ptr<const TensorSource> openShardedSafetensors(const fs::path& index, bool followLinks) {
  const fs::path folder = index.has_parent_path() ? index.parent_path() : fs::path(".");
  TensorDirectory directory;
  for (const auto& [name, tensors] : readIndex(index)) {
    try {
      const auto file = openShard(index, folder, name, followLinks);
      directory.add(file, listedTensors(*file, tensors));
    } catch (const InputError& error) {  // thrown later, if one of its tensors is needed
      std::vector<TensorInfo> absent;
      for (const std::string& tensor : tensors) absent.push_back(unreadTensor(tensor, folder / name, error));
      directory.add(openBytes(index), std::move(absent));
    }
  }
  return std::make_shared<const DirectorySource>(folder, std::move(directory));
}

// ---- The JSON header

namespace {

constexpr std::size_t kMaxEntries = 500'000;  // tensors, or keys of one object; models have some thousands

// State of the parser. Objects: header > tensor entry or metadata. Arrays: shape, data_offsets of an entry.
enum class Place { Start, Header, Entry, Dtype, Shape, Offsets, Metadata, Done };

// Handler for nlohmann's SAX parser; refuses any unexpected event.
class HeaderEvents : public nlohmann::json_sax<Json> {
 public:
  explicit HeaderEvents(const std::filesystem::path& file) : m_file(file) {}
  std::vector<SafetensorsEntry> take() { return std::move(m_entries); }

  bool key(string_t& text) override {
    if (m_place == Place::Header) {
      m_key = text;
      return true;
    }
    if (!m_keys.insert(text).second) refuse("", "the key \"" + sanitized(text) + "\" appears twice");
    if (m_keys.size() > kMaxEntries) refuse("at most 500,000 keys in one object", "more");
    m_field = text;
    return true;
  }

  bool start_object(std::size_t) override {
    m_keys.clear();
    if (m_place == Place::Start) {
      m_place = Place::Header;
    } else if (m_place == Place::Header && m_key == "__metadata__") {
      if (m_hasMetadata) refuse("", "the key \"__metadata__\" appears twice");
      m_hasMetadata = true;
      m_place = Place::Metadata;
    } else if (m_place == Place::Header) {
      if (m_entries.size() >= kMaxEntries) refuse("at most 500,000 tensors", "more");
      m_entries.push_back({m_key, {}, nullptr, {}, 0, 0});
      m_offsetCount = 0;
      m_place = Place::Entry;
    } else {
      refuse(expectedHere(), "an object");
    }
    return true;
  }

  bool end_object() override {
    if (m_place == Place::Entry) {
      for (const char* field : {"dtype", "shape", "data_offsets"}) {
        if (!m_keys.contains(field)) refuse(std::string("\"") + field + "\"", "none");
      }
    }
    m_place = m_place == Place::Header ? Place::Done : Place::Header;
    return true;
  }

  bool start_array(std::size_t) override {
    if (m_place == Place::Entry && m_field == "shape") {
      m_place = Place::Shape;
    } else if (m_place == Place::Entry && m_field == "data_offsets") {
      m_place = Place::Offsets;
    } else {
      refuse(expectedHere(), "an array");
    }
    return true;
  }

  bool end_array() override {
    if (m_place == Place::Offsets && m_offsetCount != 2)
      refuse("two data_offsets", std::to_string(m_offsetCount));
    m_place = Place::Entry;
    return true;
  }

  bool string(string_t& text) override {
    if (m_place == Place::Metadata) return true;
    if (m_place != Place::Entry || m_field != "dtype")
      refuse(expectedHere(), "the text \"" + sanitized(text) + "\"");
    m_entries.back().format = formatOfSafetensors(text);
    if (text.empty()) refuse("a type of " + safetensorsTypeNames(), "\"\"");
    m_entries.back().dtype = text;
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (m_place == Place::Shape && value <= std::numeric_limits<std::int64_t>::max()) {
      m_entries.back().shape.push_back(static_cast<std::int64_t>(value));
    } else if (m_place == Place::Offsets && m_offsetCount < 2) {
      SafetensorsEntry& entry = m_entries.back();
      (m_offsetCount++ == 0 ? entry.begin : entry.end) = value;
    } else {
      refuse(expectedHere(), "the number " + std::to_string(value));
    }
    return true;
  }

  bool number_integer(number_integer_t value) override {
    refuse(expectedHere(), "the number " + (value == 0 ? std::string("-0") : std::to_string(value)));
  }
  bool number_float(number_float_t, const string_t& text) override {
    refuse(expectedHere(), "the number " + sanitized(text));
  }
  bool null() override { refuse(expectedHere(), "null"); }
  bool boolean(bool value) override { refuse(expectedHere(), value ? "true" : "false"); }
  bool binary(binary_t&) override { refuse(expectedHere(), "binary data"); }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception&) override {
    throw InputError({m_file, "header, byte " + std::to_string(byte), "", "this is not valid JSON"});
  }

 private:
  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
    const bool inside = m_place != Place::Start && m_place != Place::Done;
    throw InputError({m_file, inside ? "header, \"" + sanitized(m_key) + "\"" : "header", expected, found});
  }

  std::string expectedHere() const {
    switch (m_place) {
      case Place::Header:
        return "an object";
      case Place::Metadata:
        return "a text";
      case Place::Shape:
      case Place::Offsets:
        return "plain unsigned integers";
      case Place::Entry:
        break;
      default:
        return "a JSON object";
    }
    if (m_field == "dtype") return "a type name";
    if (m_field == "shape" || m_field == "data_offsets") return "a list of plain unsigned integers";
    return "only dtype, shape and data_offsets";
  }

  const std::filesystem::path& m_file;
  Place m_place = Place::Start;
  std::string m_key, m_field;    // of the header object, of the object inside
  std::set<std::string> m_keys;  // seen in the inner object
  int m_offsetCount = 0;
  bool m_hasMetadata = false;
  std::vector<SafetensorsEntry> m_entries;
};

void refuseTwoOfAName(const std::vector<SafetensorsEntry>& entries, const std::filesystem::path& file) {
  std::vector<std::string_view> names(entries.size());
  std::transform(entries.begin(), entries.end(), names.begin(),
                 [](const auto& entry) { return std::string_view(entry.name); });
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    throw InputError({file, "tensor " + sanitized(*twice), "", "this name appears twice"});
  }
}

}  // namespace

std::vector<SafetensorsEntry> parseSafetensorsHeader(std::string_view header,
                                                     const std::filesystem::path& file) {
  if (header.empty() || header.front() != '{')
    throw InputError({file, "header", "a JSON object", "\"" + sanitized(header.substr(0, 8)) + "\""});
  // The JSON library would stop at a NUL byte.
  if (header.find('\0') != std::string_view::npos)
    throw InputError({file, "header", "JSON text", "a NUL byte"});
  HeaderEvents events(file);
  Json::sax_parse(header, &events);  // throws at the first error
  std::vector<SafetensorsEntry> entries = events.take();
  refuseTwoOfAName(entries, file);
  return entries;
}

}  // namespace plastiscope
