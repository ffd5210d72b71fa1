#include "core/store/capture_writer.h"

#include <algorithm>
#include <ctime>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/store/file_signature.h"
#include "core/store/schema.h"
#include "core/store/stored_content.h"
#include "core/store/verify.h"

namespace plastiscope {

namespace {

struct FieldWriter {
  const Hdf5OutGroup& group;

  void operator()(const char* name, const std::string& value, FieldLimits limits) const {
    if (limits.required || !value.empty()) group.text(name, value);
  }
  void operator()(const char* name, double value, FieldLimits) const { group.number(name, value); }
  void operator()(const char* name, const JsonValue& value, FieldLimits limits) const {
    if (limits.required || !value->is_null()) group.text(name, canonicalJson(value));
  }
  void operator()(const char* name, const std::int64_t& value, FieldLimits limits) const {
    if (limits.required || value != 0) group.integer(name, value);
  }
};

void writeCaptureFields(const CaptureInfo& info, const Hdf5OutGroup& root) {
  visitModelFields(info, FieldWriter{root.group(schema::kModel)});
  const Hdf5OutGroup capture = root.group(schema::kCapture);
  visitCaptureFields(info, FieldWriter{capture});
  const std::string warning = contextWarning(info.window, info.trainedContext);
  if (!warning.empty()) capture.text(schema::kWarning, warning);
}

void writeExamples(const CaptureInfo& info, const Hdf5OutGroup& root) {
  std::vector<std::string> ids, digests, fields;
  std::vector<std::int64_t> seeds;
  std::vector<std::int32_t> tokens;
  for (const CaptureExampleInfo& example : info.examples) {
    ids.push_back(example.id);
    seeds.push_back(example.seedId);
    tokens.push_back(example.tokens);
    digests.push_back(example.sha256);
    fields.push_back(example.fields.empty() ? "{}" : example.fields);
  }
  const Hdf5OutGroup examples = root.group(schema::kExamples);
  examples.dataset(schema::kId, ids);
  examples.dataset(schema::kSeedId, seeds);
  examples.dataset(schema::kTokens, tokens);
  examples.dataset(schema::kSha256, digests);
  if (std::ranges::any_of(fields, [](const std::string& each) { return each != "{}"; }))
    examples.dataset(schema::kFields, fields);
}

void writeTexts(const StoredTexts& texts, const Hdf5OutGroup& root) {
  std::string bytes;
  std::vector<std::int64_t> ends;
  for (const std::string& piece : texts.pieces) {
    bytes += piece;
    ends.push_back(std::ssize(bytes));
  }
  const Hdf5OutGroup group = root.group(schema::kTexts);
  group.dataset(schema::kTokenIds, texts.tokenIds);
  group.dataset(schema::kVocabularyIds, texts.vocabulary);
  group.dataset(schema::kVocabularyEnds, ends);
  group.dataset(schema::kVocabularyBytes, std::as_bytes(std::span(bytes)));
}

// Writes all heads of one layer and kind.
void writeRowSet(const CaptureContent& content, const CaptureLayerInfo& layer, RowSet set,
                 const Hdf5OutGroup& parent, const std::function<void()>& headDone) {
  const RowIndex index = content.index(layer.layer, set);
  const Hdf5OutGroup group = parent.group(nameOf(set));
  group.dataset(schema::kPosition, index.position);
  group.dataset(schema::kExample, index.example);
  group.dataset(schema::kBucket, index.bucket);
  const Hdf5OutGroup vectors = group.group(schema::kVectors);
  for (const std::int64_t head : headsOf(layer, set)) {
    const CaptureContent::Storage storage = content.storage({layer.layer, head, set});
    Hdf5RowWriter writer = vectors.vectors(schema::number(head), std::ssize(index.position),
                                           content.info().headDimOf(layer), storage.half, storage.overflowed);
    content.vectors({layer.layer, head, set}, [&](std::span<const std::byte> rows) { writer.append(rows); });
    writer.finish();
    headDone();
  }
}

void writeLayers(const CaptureContent& content, const Hdf5OutGroup& root, Progress& progress) {
  const CaptureInfo& info = content.info();
  ProgressState state{"seal", 0, 0, "query and key head", -1, -1};
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    for (const RowSet set : rowSetsOf(info, layer)) state.total += headsOf(layer, set).size();
  }
  const auto headDone = [&] {
    ++state.done;
    progress.advanced(state);
    progress.throwIfStopped();
  };
  const Hdf5OutGroup layers = root.group(schema::kLayers);
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    const Hdf5OutGroup group = layers.group(schema::number(layer.layer));
    group.text("attention", layer.attention);
    group.integer("window", layer.window);
    group.flag("rope", layer.rope);
    group.flag("query_scale", layer.queryScale);
    if (layer.ownHeadDim > 0) group.integer(schema::kHeadDim, layer.ownHeadDim);
    if (layer.ownKeyHeads > 0) group.integer(schema::kKeyHeads, layer.ownKeyHeads);
    if (layer.scoreSoftcap > 0) group.number(schema::kScoreSoftcap, layer.scoreSoftcap);
    if (layer.learnedSinks) group.flag(schema::kLearnedSinks, true);
    for (const RowSet set : rowSetsOf(info, layer)) writeRowSet(content, layer, set, group, headDone);
  }
}

void writeLosses(const CaptureContent& content, const Hdf5OutGroup& root) {
  const auto losses = content.losses();
  if (!losses) return;
  const Hdf5OutGroup group = root.group(schema::kLoss);
  group.dataset(schema::kNll, *losses);
  group.dataset(schema::kFirstPlace, content.firstPlaces());
}

void writeScores(const std::vector<TextScores>& texts, std::int64_t layer, const Hdf5OutGroup& parent) {
  std::vector<std::int32_t> queries;
  std::vector<double> sums;
  for (const TextScores& text : texts)
    queries.insert(queries.end(), {text.queries.all, text.queries.induction, text.queries.duplicate});
  for (std::size_t head = 0; !texts.empty() && head < texts.front().heads.size(); ++head) {
    for (const TextScores& text : texts)
      sums.insert(sums.end(), text.heads.at(head).begin(), text.heads.at(head).end());
  }
  const Hdf5OutGroup group = parent.group(schema::number(layer));
  group.dataset(schema::kQueries, queries, kScoreCounts);
  group.dataset(schema::kSums, sums, kHeadScores);
}

void writeScores(const CaptureContent& content, const Hdf5OutGroup& root) {
  const auto groupOf = [&root](const char* name) {
    Hdf5OutGroup group = root.group(name);
    group.text(schema::kScoreNames, canonicalJson(Json(namesOf(HeadScore()))));
    return group;
  };
  if (content.hasScores()) {
    const Hdf5OutGroup group = groupOf(schema::kScores);
    for (const CaptureLayerInfo& layer : content.info().layerInfos)
      writeScores(content.scores(layer.layer), layer.layer, group);
  }
  const std::vector<std::int32_t> tokens = content.probe();
  if (tokens.empty()) return;
  const Hdf5OutGroup group = groupOf(schema::kProbe);
  group.dataset(schema::kTokenIds, tokens);
  for (const CaptureLayerInfo& layer : content.info().layerInfos)
    writeScores({content.probeScores(layer.layer)}, layer.layer, group);
}

void warnOfOverflow(const CaptureContent& content, Progress& progress) {
  for (const CaptureLayerInfo& layer : content.info().layerInfos) {
    for (const RowSet set : rowSetsOf(content.info(), layer)) {
      for (const std::int64_t head : headsOf(layer, set)) {
        if (!content.storage({layer.layer, head, set}).overflowed) continue;
        progress.warned("layer " + std::to_string(layer.layer) + ", " + std::string(nameOf(set)) + " head " +
                        std::to_string(head) + ": values above 65,504; the head is stored as float32");
      }
    }
  }
}

// Reads the file in another process: when memory is short, HDF5 1.10 may corrupt the heap of the reader.
void requireIntact(const std::filesystem::path& temporary, const std::filesystem::path& file,
                   const Progress& progress) {
  const VerifyReport report = verifyFile(temporary, progress);
  if (!report.problems.empty()) {
    throw InputError({file, "", "", "the written file cannot be read back: " + report.problems.front()});
  }
}

}  // namespace

std::vector<RowSet> rowSetsOf(const CaptureInfo& info, const CaptureLayerInfo& layer) {
  std::vector<RowSet> sets{RowSet::Query, RowSet::Key};
  const auto add = [&sets](RowSet queries, RowSet keys) { sets.insert(sets.end(), {queries, keys}); };
  if (info.point == "both") add(RowSet::QueryPreRope, RowSet::KeyPreRope);
  if (!layer.denseQueryHeads.empty()) add(RowSet::DenseQuery, RowSet::DenseKey);
  return sets;
}

const std::vector<std::int64_t>& headsOf(const CaptureLayerInfo& layer, RowSet set) {
  if (isDense(set)) return set == RowSet::DenseQuery ? layer.denseQueryHeads : layer.denseKeyHeads;
  return set == RowSet::Query || set == RowSet::QueryPreRope ? layer.queryHeads : layer.keyHeads;
}

void writeCapture(const CaptureContent& content, const std::filesystem::path& file, Progress& progress) {
  requireWritableFolderOf(file);
  warnOfOverflow(content, progress);
  writeFileAtomically(file, [&](const std::filesystem::path& temporary) {
    Hdf5Output output(temporary, file);
    writeRoot(output.root(), schema::kCaptureFormat, content.info());
    writeCaptureFields(content.info(), output.root());
    writeExamples(content.info(), output.root());
    if (content.texts()) writeTexts(*content.texts(), output.root());
    writeLayers(content, output.root(), progress);
    writeLosses(content, output.root());
    writeScores(content, output.root());
    content.finish();
    output.finish();
    appendFileSeal(temporary, file);
    requireIntact(temporary, file, progress);
  });
}

std::string nowIso8601() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace plastiscope
