#include "core/store/capture_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"
#include "core/store/capture_writer.h"
#include "core/store/schema.h"
#include "core/store/stored_content.h"

namespace plastiscope {

namespace {

std::int64_t integerWithin(const Hdf5Object& object, const char* name, std::int64_t low, std::int64_t high) {
  const std::int64_t value = object.integer(name);
  if (value < low || value > high) {
    throw InputError({object.file(), object.name() + " attribute " + name,
                      std::to_string(low) + " to " + std::to_string(high), std::to_string(value)});
  }
  return value;
}

struct FieldReader {
  const Hdf5Group& group;

  void operator()(const char* name, std::string& value, FieldLimits limits) const {
    if (limits.required || group.has(name)) value = group.text(name);
  }
  void operator()(const char* name, double& value, FieldLimits) const { value = group.number(name); }
  void operator()(const char* name, std::int64_t& value, FieldLimits limits) const {
    if (limits.required || group.has(name)) value = integerWithin(group, name, limits.least, limits.most);
  }
  void operator()(const char* name, JsonValue& value, FieldLimits limits) const {
    if (limits.required || group.has(name)) value = parseJson(group.text(name), group.file());
  }
};

void readModel(const Hdf5Group& model, CaptureInfo& info) {
  visitModelFields(info, FieldReader{model});
  if (info.queryHeads % info.keyHeads != 0) {
    model.fail("query_heads to be a multiple of key_heads",
               std::to_string(info.queryHeads) + " and " + std::to_string(info.keyHeads));
  }
}

struct FieldJson {
  Json& object;

  void operator()(const char* name, double value, FieldLimits) const { object[name] = value; }
  void operator()(const char* name, const std::string& value, FieldLimits limits) const {
    if (limits.required || !value.empty()) object[name] = value;
  }
  void operator()(const char* name, const JsonValue& value, FieldLimits limits) const {
    if (limits.required || !value->is_null()) object[name] = *value;
  }
  void operator()(const char* name, const std::int64_t& value, FieldLimits limits) const {
    if (limits.required || value != 0) object[name] = value;
  }
};

void readExamples(const Hdf5Group& group, CaptureInfo& info) {
  const std::vector<std::string> ids = group.dataset(schema::kId).texts();
  const std::vector<std::int64_t> seeds = group.dataset(schema::kSeedId).int64s();
  const std::vector<std::int32_t> tokens = group.dataset(schema::kTokens).int32s();
  const std::vector<std::string> digests = group.dataset(schema::kSha256).texts();
  const std::vector<std::string> fields = group.contains(schema::kFields)
                                              ? group.dataset(schema::kFields).texts()
                                              : std::vector<std::string>(ids.size());
  if (seeds.size() != ids.size() || tokens.size() != ids.size() || digests.size() != ids.size() ||
      fields.size() != ids.size()) {
    group.fail("lists of equal length", "lists of unequal length");
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (tokens[i] < 0 || tokens[i] > info.window) {
      group.fail("at most " + std::to_string(info.window) + " tokens in an example",
                 std::to_string(tokens[i]));
    }
    info.examples.push_back({ids[i], seeds[i], tokens[i], digests[i], fields[i]});
  }
}

// "07" -> 7, if it has the form of schema::number and is below `end`.
std::int64_t numberedName(const Hdf5Object& parent, const std::string& name, std::int64_t end) {
  const std::int64_t value = parsedNumber<std::int64_t>(name).value_or(-1);
  if (value < 0 || value >= end || schema::number(value) != name) {
    parent.fail("names 00 to " + schema::number(end - 1), "\"" + name + "\"");
  }
  return value;
}

std::vector<std::int64_t> headsIn(const Hdf5Group& set, std::int64_t end) {
  const Hdf5Group vectors = set.group(schema::kVectors);
  std::vector<std::int64_t> heads;
  for (const std::string& name : vectors.names()) heads.push_back(numberedName(vectors, name, end));
  std::sort(heads.begin(), heads.end());
  return heads;
}

void readOwnSizes(const Hdf5Group& group, const CaptureInfo& info, CaptureLayerInfo& layer) {
  if (group.has(schema::kHeadDim)) layer.ownHeadDim = integerWithin(group, schema::kHeadDim, 1, kMaxHeadDim);
  if (!group.has(schema::kKeyHeads)) return;
  layer.ownKeyHeads = integerWithin(group, schema::kKeyHeads, 1, info.queryHeads);
  if (info.queryHeads % layer.ownKeyHeads != 0) {
    group.fail("key_heads to be a divisor of " + std::to_string(info.queryHeads),
               std::to_string(layer.ownKeyHeads));
  }
}

// Requires the key head of every captured query head. In files of this program every key head also has a
// query head.
void requireKeyHeads(const Hdf5Group& group, const CaptureLayerInfo& layer, const CaptureInfo& info,
                     const std::vector<std::int64_t>& queryHeads, const std::vector<std::int64_t>& keyHeads) {
  for (const std::int64_t head : queryHeads) {
    const std::int64_t key = head / info.groupSize(layer);
    if (!std::binary_search(keyHeads.begin(), keyHeads.end(), key)) {
      group.fail("key head " + schema::number(key) + " of query head " + schema::number(head), "none");
    }
  }
}

CaptureLayerInfo readLayer(const Hdf5Group& group, std::int64_t number, const CaptureInfo& info) {
  CaptureLayerInfo layer;
  layer.layer = number;
  layer.attention = group.text("attention");
  layer.window = integerWithin(group, "window", 0, std::int64_t{1} << 40);
  layer.rope = group.flag("rope");
  layer.queryScale = group.flag("query_scale");
  readOwnSizes(group, info, layer);
  const Hdf5Group query = group.group(nameOf(RowSet::Query)), key = group.group(nameOf(RowSet::Key));
  layer.queryHeads = headsIn(query, info.queryHeads);
  layer.keyHeads = headsIn(key, info.keyHeadsOf(layer));
  layer.queryRows = query.dataset(schema::kPosition).rows();
  layer.keyRows = key.dataset(schema::kPosition).rows();
  if (group.contains(nameOf(RowSet::DenseQuery))) {
    layer.denseQueryHeads = headsIn(group.group(nameOf(RowSet::DenseQuery)), info.queryHeads);
    layer.denseKeyHeads = headsIn(group.group(nameOf(RowSet::DenseKey)), info.keyHeadsOf(layer));
    if (group.has(schema::kScoreSoftcap)) layer.scoreSoftcap = group.number(schema::kScoreSoftcap);
    if (group.has(schema::kLearnedSinks)) layer.learnedSinks = group.flag(schema::kLearnedSinks);
  }
  requireKeyHeads(group, layer, info, layer.queryHeads, layer.keyHeads);
  requireKeyHeads(group, layer, info, layer.denseQueryHeads, layer.denseKeyHeads);
  return layer;
}

void readLayers(const Hdf5Group& layers, CaptureInfo& info) {
  for (const std::string& name : layers.names()) {
    info.layerInfos.push_back(readLayer(layers.group(name), numberedName(layers, name, info.layers), info));
  }
  std::sort(info.layerInfos.begin(), info.layerInfos.end(),
            [](const CaptureLayerInfo& a, const CaptureLayerInfo& b) { return a.layer < b.layer; });
}

// Number of tokens in the first `count` examples.
std::int64_t tokensOf(const CaptureInfo& info, std::int64_t count) {
  std::int64_t tokens = 0;
  for (std::int64_t i = 0; i < count; ++i) tokens += info.examples[i].tokens;
  return tokens;
}

// Requires every position of every example; the order has been checked already.
void checkComplete(const Hdf5Group& set, std::int64_t rows, const CaptureInfo& info) {
  const std::int64_t tokens = tokensOf(info, std::ssize(info.examples));
  if (rows != tokens)
    set.fail("one row for each of " + std::to_string(tokens) + " tokens", std::to_string(rows) + " rows");
}

// Requires positions inside their example, in ascending order (resources/help/capture-format.md).
void checkIndex(const Hdf5Group& set, const CapturedRows& rows, const CaptureInfo& info) {
  if (rows.example.size() != rows.position.size() || rows.bucket.size() != rows.position.size()) {
    set.fail("position, example and bucket of equal length", "unequal lengths");
  }
  for (std::size_t i = 0; i < rows.position.size(); ++i) {
    const std::int32_t example = rows.example[i], position = rows.position[i];
    if (example < 0 || static_cast<std::size_t>(example) >= info.examples.size()) {
      set.fail("examples below " + std::to_string(info.examples.size()), std::to_string(example));
    }
    if (position < 0 || position >= info.examples[example].tokens) {
      set.fail("positions inside their example",
               "position " + std::to_string(position) + " of example " + std::to_string(example));
    }
    if (i > 0 && std::pair(example, position) <= std::pair(rows.example[i - 1], rows.position[i - 1])) {
      set.fail("rows ordered by example, then position", "another order in row " + std::to_string(i));
    }
  }
}

class Hdf5Capture : public CaptureFile {
 public:
  explicit Hdf5Capture(Hdf5Group root) : m_root(std::move(root)) {
    requireFormat(m_root, schema::kCaptureFormat);
    readRoot(m_root, m_info);
    readModel(m_root.group(schema::kModel), m_info);
    visitCaptureFields(m_info, FieldReader{m_root.group(schema::kCapture)});
    readExamples(m_root.group(schema::kExamples), m_info);
    readLayers(m_root.group(schema::kLayers), m_info);
    if (m_root.contains(schema::kTexts)) m_texts.emplace(m_root.group(schema::kTexts), m_info);
    m_root.requireIntactTexts();
  }

  const CaptureInfo& info() const override { return m_info; }
  const std::filesystem::path& path() const override { return m_root.file(); }

  CapturedRows rows(const RowPlace& place) const override {
    const std::int64_t headDim = m_info.headDimOf(capturedLayer(place));
    const Hdf5Group group = rowGroupOf(m_root, place.layer, place.set);
    CapturedRows rows;
    rows.headDim = headDim;
    rows.position = group.dataset(schema::kPosition).int32s();
    rows.example = group.dataset(schema::kExample).int32s();
    rows.bucket = group.dataset(schema::kBucket).int32s();
    checkIndex(group, rows, m_info);
    if (isDense(place.set)) checkComplete(group, std::ssize(rows.position), m_info);
    rows.vectors = vectorsOf(group, place, std::ssize(rows.position), headDim).floats();
    return rows;
  }

  CapturedRows denseRows(const RowPlace& place, std::int64_t example) const override {
    const std::int64_t headDim = m_info.headDimOf(capturedLayer(place));
    if (!isDense(place.set) || example < 0 || example >= std::ssize(m_info.examples)) {
      throw InputError({path(), "example " + std::to_string(example),
                        "an example of a set that holds every position", "another example or set"});
    }
    const std::int64_t count = m_info.examples[example].tokens, first = tokensOf(m_info, example),
                       all = tokensOf(m_info, std::ssize(m_info.examples));
    CapturedRows rows;
    rows.headDim = headDim;
    for (std::int64_t t = 0; t < count; ++t) {
      rows.position.push_back(t);
      rows.example.push_back(example);
      rows.bucket.push_back(t / m_info.bucketSize);
    }
    rows.vectors =
        vectorsOf(rowGroupOf(m_root, place.layer, place.set), place, all, headDim).floats(first, count);
    return rows;
  }

  bool hasTexts() const override { return m_texts.has_value(); }
  std::vector<std::string> tokenTexts(std::int64_t example) const override {
    return m_texts ? m_texts->of(example) : std::vector<std::string>();
  }

  std::vector<std::int32_t> tokenIds(std::int64_t example) const override {
    return m_texts ? m_texts->tokenIds(example) : std::vector<std::int32_t>();
  }

  bool hasLosses() const override { return m_root.contains(schema::kLoss); }
  TokenLosses losses(std::int64_t example) const override {
    if (!hasLosses()) return {};
    const Hdf5Group group = m_root.group(schema::kLoss);
    const std::int64_t count = m_info.examples.at(example).tokens, first = tokensOf(m_info, example),
                       all = tokensOf(m_info, std::ssize(m_info.examples));
    const Hdf5Dataset nll = group.dataset(schema::kNll), place = group.dataset(schema::kFirstPlace);
    for (const Hdf5Dataset* dataset : {&nll, &place}) {
      if (dataset->rows() != all || dataset->rank() != 1)
        dataset->fail("a number for each of " + std::to_string(all) + " tokens",
                      std::to_string(dataset->rows()) + " x " + std::to_string(dataset->width()));
    }
    if (place.element() != Hdf5Element::Int32) place.fail("int32", "values of another type");
    TokenLosses losses{nll.floats(first, count), std::vector<std::int32_t>(count)};
    const std::vector<std::byte> bytes = place.bytes(first, count);
    if (!bytes.empty()) std::memcpy(losses.firstPlace.data(), bytes.data(), bytes.size());
    for (std::int64_t t = 0; t < count; ++t) {
      if (t > 0 && !std::isfinite(losses.nll[t])) nll.fail("finite losses after the first", "another number");
      if (losses.firstPlace[t] < -1 || losses.firstPlace[t] >= t)
        place.fail("earlier places, or -1", std::to_string(losses.firstPlace[t]));
    }
    return losses;
  }

  bool hasScores() const override { return m_root.contains(schema::kScores); }
  std::vector<HeadTextScores> scores(std::int64_t layer, std::int64_t head) const override {
    if (!hasScores()) return {};
    std::vector<std::int64_t> tokens;
    for (const CaptureExampleInfo& example : m_info.examples) tokens.push_back(example.tokens);
    return scoresIn(m_root.group(schema::kScores), {layer, head, RowSet::Query}, tokens);
  }
  std::vector<std::int32_t> probeTokens() const override {
    if (!m_root.contains(schema::kProbe)) return {};
    return m_root.group(schema::kProbe).dataset(schema::kTokenIds).int32s();
  }
  std::optional<HeadTextScores> probeScores(std::int64_t layer, std::int64_t head) const override {
    if (!m_root.contains(schema::kProbe)) return std::nullopt;
    const Hdf5Group group = m_root.group(schema::kProbe);
    return scoresIn(group, {layer, head, RowSet::Query}, {group.dataset(schema::kTokenIds).rows()}).front();
  }

  void openEverything() const {
    for (const char* name : {schema::kScores, schema::kProbe}) {
      if (!m_root.contains(name)) continue;
      const Hdf5Group group = m_root.group(name);
      if (name == std::string_view(schema::kProbe)) open(group.dataset(schema::kTokenIds));
      for (const CaptureLayerInfo& layer : m_info.layerInfos) {
        for (const char* dataset : {schema::kQueries, schema::kSums})
          open(group.group(schema::number(layer.layer)).dataset(dataset));
      }
    }
    if (hasLosses()) {
      for (const char* name : {schema::kNll, schema::kFirstPlace}) m_root.group(schema::kLoss).dataset(name);
    }
    for (const CaptureLayerInfo& layer : m_info.layerInfos) {
      for (const RowSet set : rowSetsOf(m_info, layer)) {
        const Hdf5Group group = rowGroupOf(m_root, layer.layer, set);
        for (const char* name : {schema::kPosition, schema::kExample, schema::kBucket})
          open(group.dataset(name));
        const Hdf5Group vectors = group.group(schema::kVectors);
        for (const std::int64_t head : headsOf(layer, set)) open(vectors.dataset(schema::number(head)));
      }
    }
  }

 private:
  static void open(const Hdf5Dataset& dataset) {
    if (dataset.filtered()) dataset.requireIntact();
  }

  // `tokens`: of every text of the group.
  std::vector<HeadTextScores> scoresIn(const Hdf5Group& all, const RowPlace& place,
                                       const std::vector<std::int64_t>& tokens) const {
    const std::vector<std::int64_t>& heads = capturedLayer(place).queryHeads;
    const Hdf5Group group = all.group(schema::number(place.layer));
    const Hdf5Dataset queries = group.dataset(schema::kQueries), sums = group.dataset(schema::kSums);
    const auto texts = std::ssize(tokens), head = std::ranges::find(heads, place.head) - heads.begin();
    const auto require = [](const Hdf5Dataset& dataset, std::int64_t rows, std::size_t width,
                            Hdf5Element element, const char* type) {
      if (dataset.rows() == rows && dataset.width() == static_cast<std::int64_t>(width) &&
          dataset.element() == element)
        return;
      dataset.fail(std::to_string(rows) + " x " + std::to_string(width) + " numbers (" + type + ")",
                   std::to_string(dataset.rows()) + " x " + std::to_string(dataset.width()) +
                       ", perhaps of another type");
    };
    require(queries, texts, kScoreCounts, Hdf5Element::Int32, "int32");
    require(sums, std::ssize(heads) * texts, kHeadScores, Hdf5Element::Float64, "float64");
    const std::vector<std::byte> counts = queries.bytes(0, texts), own = sums.bytes(head * texts, texts);
    std::vector<HeadTextScores> scores(texts);
    for (std::int64_t i = 0; i < texts; ++i) {
      ScoredQueries& of = scores[i].queries;
      std::memcpy(&of, counts.data() + i * sizeof of, sizeof of);
      std::memcpy(&scores[i].sums, own.data() + i * sizeof scores[i].sums, sizeof scores[i].sums);
      if (of.induction < 0 || of.induction > of.duplicate || of.duplicate > of.all || of.all > tokens[i])
        queries.fail("at most " + std::to_string(tokens[i]) + " queries of text " + std::to_string(i),
                     std::to_string(of.all) + ", " + std::to_string(of.induction) + " and " +
                         std::to_string(of.duplicate));
      if (!std::ranges::all_of(scores[i].sums, [](double sum) { return std::isfinite(sum); }))
        sums.fail("finite sums", "another number for head " + std::to_string(place.head));
    }
    return scores;
  }

  static Hdf5Dataset vectorsOf(const Hdf5Group& group, const RowPlace& place, std::int64_t rows,
                               std::int64_t headDim) {
    Hdf5Dataset vectors = group.group(schema::kVectors).dataset(schema::number(place.head));
    if (vectors.width() != headDim || vectors.rows() != rows) {
      vectors.fail(std::to_string(rows) + " x " + std::to_string(headDim) + " values",
                   std::to_string(vectors.rows()) + " x " + std::to_string(vectors.width()));
    }
    return vectors;
  }
  const CaptureLayerInfo& capturedLayer(const RowPlace& wanted) const {
    const auto& [layer, head, set] = wanted;
    const std::string place = "layer " + std::to_string(layer) + ", head " + std::to_string(head);
    const bool preRope = set == RowSet::QueryPreRope || set == RowSet::KeyPreRope;
    if (preRope && m_info.point != "both") {
      throw InputError({path(), place, "vectors before RoPE", "a capture of the point " + m_info.point});
    }
    for (const CaptureLayerInfo& info : m_info.layerInfos) {
      const auto& heads = headsOf(info, set);
      if (info.layer == layer && std::binary_search(heads.begin(), heads.end(), head)) return info;
    }
    throw InputError({path(), place, isDense(set) ? "a head at every position" : "a captured head",
                      "one that was not captured"});
  }

  Hdf5Group m_root;
  CaptureInfo m_info;
  std::optional<CaptureTexts> m_texts;
};

}  // namespace

Json modelFieldsJson(const CaptureInfo& info) {
  Json object = Json::object();
  visitModelFields(info, FieldJson{object});
  return object;
}

Json captureFieldsJson(const CaptureInfo& info) {
  Json object = Json::object();
  visitCaptureFields(info, FieldJson{object});
  return object;
}

std::int64_t CaptureInfo::groupSize(const CaptureLayerInfo& layer) const {
  const std::int64_t keys = keyHeadsOf(layer);
  return keys > 0 ? std::max<std::int64_t>(1, queryHeads / keys) : 1;
}

CapturedRows CaptureFile::denseRows(const RowPlace& place, std::int64_t) const {
  throw InputError({path(), "layer " + std::to_string(place.layer) + ", head " + std::to_string(place.head),
                    "a head at every position", "one that was not captured"});
}

bool isDense(const CaptureInfo& info, std::int64_t layer, std::int64_t head) {
  return std::ranges::any_of(info.layerInfos, [&](const CaptureLayerInfo& each) {
    return each.layer == layer && std::ranges::binary_search(each.denseQueryHeads, head);
  });
}

std::string contextWarning(std::int64_t window, std::int64_t trainedContext) {
  if (trainedContext <= 0 || window <= trainedContext) return "";
  return "the window of " + withCommas(window) + " tokens is longer than the model's context of " +
         withCommas(trainedContext) + "; the model was not trained on positions beyond it";
}

Hdf5Group rowGroupOf(const Hdf5Group& root, std::int64_t layer, RowSet set) {
  return root.group(schema::kLayers).group(schema::number(layer)).group(nameOf(set));
}

std::shared_ptr<const CaptureFile> captureIn(Hdf5Group root) {
  return std::make_shared<Hdf5Capture>(std::move(root));
}

void touchCapture(Hdf5Group root) {
  Hdf5Capture(std::move(root)).openEverything();
}

std::shared_ptr<const CaptureFile> openCapture(const std::filesystem::path& file) {
  return StoredFile(file).capture();
}

// ---- the tokens of its texts

CaptureTexts::CaptureTexts(Hdf5Group group, const CaptureInfo& info)
    : m_group(std::move(group)), m_begins{0}, m_vocabulary(m_group.dataset(schema::kVocabularyIds).int32s()) {
  for (const CaptureExampleInfo& example : info.examples)
    m_begins.push_back(m_begins.back() + example.tokens);
  const Hdf5Dataset ids = m_group.dataset(schema::kTokenIds);
  if (ids.rank() != 1 || ids.element() != Hdf5Element::Int32 || ids.rows() != m_begins.back())
    ids.fail(std::to_string(m_begins.back()) + " tokens (int32)", std::to_string(ids.rows()) + " values");
  if (std::adjacent_find(m_vocabulary.begin(), m_vocabulary.end(), std::greater_equal<>()) !=
      m_vocabulary.end())
    m_group.fail("ascending ids in the vocabulary", "another order");

  const std::vector<std::int64_t> ends = m_group.dataset(schema::kVocabularyEnds).int64s();
  const Hdf5Dataset stored = m_group.dataset(schema::kVocabularyBytes);
  if (stored.rank() != 1 || stored.element() != Hdf5Element::UInt8)
    stored.fail("one row of uint8", "values of another shape or type");
  const std::vector<std::byte> bytes = stored.bytes(0, stored.rows());
  const std::int64_t last = ends.empty() ? 0 : ends.back();
  if (ends.size() != m_vocabulary.size() || last != stored.rows())
    m_group.fail("one end for each of " + std::to_string(m_vocabulary.size()) + " tokens, the last at " +
                     std::to_string(stored.rows()),
                 std::to_string(ends.size()) + " ends, the last at " + std::to_string(last));
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    if (end < begin || end > stored.rows()) m_group.fail("ascending ends of tokens", std::to_string(end));
    m_pieces.emplace_back(reinterpret_cast<const char*>(bytes.data()) + begin, end - begin);
    begin = end;
  }
}

std::vector<std::int32_t> CaptureTexts::tokenIds(std::int64_t example) const {
  const auto at = static_cast<std::size_t>(example);
  if (example < 0 || at + 1 >= m_begins.size())
    m_group.fail("an example of the capture", std::to_string(example));
  const std::int64_t count = m_begins[at + 1] - m_begins[at];
  const std::vector<std::byte> bytes = m_group.dataset(schema::kTokenIds).bytes(m_begins[at], count);
  std::vector<std::int32_t> ids(count);
  std::memcpy(ids.data(), bytes.data(), bytes.size());
  return ids;
}

std::vector<std::int32_t> CaptureTexts::allTokenIds() const {
  return m_group.dataset(schema::kTokenIds).int32s();
}

std::vector<std::string> CaptureTexts::of(std::int64_t example) const {
  std::vector<std::string> texts;
  for (const std::int32_t id : tokenIds(example)) {
    const auto found = std::lower_bound(m_vocabulary.begin(), m_vocabulary.end(), id);
    if (found == m_vocabulary.end() || *found != id)
      m_group.fail("tokens of the vocabulary", std::to_string(id));
    texts.push_back(m_pieces[found - m_vocabulary.begin()]);
  }
  return texts;
}

}  // namespace plastiscope
