#include "core/store/parked_group.h"

#include <algorithm>
#include <list>
#include <set>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/store/schema.h"
#include "core/store/tensor_file.h"
#include "core/store/unit_file.h"

namespace plastiscope {
namespace fs = std::filesystem;

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
    const auto texts = static_cast<std::int64_t>(examples.size());
    std::vector<std::byte>& half = flags.emplace_back();
    StateTensor vectors{tensorName(block, schema::kVectors), "U8", {0}, {}};
    for (const std::int64_t example : examples) {
      for (const UnitHead& head : sink.unit(example).blocks[b].heads) {
        half.push_back(std::byte{head.half});
        vectors.pieces.emplace_back(head.bytes);
        vectors.shape[0] += static_cast<std::int64_t>(head.bytes.size());
      }
    }
    bytes += static_cast<std::uint64_t>(vectors.shape[0]) + half.size();
    tensors.push_back(std::move(vectors));
    tensors.push_back({tensorName(block, "half"),
                       "U8",
                       {texts, static_cast<std::int64_t>(block.heads.size())},
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
        const std::size_t numbers =
            sink.unit(example).blocks[b].positions.size() * static_cast<std::size_t>(block.headDim);
        std::vector<UnitHead> heads;
        for (std::size_t h = 0; h < block.heads.size(); ++h, ++flag) {
          const bool isHalf = flag < half.size() && half[flag] == std::byte{1};
          const std::size_t bytes = numbers * (isHalf ? 2 : 4);
          if (flag >= half.size() || bytes > vectors.size() - at) {
            throw InputError({m_folder / rows.name, tensorName(block, schema::kVectors),
                              "the vectors of all unfinished texts", "fewer bytes"});
          }
          const auto begin = vectors.begin() + static_cast<std::ptrdiff_t>(at);
          heads.push_back({isHalf, {begin, begin + static_cast<std::ptrdiff_t>(bytes)}});
          at += bytes;
        }
        sink.restore(example, b, std::move(heads));
      }
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
