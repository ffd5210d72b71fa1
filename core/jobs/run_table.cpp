#include "core/jobs/run_table.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <set>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/natural_order.h"
#include "core/base/path_text.h"
#include "core/base/platform.h"
#include "core/capture/capture_request.h"
#include "core/compare/comparison.h"
#include "core/jobs/analysis_identity.h"
#include "core/model/model_card.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"
#include "core/views/head_filter.h"
#include "core/views/study_facts.h"
#include "core/views/study_notes.h"

namespace fs = std::filesystem;

namespace plastiscope {

const std::vector<RunColumn>& runColumns() {
  using enum RunCell;
  static const std::vector<RunColumn> kColumns = {
      {"name", "Name", "File name without its ending", Text, true},
      {"differs", "Differs in", "Settings in which the compared runs differ", Text, true},
      {"kind", "Kind", "capture, analysed (a capture with its analysis), or analysis"},
      {"model", "Model", "Model file, or name of the model", Text, true},
      {"texts", "Texts", "Ids of the texts: the first and the last", Text, true},
      {"n_texts", "n texts", "Number of texts", Whole, true},
      {"window", "Window", "Window in tokens", Whole, true},
      {"rate", "Rate", "Expected rows per bucket and text", Number, true},
      {"heads", "Heads", "Captured query heads", Whole},
      {"rope", "RoPE change", "RoPE settings in place of the model's own", Text, true},
      {"ablate", "Ablated", "Heads whose output is zero", Text, true},
      {"bins", "Bins", "Bins of the analysis", Text, true},
      {"dtype", "Compute type", "Number format of the computation", Text},
      {"engine", "Engine", "native, or transformers with its version"},
      {"loss", "Loss", "Mean loss of the tokens in nats, from the analysis of a capture with --loss", Number,
       true},
      {"date", "Date", "Time at which the capture or analysis was made, in UTC", Text, true},
      {"size", "Bytes", "Size of the file", Whole},
      {"tags", "Tags", "Tags in the notes of the run, separated by commas", Text, true},
      {"other", "Other settings", "Further settings that are not the defaults"},
      {"group", "Group", "Name of the folder: the runs of a sweep share one"},
      {"file", "File", "Path of the file"}};
  return kColumns;
}

namespace {

// Settings that have columns; all others are in `other`.
const std::set<std::string> kToldInColumns = {"model", "texts",  "texts_id", "examples", "window", "rate",
                                              "rope",  "ablate", "heads",    "dtype",    "engine", "bins"};

bool isRunFile(const fs::path& file) {
  std::error_code ignored;
  return (file.extension() == ".h5" || file.extension() == ".hdf5") && fs::is_regular_file(file, ignored);
}

bool isAnalysisName(const fs::path& file) {
  return file.stem().extension() == ".analysis";
}

// "study" for "study.h5" and "study.analysis.h5".
std::string nameOfRun(const fs::path& file) {
  return pathText(isAnalysisName(file) ? file.stem().stem() : file.stem());
}

fs::path ownAnalysisOf(const fs::path& capture) {
  return fs::path(capture).replace_extension(".analysis.h5");
}

fs::path withEnding(const fs::path& file, const char* ending) {
  return file.parent_path() / ((isAnalysisName(file) ? file.stem().stem() : file.stem()).string() + ending);
}

// "2026-11-22T16:20:21Z" -> "2026-11-22 16:20"
std::string dateText(const std::string& created) {
  std::string text = created.substr(0, 16);
  std::ranges::replace(text, 'T', ' ');
  return text;
}

void addTexts(const CaptureInfo& info, Json& values, Json& settings) {
  std::string all;
  for (const CaptureExampleInfo& example : info.examples)
    all += example.id + "\n" + std::to_string(example.tokens) + " " + example.sha256 + "\n";
  if (info.examples.empty()) return;
  const std::string &first = info.examples.front().id, &last = info.examples.back().id;
  settings["texts"] = values["texts"] = first == last ? first : first + " … " + last;
  settings["texts_id"] = sha256Hex(all).substr(0, 6);
}

// Facts that captures and analyses both have (AnalysisProvenance::capture).
void addFacts(const Json& facts, Json& values) {
  if (!facts.is_object()) return;
  for (const auto& [name, key] : {std::pair("model", "model"),
                                  {"window", "window"},
                                  {"rate", "rate"},
                                  {"ablate", "ablate"},
                                  {"n_texts", "examples"}})
    if (facts.contains(key)) values[name] = facts[key];
}

void addAnalysis(const AnalysisFile& analysis, Json& values) {
  const Json& settings = analysis.provenance.settings;
  if (settings.is_object() && settings.contains("bins")) values["bins"] = settings["bins"];
  if (const Table* heads = analysis.find("heads")) values["heads"] = static_cast<std::int64_t>(heads->rows());
  const Table* loss = analysis.leftOut.contains("loss") ? nullptr : analysis.find("loss");
  for (std::size_t row = 0; loss != nullptr && row < loss->rows(); ++row)
    if (loss->texts("part")[row] == "all") values["loss"] = loss->numbers("nll")[row];
}

Run runOfCapture(const CaptureFile& capture) {
  const CaptureInfo& info = capture.info();
  const Json facts = captureFacts(info);
  Json settings = tellingSettings(facts, {});
  Json values{{"date", dateText(info.created)}, {"dtype", info.computeDtype}};
  addFacts(facts, values);
  std::string model = info.modelSource.empty() ? info.modelName : info.modelSource;
  if (model.ends_with(".gguf")) model.resize(model.size() - 5);
  settings["model"] = values["model"] = model;
  addTexts(info, values, settings);
  std::int64_t heads = 0;
  for (const CaptureLayerInfo& layer : info.layerInfos) heads += std::ssize(layer.queryHeads);
  settings["heads"] = values["heads"] = heads;
  settings["dtype"] = info.computeDtype;
  values["engine"] = info.engine->is_object()
                         ? textOr(info.engine, "name") + " " + textOr(info.engine, "transformers")
                         : "native";
  settings["engine"] = values["engine"];
  // Settings of the capture that are not the defaults and not told by others.
  const Json usual = CapturePlan().toJson();
  for (const auto& [key, value] : info.settings->items()) {
    if (key == "rope_override" && value.is_object()) values["rope"] = settingsText({{"rope", value}});
    if (key == "bucket_size" && value == std::max<std::int64_t>(1, info.window / 16)) continue;
    static const std::set<std::string> kTold = {"heads", "window", "rope_override", "dtype", "device"};
    if (!usual.contains(key) || value == usual[key] || kTold.contains(key) || settings.contains(key))
      continue;
    settings[key] = value.is_structured() ? Json(canonicalJson(value)) : value;
  }
  return {capture.path(), FileType::Capture, {}, values, settings};
}

Run runOfAnalysis(const fs::path& file, const AnalysisFile& analysis) {
  const AnalysisProvenance& of = analysis.provenance;
  Json values{{"date", dateText(of.created)}}, settings = tellingSettings(of.capture, of.settings);
  addFacts(of.capture, values);
  addAnalysis(analysis, values);
  if (values.contains("heads")) settings["heads"] = values["heads"];
  return {file, FileType::Analysis, {}, values, settings};
}

// Members of `more` replace those of `first`.
JsonValue merged(const Json& first, const Json& more) {
  Json all = first.is_object() ? first : Json::object();
  all.update(more);
  return all;
}

// An analysis knows its capture's facts; the capture beside it also has those that only captures have.
Run joinedRun(const Run& capture, const Run& analysis) {
  Run run = analysis;
  run.values = merged(merged(capture.values, analysis.values), {{"model", capture.values["model"]}});
  run.settings = merged(merged(capture.settings, analysis.settings), {{"model", capture.settings["model"]}});
  return run;
}

// Notes in a file; nothing if there are none, they cannot be read, or belong to another capture.
std::optional<StudyNotes> notesIn(const fs::path& file, const StudyId& capture) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  const Json content = notesFile(file).read();  // the notes panel shows problems
  if (!content.is_object()) return std::nullopt;
  const StudyId owner = captureInNotes(content);
  return owner.known() && owner != capture ? std::nullopt : std::optional(StudyNotes::fromJson(content));
}

std::vector<std::string> tagsOf(const Run& run, const fs::path& settingsFolder) {
  const StudyId capture = run.id.ofCapture();
  std::vector<fs::path> places = {notesFileOf(run.file),
                                  withEnding(run.file, ("." + capture.digest() + kNotesSuffix).c_str())};
  if (!settingsFolder.empty()) places.push_back(settingsFolder / "notes" / (capture.digest() + ".json"));
  for (const fs::path& place : places)
    if (auto notes = notesIn(place, capture); notes && !notes->tags.empty()) return notes->tags;
  return {};
}

std::set<fs::path> filesIn(const RunPlaces& places) {
  std::set<fs::path> files;
  std::error_code failed;
  for (const fs::path& folder : places.folders) {
    for (const auto& each :
         fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, failed))
      if (isRunFile(each.path())) files.insert(each.path());
    if (failed) throw InputError({folder, "", "", failed.message()});
  }
  for (const fs::path& file : places.files) {
    if (!fs::exists(file, failed)) throw InputError({file, "", "", "there is no such file"});
    if (isRunFile(file)) files.insert(file);
  }
  return files;
}

// Captures take their analysis; other analyses take what their capture knows.
std::vector<Run> joinedRuns(const std::vector<Run>& found) {
  std::map<fs::path, const Run*> byFile;
  std::map<std::string, const Run*> captures;
  for (const Run& run : found) {
    byFile[run.file] = &run;
    if (run.kind == FileType::Capture && run.id.known()) captures[run.id.digest()] = &run;
  }
  std::set<fs::path> own;
  std::vector<Run> runs;
  for (const Run& run : found) {
    const auto analysis = byFile.find(ownAnalysisOf(run.file));
    if (run.kind != FileType::Capture || analysis == byFile.end()) continue;
    if (analysis->second->kind == FileType::Analysis && analysis->second->id.ofCapture() == run.id)
      own.insert(analysis->first);
  }
  for (const Run& run : found) {
    if (own.contains(run.file)) continue;
    const fs::path analysis = ownAnalysisOf(run.file);
    const auto capture = captures.find(run.id.ofCapture().digest());
    if (own.contains(analysis)) {
      runs.push_back(joinedRun(run, *byFile[analysis]));
      runs.back().file = run.file;
      runs.back().kind = run.kind;
      runs.back().id = run.id;
      runs.back().ownAnalysis = true;
      runs.back().values.set("date", run.values["date"]);
    } else if (run.kind == FileType::Analysis && capture != captures.end()) {
      runs.push_back(joinedRun(*capture->second, run));
    } else {
      runs.push_back(run);
    }
  }
  return runs;
}

}  // namespace

Run RunFinder::read(const fs::path& file) {
  const auto bytes = fs::file_size(file);
  const auto changed = fs::last_write_time(file);
  {
    const std::lock_guard lock(m_mutex);
    const auto kept = m_kept.find(file);
    if (kept != m_kept.end() && kept->second.bytes == bytes && kept->second.changed == changed)
      return kept->second.run;
  }
  const StoredFile stored(file);
  if (stored.kind() == FileType::Other) stored.refuse();
  Run run = stored.kind() == FileType::Capture
                ? runOfCapture(*stored.capture())
                : runOfAnalysis(file, *stored.analysis(DamagedTables::LeaveOut));
  run.id = stored.id();
  run.values.set("size", bytes);
  const std::lock_guard lock(m_mutex);
  m_kept[file] = {bytes, changed, run};
  return run;
}

std::vector<Run> RunFinder::find(const RunPlaces& places, Progress& progress) {
  const std::set<fs::path> files = filesIn(places);
  UnitCounter counter(progress, "runs", "file", files.size());
  std::vector<Run> found;
  for (const fs::path& file : files) {
    progress.throwIfStopped();
    try {
      found.push_back(read(file));
    } catch (const InputError& error) {
      progress.warned(error.what());
    } catch (const fs::filesystem_error&) {  // removed meanwhile
    }
    counter.finished();
  }
  std::vector<Run> runs = joinedRuns(found);
  for (Run& run : runs) run.tags = tagsOf(run, places.settingsFolder);
  std::ranges::sort(runs, [](const Run& a, const Run& b) {
    const fs::path of = a.file.parent_path(), other = b.file.parent_path();
    return of != other ? naturallyBefore(pathText(of), pathText(other))
                       : naturallyBefore(nameOfRun(a.file), nameOfRun(b.file));
  });
  return runs;
}

std::vector<std::string> runDifferences(const std::vector<Run>& runs, const std::vector<std::size_t>& rows) {
  std::vector<Json> settings;
  for (const std::size_t row : rows) settings.push_back(runs[row].settings);
  return differenceTexts(settings);
}

Table runTable(const std::vector<Run>& runs) {
  std::vector<Column> columns;  // whole numbers may be missing, too
  for (const RunColumn& column : runColumns())
    columns.push_back(column.type == RunCell::Text ? texts(column.name) : numbers(column.name));
  std::vector<std::size_t> all(runs.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const std::vector<std::string> differs = runDifferences(runs, all);
  const Json usual = CapturePlan().toJson();
  TableBuilder table("runs", std::move(columns));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    Json other = Json::object();
    for (const auto& [key, value] : run.settings->items())
      if (!kToldInColumns.contains(key) && value != usual.value(key, Json())) other[key] = value;
    Json values = run.values;
    values.update({{"name", nameOfRun(run.file)},
                   {"differs", differs[i]},
                   {"kind", run.ownAnalysis                 ? "analysed"
                            : run.kind == FileType::Capture ? "capture"
                                                            : "analysis"},
                   {"tags", joined(run.tags)},
                   {"other", settingsText(other)},
                   {"group", pathText(fs::absolute(run.file).parent_path().filename())},
                   {"file", pathText(run.file)}});
    std::vector<Cell> cells;
    for (const RunColumn& column : runColumns()) {
      const Json value = values.value(column.name, Json());
      if (column.type == RunCell::Text)
        cells.emplace_back(value.is_string() ? value.get<std::string>()
                           : value.is_null() ? ""
                                             : value.dump());
      else
        cells.emplace_back(value.is_number() ? value.get<double>() : kMissing);
    }
    table.row(cells);
  }
  return table.take();
}

std::vector<std::size_t> arrangedRows(const Table& runs, const std::string& filter, const std::string& sort,
                                      bool descending) {
  const HeadFilter matching(filter, runs);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < runs.rows(); ++row)
    if (matching.matches(row)) rows.push_back(row);
  if (sort.empty()) return rows;
  std::vector<std::string> names;
  for (const Column& column : runs.columns) names.push_back(column.name);
  const Column* by = runs.find(sort);
  if (by == nullptr) throw UsageError("there is no column \"" + sort + "\"" + didYouMean(sort, names));
  const auto order = [&](const auto& values, const auto& missing, const auto& before) {
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
      const auto &x = values[a], &y = values[b];
      if (missing(x) || missing(y)) return !missing(x) && missing(y);
      return descending ? before(y, x) : before(x, y);
    });
  };
  if (const auto* texts = std::get_if<std::vector<std::string>>(&by->values))
    order(*texts, [](const std::string& text) { return text.empty(); }, naturallyBefore);
  else
    order(
        std::get<std::vector<double>>(by->values), [](double x) { return std::isnan(x); },
        std::less<double>());
  return rows;
}

std::vector<fs::path> filesOfRun(const Run& run) {
  std::vector<fs::path> files = {run.file};
  if (run.ownAnalysis) files.push_back(ownAnalysisOf(run.file));
  const fs::path notes = notesFileOf(run.file);
  if (!notesIn(notes, run.id.ofCapture())) return files;
  files.push_back(notes);
  const fs::path previous = fs::path(notes) += ".previous";
  std::error_code ignored;
  if (fs::is_regular_file(previous, ignored)) files.push_back(previous);
  return files;
}

fs::path renameRun(const Run& run, const std::string& name) {
  const std::string plain = bytesOfText(name), before = bytesOfText(nameOfRun(run.file));
  if (plain.empty() || plain.front() == '.' ||
      plain.find_first_of(std::string("/\0", 2)) != std::string::npos)
    throw InputError("a name needs at least one character, no / and no dot at its start; found \"" + name +
                     "\"");
  std::vector<std::pair<fs::path, fs::path>> renamed;
  for (const fs::path& file : filesOfRun(run)) {
    const fs::path to = file.parent_path() / (plain + file.filename().string().substr(before.size()));
    if (renameToFree(file, to) == 0) {
      renamed.emplace_back(file, to);
      continue;
    }
    const std::string reason =
        errno == EEXIST ? "there is already a file of this name" : std::strerror(errno);
    for (const auto& [from, now] : renamed) renameToFree(now, from);
    throw InputError({to, "", "", reason});
  }
  return renamed.front().second;
}

}  // namespace plastiscope
