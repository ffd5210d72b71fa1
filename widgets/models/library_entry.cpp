#include "widgets/models/library_entry.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <array>
#include <set>

#include "core/base/checked_json.h"
#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/natural_order.h"
#include "core/base/path_text.h"
#include "core/base/state_document.h"
#include "core/compare/published_figures.h"
#include "core/model/discovery.h"
#include "core/model/model.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"
#include "core/store/capture_parts.h"
#include "core/store/stored_file.h"
#include "core/text/corpus_file.h"
#include "core/transformers/engine_choice.h"
#include "core/views/study_facts.h"
#include "core/weights/gguf.h"
#include "widgets/state/file_text.h"
#include "widgets/state/session_state.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

QString text(const std::string& value) {
  return QString::fromStdString(value);
}
QString count(std::int64_t value) {
  return text(withCommas(value));
}

QString headsText(std::int64_t heads) {
  return heads == 1 ? QObject::tr("1 head") : QObject::tr("%1 heads").arg(count(heads));
}

QString shapeText(std::int64_t layers, std::int64_t heads, std::int64_t keyHeads, std::int64_t headDim) {
  return QObject::tr("%1 layers × %2, %3 KV, size %4").arg(layers).arg(heads).arg(keyHeads).arg(headDim);
}

QString positionsLine(const std::string& architecture, const std::string& positions) {
  return QObject::tr("%1, %2 positions, no RoPE").arg(text(architecture), text(positions));
}

QString ropeLine(const std::string& architecture, const std::string& kind, double theta) {
  const QString name = kind == "default" ? QObject::tr("plain RoPE") : text(kind) + QObject::tr(" RoPE");
  const QString base = theta > 0 ? QStringLiteral(", θ ") + count(theta) : QString();
  return QStringLiteral("%1, %2%3").arg(text(architecture), name, base);
}

QString shortFingerprint(const std::string& fingerprint) {
  const QString hex = text(fingerprint);
  return hex.size() < 16 ? hex : QStringLiteral("%1 %2 … %3").arg(hex.left(4), hex.mid(4, 4), hex.right(4));
}

QString layersLine(std::size_t nope, std::size_t sliding, std::size_t cross) {
  QStringList parts;
  if (nope > 0) parts << QObject::tr("%1 without RoPE").arg(nope);
  if (sliding > 0) parts << QObject::tr("%1 sliding").arg(sliding);
  if (cross > 0) parts << QObject::tr("%1 cross-attention").arg(cross);
  return parts.isEmpty() ? QObject::tr("all with full attention") : parts.join(QStringLiteral(", "));
}

LibraryEntry modelEntry(const ModelCard& card) {
  LibraryEntry entry;
  entry.kind = EntryKind::Model;
  entry.path = card.path;
  // A file name is more specific than the name in its metadata.
  const bool file = card.container == "GGUF" || card.spec.name.empty();
  entry.name = file ? fileText(card.path.stem()) : text(card.spec.name);
  entry.architecture = text(card.spec.architecture);
  const QString types = text(card.weightTypes).section(QLatin1Char(' '), 0, 0);
  if (entry.name.endsWith(QLatin1Char('.') + types)) entry.name.chop(types.size() + 1);  // shown separately
  const QString bytes = text(byteText(card.weightBytes));
  entry.note = types;
  entry.summary = QObject::tr("%1 × %2 heads, %3, %4, %5")
                      .arg(card.spec.layerCount)
                      .arg(card.spec.queryHeads)
                      .arg(types, bytes, text(card.container));
  entry.fits = card.weightBytes < availableMemoryBytes() / 5 * 4;
  std::size_t sliding = 0;
  for (const auto& window : card.windows) sliding += window.layers.size();
  const bool rope = card.spec.positions == "rope";
  entry.card = {{QObject::tr("Family"), rope ? ropeLine(card.spec.architecture, card.spec.ropes.front().kind,
                                                        card.spec.ropes.front().theta)
                                             : positionsLine(card.spec.architecture, card.spec.positions)},
                {QObject::tr("Heads"), shapeText(card.spec.layerCount, card.spec.queryHeads,
                                                 card.spec.keyHeads, card.spec.headDim)},
                {QObject::tr("Layers"), layersLine(card.nopeLayers.size(), sliding, card.crossLayers.size())},
                {QObject::tr("Context"), QObject::tr("%1 tokens").arg(count(card.spec.contextLength))},
                {QObject::tr("Weights"), QStringLiteral("%1, %2").arg(text(card.weightTypes), bytes)},
                {QObject::tr("Fingerprint"), shortFingerprint(card.fingerprint)}};
  if (!card.engine->is_null()) entry.card.append({QObject::tr("Engine"), text(engineText(card.engine))});
  return entry;
}

// A model whose family only transformers knows, which is asked when the model is opened.
LibraryEntry otherModel(const fs::path& path, const std::string& name, const std::string& architecture) {
  LibraryEntry entry;
  entry.kind = EntryKind::Model;
  entry.path = path;
  entry.name = text(name);
  entry.architecture = text(architecture);
  entry.note = QStringLiteral("transformers");
  entry.summary = QObject::tr("opened by transformers");
  entry.card = {{QObject::tr("Family"), entry.architecture},
                {QObject::tr("Engine"), QObject::tr("transformers; a capture needs a Python with it")}};
  return entry;
}

LibraryEntry brokenModel(const FoundModel& found) {
  LibraryEntry entry;
  entry.kind = EntryKind::Model;
  entry.path = found.path;
  entry.name = text(found.name);
  entry.architecture = text(found.architecture);
  entry.note = found.unfinished ? QObject::tr("unfinished") : QObject::tr("not usable");
  entry.summary = text(found.problem);
  entry.fits = false;
  entry.card = {{QObject::tr("Problem"), text(found.problem)}};
  return entry;
}

std::uint64_t sizeOf(const fs::path& file) {
  std::error_code failed;
  const auto bytes = fs::file_size(file, failed);
  return failed ? 0 : bytes;
}

// Prefers the file or folder name over the name in the metadata: "SmolLM2-135M-Instruct.Q4_1".
QString modelTitle(const CaptureInfo& info) {
  QString source = text(info.modelSource);
  if (source.endsWith(QLatin1String(".gguf"))) source.chop(5);
  return source.isEmpty() ? text(info.modelName) : source;
}

LibraryEntry captureEntry(const fs::path& path, const CaptureFile& capture) {
  const CaptureInfo& info = capture.info();
  LibraryEntry entry;
  entry.kind = EntryKind::Capture;
  entry.path = path;
  entry.name = fileText(path.stem());
  entry.architecture = text(info.architecture);
  entry.note = windowText(info.window);
  std::int64_t heads = 0, rows = 0, tokens = 0, nope = 0, sliding = 0;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    heads += layer.queryHeads.size();
    rows = std::max(rows, layer.queryRows);
    nope += !layer.rope;
    sliding += layer.attention == "sliding";
  }
  for (const CaptureExampleInfo& example : info.examples) tokens += example.tokens;
  const auto part = partOf(info.settings);
  entry.summary =
      part ? QObject::tr("part %1 of %2, %3").arg(part->index).arg(part->count).arg(headsText(heads))
           : QObject::tr("capture, %1").arg(headsText(heads));
  const Json rope = mainRope(info.rope);
  const std::string kind = rope.is_object() ? rope.value("rope_type", "default") : "default";
  const double theta = rope.is_object() ? rope.value("rope_theta", 0.0) : 0;
  entry.card = {
      {QObject::tr("Model"), modelTitle(info)},
      {QObject::tr("Family"), info.positions.empty() ? ropeLine(info.architecture, kind, theta)
                                                     : positionsLine(info.architecture, info.positions)},
      {QObject::tr("Heads"), shapeText(info.layers, info.queryHeads, info.keyHeads, info.headDim)},
      {QObject::tr("Captured"),
       info.layerInfos.size() == 1
           ? QObject::tr("%1 in 1 layer").arg(headsText(heads))
           : QObject::tr("%1 in %2 layers").arg(headsText(heads)).arg(info.layerInfos.size())},
      {QObject::tr("Layers"), layersLine(nope, sliding, 0)},
      {QObject::tr("Window"),
       QObject::tr("%1 of %2 tokens")
           .arg(count(info.window),
                count(info.trainedContext > 0 ? info.trainedContext : info.contextLength))},
      {QObject::tr("Texts"), QObject::tr("%1, %2 tokens").arg(count(info.examples.size()), count(tokens))},
      {QObject::tr("Rows"), QObject::tr("up to %1 Q and K per head").arg(count(rows))},
      {QObject::tr("Sampler"),
       QObject::tr("%1, B %2, rate %3").arg(text(info.sampler), count(info.bucketSize)).arg(info.rate)},
      {QObject::tr("Stored"), text(byteText(sizeOf(path)))},
      {QObject::tr("Fingerprint"), shortFingerprint(info.fingerprint)}};
  if (!info.engine->is_null()) entry.card.append({QObject::tr("Engine"), text(engineText(info.engine))});
  if (part) entry.card.prepend({QObject::tr("Part"), text(partText(info))});
  const auto addChange = [&](const QString& title, const std::string& what) {
    if (!what.empty()) entry.card.insert(2, {title, text(what)});
  };
  addChange(QObject::tr("RoPE"), overriddenRopeText(info));
  addChange(QObject::tr("Ablated"), textOr(info.settings, "ablate"));
  addChange(QObject::tr("Clamped"), textOr(info.settings, "clamp_bias"));
  return entry;
}

}  // namespace

LibraryEntry analysisEntry(const fs::path& path, const AnalysisFile& analysis) {
  const StudyFacts facts = factsOf(analysis);
  const bool known = Json(analysis.provenance.settings).is_object();
  const std::int64_t pairs = known ? settingsOf(analysis).pairs : -1;
  const Table* heads = analysis.find("heads");
  LibraryEntry entry;
  entry.kind = EntryKind::Analysis;
  entry.path = path;
  entry.name = fileText(path.stem());
  if (entry.name.endsWith(QLatin1String(".analysis"))) entry.name.chop(9);  // listed under Analyses
  entry.architecture = text(facts.architecture);
  entry.note = pairs == 0  ? QObject::tr("all pairs")
               : pairs > 0 ? QObject::tr("%1 pairs").arg(pairs)
                           : QString();
  const std::int64_t rows = heads ? heads->rows() : 0;
  entry.summary = QObject::tr("analysis, %1").arg(headsText(rows));
  entry.card = {{QObject::tr("Model"), text(facts.model)},
                {QObject::tr("Heads"), count(rows)},
                {QObject::tr("Window"), QObject::tr("%1 tokens").arg(count(facts.window))},
                {QObject::tr("Pairs"), entry.note},
                {QObject::tr("Capture"), text(fs::path(analysis.provenance.captureFile).filename().string())},
                {QObject::tr("Settings"), shortFingerprint(analysis.provenance.settingsHash)}};
  return entry;
}

namespace {

bool isTextFile(const fs::path& path) {
  static const std::array kExtensions = {".txt", ".jsonl", ".json", ".md"};
  return std::find(kExtensions.begin(), kExtensions.end(), path.extension().string()) != kExtensions.end();
}

bool isStudyFile(const fs::path& path) {
  return path.extension() == ".h5" || path.extension() == ".hdf5";
}

std::vector<fs::path> studiesIn(const fs::path& folder) {
  std::vector<fs::path> studies;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    fs::path analysis = entry.path();
    analysis.replace_extension(".analysis.h5");
    if (isStudyFile(entry.path()) && entry.is_regular_file(ignored) && !fs::exists(analysis, ignored))
      studies.push_back(entry.path());
  }
  std::ranges::sort(studies, [](const fs::path& a, const fs::path& b) {
    return naturallyBefore(pathText(a), pathText(b));
  });
  return studies;
}

bool holdsParquet(const fs::path& folder) {
  std::error_code ignored;
  for (auto it =
           fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, ignored);
       !ignored && it != fs::recursive_directory_iterator(); it.increment(ignored)) {
    if (it.depth() > 3) it.disable_recursion_pending();
    if (it->path().extension() == ".parquet") return true;
  }
  return false;
}

}  // namespace

PathKind classifyPath(const fs::path& path) {
  return openPath(path).kind;
}

fs::path sessionOfLibrary(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return path;
  const fs::path session = path / kLibrarySession;
  return stateFormatOf(session) == SessionStore::kFormat ? session : path;
}

OpenedPath openPath(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw InputError({path, "", "", "there is no such file or folder"});
  if (fs::is_directory(path, ignored)) {
    if (fs::exists(path / "config.json", ignored)) return {PathKind::Model, nullptr};
    std::vector<fs::path> studies = studiesIn(path);
    if (!studies.empty()) return {PathKind::Studies, nullptr, std::move(studies)};
    if (holdsParquet(path)) {
      throw InputError(
          {path, "", "",
           "a folder of Parquet files. Convert it to a capture with plastiscope-cli import qk-sniffer"});
    }
    throw InputError(
        {path, "", "a model folder with config.json, or a folder with captures", "a folder with neither"});
  }
  if (isStudyFile(path)) {
    auto study = std::make_shared<const StoredFile>(path);
    if (study->kind() != FileType::Other) return {PathKind::Study, std::move(study)};
    if (looksLikeGguf(path)) return {PathKind::Model, nullptr};
    study->refuse("a capture or an analysis of Plastiscope");
  }
  const InputFile file(path);  // throws for a pipe, a device and unreadable files
  if (looksLikeGguf(path) || path.extension() == ".safetensors") return {PathKind::Model, nullptr};
  if (const std::string format = stateFormatOf(path); !format.empty()) {
    if (format == SessionStore::kFormat) return {PathKind::Session, nullptr};
    throw InputError({path, "", "a capture, an analysis, a model, a session or a text",
                      "an internal file of Plastiscope (" + format + ")"});
  }
  if (isTextFile(path) || (path.extension().empty() && looksLikeText(path))) return {PathKind::Text, nullptr};
  throw InputError({path, "", "a capture, an analysis, a model folder, a .gguf file, a session or a text",
                    "none of these"});
}

LibraryEntry readEntry(const fs::path& path) {
  const OpenedPath opened = openPath(path);
  if (opened.study) return studyEntry(*opened.study);
  const std::optional<FolderFacts> folder = readFolderFacts(path);
  if (folder && !folder->known) return otherModel(folder->folder, folder->name, folder->modelType);
  return modelEntry(cardOf(*openModel(path)));
}

LibraryEntry readEntry(const fs::path& path, const std::string& python, Progress& progress) {
  const OpenedPath opened = openPath(path);
  if (opened.study) return studyEntry(*opened.study);
  const OpenedModel model = openWithEngine(path, {EngineKind::Auto, python}, {}, false, progress);
  LibraryEntry entry = modelEntry(cardOf(*model.model));
  if (model.transformers)
    entry.card.append({QObject::tr("Needs"), text(model.transformers->needs(*model.model))});
  return entry;
}

LibraryEntry studyEntry(const StoredFile& file) {
  LibraryEntry entry = file.kind() == FileType::Capture
                           ? captureEntry(file.path(), *file.capture())
                           : analysisEntry(file.path(), *file.analysis(DamagedTables::LeaveOut));
  entry.digest = text(file.id().captureDigest());
  return entry;
}

std::vector<LibraryEntry> findModelEntries(const std::vector<fs::path>& modelFolders,
                                           const std::vector<fs::path>& files, Progress& progress) {
  std::vector<LibraryEntry> entries;
  std::set<fs::path> known;
  for (const FoundModel& found : findModels(modelFolders)) {
    progress.throwIfStopped();
    LibraryEntry entry = found.card          ? modelEntry(*found.card)
                         : found.otherFamily ? otherModel(found.path, found.name, found.architecture)
                                             : brokenModel(found);
    entry.path = found.path;
    if (found.card || found.otherFamily) entry.name = text(found.name.substr(found.name.rfind('/') + 1));
    entry.card.append({QObject::tr("Found in"), text(found.source)});
    known.insert(found.path);
    entries.push_back(std::move(entry));
  }
  for (const fs::path& file : files) {
    progress.throwIfStopped();
    try {
      if (isStudyFile(file) || known.contains(file) || classifyPath(file) != PathKind::Model) continue;
      entries.push_back(readEntry(file));
    } catch (const Error&) {  // missing, or no longer a model
    }
  }
  return entries;
}

std::vector<LibraryEntry> publishedEntries() {
  std::vector<LibraryEntry> entries;
  for (const AtlasEntry& published : publishedAtlas()) {
    const ReferenceModel& model = published.model;
    LibraryEntry entry;
    entry.kind = EntryKind::Published;
    entry.path = publishedInput(model.id);
    entry.name = text(model.title);
    entry.note = windowText(model.window);
    entry.digest = text(publishedInput(model.id));
    entry.architecture = text(model.family);
    entry.place = entries.size();  // checkpoints: their place in the run
    entry.summary = QObject::tr("published: %1").arg(text(joined(published.shown)));
    entry.card = {{QObject::tr("Source"), QObject::tr("the thesis; no heads, no rows")},
                  {QObject::tr("Published"), text(joined(published.shown))},
                  {QObject::tr("Layers"), count(model.layers)},
                  {QObject::tr("Window"), QObject::tr("%1 tokens").arg(count(model.window))}};
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<LibraryEntry> findStudyEntries(const std::vector<fs::path>& folders,
                                           const std::vector<fs::path>& files, Progress& progress) {
  std::set<fs::path> candidates;
  std::error_code ignored;
  for (const fs::path& file : files) {
    if (!isStudyFile(file)) continue;
    if (fs::is_regular_file(file, ignored)) candidates.insert(file);
    const fs::path analysis = fs::path(file).replace_extension(".analysis.h5");  // made on opening it
    if (fs::is_regular_file(analysis, ignored)) candidates.insert(analysis);
  }
  for (const fs::path& folder : folders) {
    for (const auto& each :
         fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, ignored)) {
      if (isStudyFile(each.path()) && each.is_regular_file(ignored)) candidates.insert(each.path());
    }
  }
  std::vector<LibraryEntry> entries;
  for (const fs::path& file : candidates) {
    progress.throwIfStopped();
    try {
      entries.push_back(readEntry(file));
    } catch (const Error&) {  // damaged or foreign: opening it shows the reason
    }
  }
  return entries;
}

}  // namespace plastiscope
