#include "core/store/parked_group.h"

#include <algorithm>
#include <cstdio>
#include <list>
#include <set>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/store/data_checksums.h"
#include "core/store/schema.h"
#include "core/store/unit_file.h"
#include "core/weights/safetensors.h"
#include "core/weights/tensor_directory.h"

namespace plastiscope {
namespace fs = std::filesystem;

// ---- tensor files

namespace {

constexpr std::uint64_t kMaxHeader = 100'000'000;
constexpr const char* kFacts = "__metadata__";

// The checksum of a file, while its other bytes are added: CRC-32, or SHA-256 in files of version 1.0.0. The
// header has zeros in its place.
class FileSum {
 public:
  explicit FileSum(const char* kind) : m_isOld(kind == std::string_view(schema::kSha256)), m_sums(m_isOld) {}
  std::string none() const { return std::string(m_isOld ? 64 : 8, '0'); }
  void add(std::span<const std::byte> bytes) { m_sums.add(bytes); }
  std::string text() {
    if (m_isOld) return m_sums.sha256();
    char text[9];
    std::snprintf(text, sizeof text, "%08x", static_cast<unsigned>(m_sums.crc32()));
    return text;
  }

 private:
  bool m_isOld;
  DataChecksums m_sums;
};

// Padded so that the data start at a multiple of 8 bytes.
std::string textOf(const Json& header) {
  std::string text = canonicalJson(header);
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

Json headerOf(const TensorFileFacts& facts, const std::vector<StateTensor>& tensors) {
  Json header = Json::object();
  header[kFacts] = facts;
  std::uint64_t offset = 0;
  for (const StateTensor& tensor : tensors) {
    std::uint64_t bytes = 0;
    for (const auto& piece : tensor.pieces) bytes += piece.size();
    header[tensor.name] = {
        {"dtype", tensor.type}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  }
  return header;
}

// Collects small pieces into larger writes.
class PieceWriter {
 public:
  explicit PieceWriter(TemporaryFile& file) : m_file(file) {}
  void add(std::span<const std::byte> piece) {
    constexpr std::size_t kLarge = std::size_t{1} << 20;
    if (m_small.size() + piece.size() >= kLarge) flush();
    if (piece.size() >= kLarge) return m_file.write(piece);
    m_small.insert(m_small.end(), piece.begin(), piece.end());
  }
  void flush() {
    m_file.write(m_small);
    m_small.clear();
  }

 private:
  TemporaryFile& m_file;
  std::vector<std::byte> m_small;
};

// The JSON header as stored.
std::string headerText(const ByteSource& file) {
  std::uint64_t length = 0;
  if (file.size() >= 8) file.read(0, std::as_writable_bytes(std::span(&length, 1)));
  if (file.size() < 8 || length > std::min(kMaxHeader, file.size() - 8))
    throw InputError(
        {file.path(), "header length", "at most the bytes that follow", "the file is cut short"});
  std::string text(length, '\0');
  file.read(8, std::as_writable_bytes(std::span(text)));
  return text;
}

TensorFileFacts factsIn(const Json& header, const fs::path& file) {
  try {
    return header.at(kFacts).get<TensorFileFacts>();
  } catch (const Json::exception&) {
    throw InputError({file, kFacts, "an object of texts", "none"});
  }
}

}  // namespace

std::string writeTensorFile(const fs::path& file, const TensorFileFacts& facts,
                            const std::vector<StateTensor>& tensors) {
  Json header = headerOf(facts, tensors);
  FileSum sum(schema::kCrc32);
  header[kFacts][schema::kCrc32] = sum.none();
  const std::string unsummed = textOf(header);
  sum.add(std::as_bytes(std::span(unsummed)));
  for (const StateTensor& tensor : tensors) {
    for (const auto& piece : tensor.pieces) sum.add(piece);
  }
  const std::string checksum = sum.text();
  header[kFacts][schema::kCrc32] = checksum;
  const std::string text = textOf(header);
  const std::uint64_t length = text.size();
  TemporaryFile temporary(file);
  PieceWriter out(temporary);
  out.add(std::as_bytes(std::span(&length, 1)));
  out.add(std::as_bytes(std::span(text)));
  for (const StateTensor& tensor : tensors) {
    for (const auto& piece : tensor.pieces) out.add(piece);
  }
  out.flush();
  temporary.finish();
  temporary.takeBeforeSync();
  return checksum;
}

namespace {

// Checksum of the whole file.
std::string checksumOf(const ByteSource& bytes, Json header, const char* kind, Progress& progress) {
  FileSum sum(kind);
  header[kFacts][kind] = sum.none();
  const std::string text = textOf(header);
  sum.add(std::as_bytes(std::span(text)));
  std::vector<std::byte> block(std::size_t{1} << 20);
  for (std::uint64_t at = 8 + text.size(); at < bytes.size(); at += block.size()) {
    progress.throwIfStopped();
    const std::span<std::byte> part(
        block.data(), static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), bytes.size() - at)));
    bytes.read(at, part);
    sum.add(part);
  }
  return sum.text();
}

}  // namespace

TensorFile::TensorFile(const fs::path& file, Progress& progress) : m_source(openSafetensors(file)) {
  const auto bytes = openBytes(file);
  const Json header = parseJson(headerText(*bytes), file);
  m_facts = factsIn(header, file);
  const char* const kind = m_facts.contains(schema::kCrc32) ? schema::kCrc32 : schema::kSha256;
  m_checksum = fact(kind);
  const std::string found = checksumOf(*bytes, header, kind, progress);
  if (found != m_checksum)
    throw InputError({file, "checksum", m_checksum.substr(0, 12), found.substr(0, 12)});
}

const std::string& TensorFile::fact(const std::string& name) const {
  const auto found = m_facts.find(name);
  if (found == m_facts.end()) throw InputError({m_source->path(), kFacts, "an entry " + name, "none"});
  return found->second;
}

const TensorInfo& TensorFile::tensor(const std::string& name) const {
  const TensorInfo* info = m_source->find(name);
  if (info == nullptr) throw InputError({m_source->path(), "tensor " + name, "one", "none"});
  return *info;
}

void TensorFile::read(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const {
  m_source->readBytes(tensor, first, out);
}

TensorFileFacts TensorFile::factsOf(const fs::path& file) {
  return factsIn(parseJson(headerText(*openBytes(file)), file), file);
}

// ---- groups

namespace {

constexpr const char* kFolder = "parked";
constexpr const char* kStateFile = "state.safetensors";
constexpr const char* kStateFormat = "plastiscope-parked-state";
constexpr const char* kRowsFormat = "plastiscope-parked-rows";
constexpr const char* kChecksum = "checksum";  // of a rows file; "sha256" in files of version 1.0.0

Json jsonOf(const GroupStep& step) {
  return {step.layer, step.text, step.row};
}

GroupStep stepFrom(const Json& value) {
  return {value.at(0).get<std::int64_t>(), value.at(1).get<std::int64_t>(), value.at(2).get<std::int64_t>()};
}

void restoreScores(const TensorFile& file, const UnitBlock& block, std::span<const std::int64_t> examples,
                   CaptureSink& sink) {
  const TensorInfo &queries = file.tensor(schema::scoresName(block.layer, schema::kQueries)),
                   &sums = file.tensor(schema::scoresName(block.layer, schema::kSums));
  if (queries.bytes != examples.size() * sizeof(ScoredQueries) ||
      sums.bytes != examples.size() * block.heads.size() * sizeof(ScoreSums)) {
    throw InputError({"", "tensor " + sums.name, "the scores of all unfinished texts", "another size"});
  }
  for (std::size_t i = 0; i < examples.size(); ++i) {
    TextScores scores;
    scores.heads.resize(block.heads.size());
    const auto own = std::as_writable_bytes(std::span(scores.heads));
    file.read(queries, i * sizeof scores.queries, std::as_writable_bytes(std::span(&scores.queries, 1)));
    file.read(sums, i * own.size(), own);
    sink.restore(examples[i], block.layer, std::move(scores));
  }
}

std::string tensorName(const UnitBlock& block, const char* what) {
  return std::string(schema::kLayers) + "/" + schema::number(block.layer) + "/" + groupNameOf(block) + "/" +
         what;
}

class StateFile : public KeptState {
 public:
  StateFile(const fs::path& path, Progress& progress) : m_file(path, progress), m_path(path) {}
  const TensorFile& file() const { return m_file; }
  void setNext(const GroupStep& next) { m_next = next; }
  GroupStep next() const override { return m_next; }

  void read(const std::string& name, const std::string& type, const std::vector<std::int64_t>& shape,
            const std::vector<std::span<std::byte>>& pieces) const override {
    const TensorInfo& info = m_file.tensor(name);
    std::uint64_t bytes = 0;
    for (const auto& piece : pieces) bytes += piece.size();
    if (nameOf(info.type) != type || info.shape != shape || info.bytes != bytes) {
      throw InputError(
          {m_path, "tensor " + name, type + " of the group's shape", "another type or another shape"});
    }
    std::uint64_t at = 0;
    for (const auto& piece : pieces) {
      m_file.read(info, at, piece);
      at += piece.size();
    }
  }

 private:
  TensorFile m_file;
  fs::path m_path;
  GroupStep m_next;
};

// Texts [first, second) of a group whose vectors of this layer were completed between the steps.
std::pair<std::size_t, std::size_t> textsOf(std::int64_t layer, const GroupStep& from, const GroupStep& to,
                                            std::size_t texts) {
  if (layer < from.layer || layer > to.layer) return {0, 0};
  const auto bounded = [texts](std::int64_t text) {
    return std::min(texts, static_cast<std::size_t>(std::max<std::int64_t>(0, text)));
  };
  const std::size_t first = layer == from.layer ? bounded(from.text) : 0;
  return {first, std::max(first, layer == to.layer ? bounded(to.text) : texts)};
}

}  // namespace

ParkedGroup::ParkedGroup(fs::path workFolder, UnitLayout layout)
    : m_folder(std::move(workFolder) / kFolder), m_layout(std::move(layout)) {}

bool ParkedGroup::exists() const {
  std::error_code ignored;
  return fs::exists(m_folder / kStateFile, ignored);
}

// Skips texts that have passed the last layer: they are finished units.
template <typename Visit>
void ParkedGroup::forBlocks(const GroupStep& from, const GroupStep& to, Visit visit) const {
  for (std::size_t b = 0; b < m_layout.blocks.size(); ++b) {
    const std::int64_t layer = m_layout.blocks[b].layer;
    const std::int64_t last = m_layout.lastLayer;
    if (layer == last) return;
    auto [first, end] = textsOf(layer, from, to, m_facts.examples.size());
    if (to.layer == last)
      first = std::max(first, static_cast<std::size_t>(std::max<std::int64_t>(0, to.text)));
    if (first < end) visit(b, std::span(m_facts.examples).subspan(first, end - first));
  }
}

std::uint64_t ParkedGroup::saveRows(const GroupStep& next, const CaptureSink& sink) {
  const GroupStep from = m_rows.empty() ? GroupStep{} : m_rows.back().to;
  std::vector<StateTensor> tensors;
  std::list<std::vector<std::byte>> flags;
  std::uint64_t bytes = 0;
  forBlocks(from, next, [&](std::size_t b, std::span<const std::int64_t> examples) {
    const UnitBlock& block = m_layout.blocks[b];
    const auto texts = std::ssize(examples);
    std::vector<std::byte>& half = flags.emplace_back();
    StateTensor vectors{tensorName(block, schema::kVectors), "U8", {0}, {}};
    for (const std::int64_t example : examples) {
      for (const UnitHead& head : sink.unit(example).blocks[b].heads) {
        half.push_back(std::byte{head.half});
        vectors.pieces.emplace_back(head.bytes);
        vectors.shape[0] += std::ssize(head.bytes);
      }
    }
    if (isFirstOfLayer(b)) {
      StateTensor queries{schema::scoresName(block.layer, schema::kQueries), "I32", {texts, 3}, {}};
      StateTensor sums{schema::scoresName(block.layer, schema::kSums),
                       "F64",
                       {texts, std::ssize(block.heads), std::int64_t{kHeadScores}},
                       {}};
      for (const std::int64_t example : examples) {
        const TextScores& scores = sink.unit(example).scores.at(block.layer);
        queries.pieces.push_back(std::as_bytes(std::span(&scores.queries, 1)));
        sums.pieces.push_back(std::as_bytes(std::span(scores.heads)));
      }
      tensors.push_back(std::move(queries));
      tensors.push_back(std::move(sums));
    }
    bytes += vectors.shape[0] + half.size();
    tensors.push_back(std::move(vectors));
    tensors.push_back({tensorName(block, "half"),
                       "U8",
                       {texts, std::ssize(block.heads)},
                       {std::span<const std::byte>(half)}});
  });
  if (tensors.empty()) return 0;
  char name[40];
  std::snprintf(name, sizeof name, "rows-%06zu.safetensors", m_rows.size());
  const std::string checksum = writeTensorFile(m_folder / name, {{schema::kFormat, kRowsFormat}}, tensors);
  m_rows.push_back({name, checksum, from, next});
  return bytes;
}

std::uint64_t ParkedGroup::save(const ParkedFacts& facts, const GroupState& state, const CaptureSink& sink) {
  m_facts = facts;
  requireWritableFolderOf(m_folder / kStateFile);
  std::uint64_t bytes = saveRows(state.next, sink);
  Json rows = Json::array();
  for (const RowsFile& file : m_rows) {
    rows.push_back({{"file", file.name},
                    {kChecksum, file.checksum},
                    {"from", jsonOf(file.from)},
                    {"to", jsonOf(file.to)}});
  }
  const TensorFileFacts stated = {{schema::kFormat, kStateFormat},
                                  {schema::kFormatVersionName, std::to_string(schema::kFormatVersion)},
                                  {schema::kProgramVersion, std::string(kVersion)},
                                  {schema::kSettingsHash, facts.settingsHash},
                                  {"examples", canonicalJson(facts.examples)},
                                  {"next", canonicalJson(jsonOf(state.next))},
                                  {"rows", canonicalJson(rows)},
                                  {"share", canonicalJson(facts.share)}};
  writeTensorFile(m_folder / kStateFile, stated, state.tensors);
  syncFolderOf(m_folder / kStateFile);
  for (const StateTensor& tensor : state.tensors) {
    for (const auto& piece : tensor.pieces) bytes += piece.size();
  }
  return bytes;
}

void ParkedGroup::remove() {
  m_rows.clear();
  m_state.reset();
  std::error_code ignored;  // a file that cannot be removed is replaced or refused later
  fs::remove(m_folder / kStateFile, ignored);
  fs::remove_all(m_folder, ignored);
}

void ParkedGroup::open(const std::string& settingsHash, Progress& progress) {
  const fs::path path = m_folder / kStateFile;
  auto state = std::make_unique<StateFile>(path, progress);
  const auto expect = [&](const char* name, const std::string& wanted) {
    if (state->file().fact(name) != wanted) throw InputError({path, name, wanted, state->file().fact(name)});
  };
  expect(schema::kFormat, kStateFormat);
  expect(schema::kFormatVersionName, std::to_string(schema::kFormatVersion));
  expect(schema::kProgramVersion, std::string(kVersion));
  expect(schema::kSettingsHash, settingsHash);
  const auto json = [&](const char* name) { return parseJson(state->file().fact(name), path); };
  std::set<fs::path> known = {path};
  try {
    m_facts = {settingsHash, json("examples").get<std::vector<std::int64_t>>(), json("share").get<double>()};
    state->setNext(stepFrom(json("next")));
    m_rows.clear();
    for (const Json& file : json("rows")) {
      const char* const checksum = file.contains(kChecksum) ? kChecksum : schema::kSha256;
      m_rows.push_back({file.at("file").get<std::string>(), file.at(checksum).get<std::string>(),
                        stepFrom(file.at("from")), stepFrom(file.at("to"))});
      const RowsFile& rows = m_rows.back();
      if (fs::path(rows.name).filename() != rows.name)
        throw InputError({path, "rows", "names of files beside it", rows.name});
      if (TensorFile(m_folder / rows.name, progress).checksum() != rows.checksum)
        throw InputError(
            {m_folder / rows.name, "checksum", "the one that state.safetensors lists", "another checksum"});
      known.insert(m_folder / rows.name);
    }
  } catch (const Json::exception&) {
    throw InputError({path, "", "the description of unfinished texts", "other content"});
  }
  m_state = std::move(state);
  std::error_code ignored;  // left behind by a killed process
  for (const auto& entry : fs::directory_iterator(m_folder, ignored)) {
    if (!known.contains(entry.path())) fs::remove(entry.path(), ignored);
  }
}

void ParkedGroup::fill(CaptureSink& sink, Progress& progress) const {
  for (const RowsFile& rows : m_rows) {
    const TensorFile file(m_folder / rows.name, progress);
    forBlocks(rows.from, rows.to, [&](std::size_t b, std::span<const std::int64_t> examples) {
      const UnitBlock& block = m_layout.blocks[b];
      const auto bytesOf = [&](const char* what) {
        const TensorInfo& info = file.tensor(tensorName(block, what));
        std::vector<std::byte> bytes(info.bytes);
        file.read(info, 0, bytes);
        return bytes;
      };
      const std::vector<std::byte> vectors = bytesOf(schema::kVectors), half = bytesOf("half");
      std::size_t flag = 0, at = 0;
      for (const std::int64_t example : examples) {
        const std::size_t numbers = sink.unit(example).blocks[b].positions.size() * block.headDim;
        std::vector<UnitHead> heads;
        for (std::size_t h = 0; h < block.heads.size(); ++h, ++flag) {
          const bool isHalf = flag < half.size() && half[flag] == std::byte{1};
          const std::size_t bytes = numbers * (isHalf ? 2 : 4);
          if (flag >= half.size() || bytes > vectors.size() - at) {
            throw InputError({m_folder / rows.name, tensorName(block, schema::kVectors),
                              "the vectors of all unfinished texts", "fewer bytes"});
          }
          const auto begin = vectors.begin() + at;
          heads.push_back({isHalf, {begin, begin + bytes}});
          at += bytes;
        }
        sink.restore(example, b, std::move(heads));
      }
      if (isFirstOfLayer(b)) restoreScores(file, block, examples, sink);
    });
  }
}

double ParkedGroup::shareIn(const fs::path& workFolder) {
  try {
    const TensorFileFacts facts = TensorFile::factsOf(workFolder / kFolder / kStateFile);
    const auto share = facts.find("share");
    return share == facts.end() ? 0 : std::clamp(parseJson(share->second, {}).get<double>(), 0.0, 1.0);
  } catch (const InputError&) {
    return 0;
  } catch (const Json::exception&) {
    return 0;
  }
}

std::uint64_t ParkedGroup::bytesIn(const fs::path& workFolder) {
  std::uint64_t bytes = 0;
  std::error_code code;
  for (fs::directory_iterator entry(workFolder / kFolder, code), end; !code && entry != end;
       entry.increment(code)) {
    std::error_code ignored;
    const std::uint64_t size = entry->file_size(ignored);
    if (!ignored) bytes += size;
  }
  return bytes;
}

}  // namespace plastiscope
