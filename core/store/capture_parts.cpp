#include "core/store/capture_parts.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <ranges>

#include "core/base/error.h"
#include "core/base/half.h"
#include "core/base/hash.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/store/capture_output.h"
#include "core/store/capture_writer.h"
#include "core/store/output_place.h"
#include "core/store/schema.h"
#include "core/store/stored_content.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr const char *kPart = "part", *kExamples = "examples", *kDigest = "examples_sha256",
                     *kSnapshot = "partial_of";

std::string countOf(std::int64_t count, std::int64_t all) {
  return withCommas(count) + " of " + withCommas(all) + " texts";
}

}  // namespace

std::optional<CapturePart> partOf(const Json& settings) {
  if (!settings.is_object() || !settings.contains(kPart) || !settings[kPart].is_string()) return {};
  try {
    return CapturePart::parse(settings[kPart].get<std::string>());
  } catch (const UsageError&) {
    return {};  // written by another program
  }
}

std::int64_t examplesOfWhole(const Json& settings) {
  if (!settings.is_object() || !settings.contains(kExamples) || !settings[kExamples].is_number_integer())
    return -1;
  const auto count = settings[kExamples].get<std::int64_t>();
  return count <= INT32_MAX ? count : -1;
}

bool isSnapshot(const Json& settings) {
  return settings.is_object() && settings.contains(kSnapshot);
}

std::string partText(const CaptureInfo& info) {
  const std::optional<CapturePart> part = partOf(info.settings);
  if (!part) return "";
  const auto held = std::ssize(info.examples);
  const std::int64_t all = examplesOfWhole(info.settings);
  return "part " + std::to_string(part->index) + " of " + std::to_string(part->count) + ", " +
         (all < 0 ? withCommas(held) + " texts" : countOf(held, all));
}

std::string partWarning(const CaptureInfo& info) {
  const std::string text = partText(info);
  return text.empty() ? "" : "the capture is " + text + "; merge joins all parts";
}

void warnOfPart(const CaptureInfo& info, Progress& progress) {
  const std::string sentence = partWarning(info);
  if (!sentence.empty()) progress.warned(sentence);
}

Json partSettings(Json settings, CapturePart part) {
  if (!part.isWhole()) settings[kPart] = part.text();
  return settings;
}

Json wholeSettings(Json settings) {
  if (settings.is_object()) settings.erase(kPart);
  return settings;
}

std::string digestOfExamples(const std::vector<CaptureExampleInfo>& examples) {
  Sha256 hash;
  for (const CaptureExampleInfo& example : examples)
    hash.add(canonicalJson(Json::array({example.id, example.seedId, example.sha256})) + "\n");
  return hash.hex();
}

std::string wrongExamples(const CaptureInfo& info) {
  const Json& settings = info.settings;
  const std::int64_t all = examplesOfWhole(settings);
  if (all < 0 || isSnapshot(settings) || !settings.contains(kDigest)) return "";
  const std::optional<CapturePart> part = partOf(settings);
  const std::int64_t wanted = part ? part->end(all) - part->begin(all) : all,
                     held = std::ssize(info.examples);
  if (held != wanted) return "expected " + countOf(wanted, all) + ", found " + withCommas(held);
  if (!part && settings[kDigest] != digestOfExamples(info.examples))
    return "its texts are not those that its settings name";
  return "";
}

// ---- merging

namespace {

constexpr std::size_t kMaxOpenParts = 400;
constexpr std::int64_t kCopyBlockBytes = std::int64_t{4} << 20;

struct Part {
  fs::path file;
  CapturePart share;
  CaptureInfo info;
  bool texts = false, losses = false, scores = false;
};

// ---- which parts fit together

Part readPart(const fs::path& file) {
  const StoredFile stored(file);
  if (stored.kind() != FileType::Capture) stored.refuse("a part of a capture");
  const auto capture = stored.capture();
  Part part{file,
            partOf(capture->info().settings).value_or(CapturePart()),
            capture->info(),
            capture->hasTexts(),
            capture->hasLosses(),
            capture->hasScores()};
  if (stored.seal() != FileSeal::Intact)
    throw InputError({file, "", "a finished part", "a file that was changed or cut short"});
  if (isSnapshot(part.info.settings))
    throw InputError({file, "", "a finished part", "a snapshot of an unfinished capture"});
  if (const std::string wrong = wrongExamples(part.info); !wrong.empty())
    throw InputError(file.string() + ": " + wrong);
  return part;
}

// Facts that all parts of one capture share.
Json sharedFacts(const Part& part) {
  const CaptureInfo& info = part.info;
  Json layers = Json::object();
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    layers[schema::number(layer.layer)] = {{"attention", layer.attention},
                                           {"window", layer.window},
                                           {"rope", layer.rope},
                                           {"query_scale", layer.queryScale},
                                           {"query_heads", layer.queryHeads},
                                           {"key_heads", layer.keyHeads},
                                           {"dense_heads", layer.denseQueryHeads},
                                           {"head_dim", layer.ownHeadDim},
                                           {"all_key_heads", layer.ownKeyHeads}};
  }
  Json capture = captureFieldsJson(info);
  if (capture.contains("engine")) capture["engine"].erase("reason");
  return {{"parts", part.share.count},
          {"texts", part.texts ? "stored" : "not stored"},
          {"losses", part.losses ? "stored" : "not stored"},
          {"scores", part.scores ? "stored" : "not stored"},
          {"program_version", info.programVersion},
          {"settings", wholeSettings(info.settings)},
          {"model", modelFieldsJson(info)},
          {"capture", std::move(capture)},
          {"layers", layers}};
}

std::string listOf(const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t kNamed = 10;
  return joined(numbers | std::views::take(kNamed),
                [](std::int64_t number) { return std::to_string(number); }) +
         (numbers.size() > kNamed ? ", ..." : "");
}

// Requires every part exactly once, in order.
void requireAllParts(const std::vector<Part>& parts) {
  const std::int64_t count = parts.front().share.count;
  std::vector<std::int64_t> missing;
  auto next = parts.begin();
  for (std::int64_t index = 0; index < count; ++index) {
    if (next == parts.end() || next->share.index != index) {
      missing.push_back(index);
      continue;
    }
    const auto again = std::next(next);
    if (again != parts.end() && again->share.index == index) {
      throw InputError("part " + std::to_string(index) + " of " + std::to_string(count) +
                       " was given twice: " + next->file.string() + " and " + again->file.string());
    }
    next = again;
  }
  if (missing.empty()) return;
  throw InputError((missing.size() == 1 ? "part " : "parts ") + listOf(missing) + " of " +
                   std::to_string(count) + (missing.size() == 1 ? " is" : " are") + " missing");
}

std::vector<Part> readParts(const std::vector<fs::path>& files, Progress& progress) {
  std::vector<Part> parts;
  ProgressState state{"check", 0, static_cast<double>(files.size()), "part", -1, -1};
  for (const fs::path& file : files) {
    progress.throwIfStopped();
    parts.push_back(readPart(file));
    const std::string differences = settingDifferences(sharedFacts(parts.front()), sharedFacts(parts.back()),
                                                       "in the first", "in the second");
    if (!differences.empty()) {
      throw InputError(parts.front().file.string() + " and " + file.string() +
                       " are parts of different captures (" + differences + ")");
    }
    ++state.done;
    progress.advanced(state);
  }
  std::ranges::stable_sort(parts, {}, [](const Part& part) { return part.share.index; });
  requireAllParts(parts);
  return parts;
}

// ---- the merged capture

CaptureInfo wholeInfo(std::vector<Part> parts) {
  CaptureInfo info = parts.front().info;
  info.settings = wholeSettings(info.settings);
  info.settingsHash = sha256Hex(canonicalJson(info.settings));
  info.created = nowIso8601();
  info.examples.clear();
  for (Part& part : parts) std::ranges::move(part.info.examples, std::back_inserter(info.examples));
  if (const std::string wrong = wrongExamples(info); !wrong.empty())
    throw InputError("the parts do not form a complete capture: " + wrong);
  return info;
}

// Opens the files of the parts; keeps the first ones open.
class PartFiles {
 public:
  explicit PartFiles(const std::vector<Part>& parts) : m_open(std::min(parts.size(), kMaxOpenParts)) {
    for (const Part& part : parts) m_files.push_back(part.file);
  }
  std::size_t size() const { return m_files.size(); }

  std::shared_ptr<const Hdf5Group> root(std::size_t part) {
    if (part < m_open.size() && m_open[part]) return m_open[part];
    auto root = std::make_shared<const Hdf5Group>(
        Hdf5Group::openFile(std::make_shared<const InputFile>(m_files[part])));
    if (part < m_open.size()) m_open[part] = root;
    return root;
  }
  Hdf5Group rows(std::size_t part, std::int64_t layer, RowSet set) {
    return rowGroupOf(*root(part), layer, set);
  }
  Hdf5Dataset vectors(std::size_t part, const RowPlace& place) {
    return rows(part, place.layer, place.set).group(schema::kVectors).dataset(schema::number(place.head));
  }
  // All texts of /scores or /probe in a layer.
  std::vector<TextScores> scores(std::size_t part, const char* name, std::int64_t layer) {
    const Hdf5Group group = root(part)->group(name).group(schema::number(layer));
    const std::vector<std::int32_t> queries = group.dataset(schema::kQueries).int32s();
    const std::vector<double> sums = group.dataset(schema::kSums).doubles();
    std::vector<TextScores> texts(queries.size() / kScoreCounts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::int32_t* const own = &queries[i * kScoreCounts];
      texts[i].queries = {own[0], own[1], own[2]};
      for (std::size_t row = i; (row + 1) * kHeadScores <= sums.size(); row += texts.size())
        std::copy_n(&sums[row * kHeadScores], kHeadScores, texts[i].heads.emplace_back().data());
    }
    return texts;
  }

 private:
  std::vector<fs::path> m_files;
  std::vector<std::shared_ptr<const Hdf5Group>> m_open;
};

// Joins the tokens of the parts and their vocabularies.
StoredTexts wholeTexts(PartFiles& files, const std::vector<CaptureInfo>& infos) {
  StoredTexts texts;
  std::map<std::int32_t, std::string> words;
  for (std::size_t part = 0; part < files.size(); ++part) {
    const CaptureTexts stored(files.root(part)->group(schema::kTexts), infos[part]);
    const std::vector<std::int32_t> ids = stored.allTokenIds();
    texts.tokenIds.insert(texts.tokenIds.end(), ids.begin(), ids.end());
    for (std::size_t i = 0; i < stored.vocabulary().size(); ++i) {
      const auto [word, isNew] = words.emplace(stored.vocabulary()[i], stored.pieces()[i]);
      if (isNew || word->second == stored.pieces()[i]) continue;
      throw InputError({files.root(part)->file(), "/texts", "the same words as in the other parts",
                        "token " + std::to_string(word->first) + " with another one"});
    }
  }
  for (auto& [id, word] : words) {
    texts.vocabulary.push_back(id);
    texts.pieces.push_back(std::move(word));
  }
  return texts;
}

class PartsContent : public CaptureContent {
 public:
  explicit PartsContent(std::vector<Part> parts) : m_files(parts) {
    std::vector<CaptureInfo> infos;
    for (const Part& part : parts) {
      m_firstExample.push_back(m_examples);
      m_examples += part.info.examples.size();
      m_losses = part.losses;
      m_scores = part.scores;
      if (parts.front().texts) infos.push_back(part.info);
    }
    if (parts.front().texts) m_texts = wholeTexts(m_files, infos);
    m_info = wholeInfo(std::move(parts));
  }

  const CaptureInfo& info() const override { return m_info; }
  const StoredTexts* texts() const override { return m_texts ? &*m_texts : nullptr; }
  std::optional<std::vector<float>> losses() const override {
    if (!m_losses) return std::nullopt;
    return joinedLosses<float>(schema::kNll, [](const Hdf5Dataset& dataset) { return dataset.floats(); });
  }
  std::vector<std::int32_t> firstPlaces() const override {
    return joinedLosses<std::int32_t>(schema::kFirstPlace,
                                      [](const Hdf5Dataset& dataset) { return dataset.int32s(); });
  }

  RowIndex index(std::int64_t layer, RowSet set) const override {
    RowIndex all;
    for (std::size_t part = 0; part < m_files.size(); ++part) {
      const Hdf5Group rows = m_files.rows(part, layer, set);
      const auto append = [&](const char* name, std::vector<std::int32_t>& out, std::int32_t shift) {
        for (const std::int32_t value : rows.dataset(name).int32s()) out.push_back(value + shift);
      };
      append(schema::kPosition, all.position, 0);
      append(schema::kExample, all.example, m_firstExample[part]);
      append(schema::kBucket, all.bucket, 0);
    }
    return all;
  }

  // A head that overflowed float16 in any part is float32 in the merged capture.
  Storage storage(const RowPlace& place) const override {
    Storage storage{true, false};
    for (std::size_t part = 0; part < m_files.size(); ++part) {
      const Hdf5Dataset vectors = m_files.vectors(part, place);
      storage.half = storage.half && vectors.element() == Hdf5Element::Float16;
      storage.overflowed = storage.overflowed || vectors.has(schema::kHalfOverflow);
    }
    return storage;
  }

  void vectors(const RowPlace& place,
               const std::function<void(std::span<const std::byte>)>& block) const override {
    const bool half = storage(place).half;
    for (std::size_t part = 0; part < m_files.size(); ++part) {
      const Hdf5Dataset vectors = m_files.vectors(part, place);
      const std::int64_t atOnce = std::max<std::int64_t>(1, kCopyBlockBytes / vectors.rowBytes());
      for (std::int64_t first = 0; first < vectors.rows(); first += atOnce) {
        const auto bytes = vectors.bytes(first, std::min(atOnce, vectors.rows() - first));
        if (half || vectors.element() == Hdf5Element::Float32) {
          block(bytes);
        } else {
          block(widened(bytes));
        }
      }
    }
  }

  bool hasScores() const override { return m_scores; }
  std::vector<TextScores> scores(std::int64_t layer) const override {
    std::vector<TextScores> all;
    for (std::size_t part = 0; part < m_files.size(); ++part) {
      for (TextScores& text : m_files.scores(part, schema::kScores, layer)) all.push_back(std::move(text));
    }
    return all;
  }
  // Part 0 has the probe.
  std::vector<std::int32_t> probe() const override {
    if (!m_files.root(0)->contains(schema::kProbe)) return {};
    return m_files.root(0)->group(schema::kProbe).dataset(schema::kTokenIds).int32s();
  }
  TextScores probeScores(std::int64_t layer) const override {
    return m_files.scores(0, schema::kProbe, layer).at(0);
  }

 private:
  template <typename Value, typename Read>
  std::vector<Value> joinedLosses(const char* name, Read read) const {
    std::vector<Value> all;
    for (std::size_t part = 0; part < m_files.size(); ++part) {
      const std::vector<Value> own = read(m_files.root(part)->group(schema::kLoss).dataset(name));
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }

  static std::vector<std::byte> widened(const std::vector<std::byte>& halves) {
    std::vector<std::uint16_t> values(halves.size() / sizeof(std::uint16_t));
    std::memcpy(values.data(), halves.data(), halves.size());
    std::vector<float> floats(values.size());
    halfToFloat(values, floats);
    const auto bytes = std::as_bytes(std::span(floats));
    return {bytes.begin(), bytes.end()};
  }

  mutable PartFiles m_files;
  CaptureInfo m_info;
  std::vector<std::int32_t> m_firstExample;  // by part
  std::int32_t m_examples = 0;
  std::optional<StoredTexts> m_texts;
  bool m_losses = false, m_scores = false;
};

// ---- the output

void requireNoCapture(const OutputLock& lock) {
  std::error_code code;
  if (!fs::exists(lock.folder() / schema::kWorkSettings, code)) return;
  throw UsageError(lock.folder().string() +
                   " holds unfinished work of a capture; choose another --out, or --fresh to discard it");
}

}  // namespace

MergeOutcome mergeCaptures(const std::vector<fs::path>& files, const fs::path& out, bool fresh,
                           Progress& progress) {
  OutputLock lock(out);
  std::vector<Part> parts = readParts(files, progress);
  const Json settings = wholeSettings(parts.front().info.settings);
  progress.started("merge", canonicalJson(settings));
  if (!fresh && isFinishedCapture(out, settings, parts.front().texts)) return MergeOutcome::WasMerged;
  if (!fresh) requireNoCapture(lock);
  double bytes = 0;
  for (const fs::path& part : files) bytes += fs::file_size(part);
  requireDisk(out, bytes, "the capture needs about");
  writeCapture(PartsContent(std::move(parts)), out, progress);
  lock.discardFolder();
  return MergeOutcome::Merged;
}

}  // namespace plastiscope
