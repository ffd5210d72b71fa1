#include "core/causal/probe_job.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/causal/kept_runs.h"
#include "core/causal/outcome_run.h"
#include "core/causal/probe_maker.h"
#include "core/causal/probe_tables.h"
#include "core/forward/availability.h"
#include "core/jobs/capture_setup.h"
#include "core/store/capture_output.h"
#include "core/store/output_place.h"
#include "core/text/corpus.h"
#include "core/text/token_types.h"
#include "core/transformers/engine_choice.h"

namespace fs = std::filesystem;

namespace plastiscope {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TokenOutcome, nll, rank)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HeadName, layer, head)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Retrieval, queries, hits)

namespace {

constexpr std::int64_t kGroupTokens = 16384;  // results are kept after as many, at most

// ---- texts

std::shared_ptr<const Tokenizer> tokenizerOf(const CaptureRequest& run, const Model& model,
                                             Progress& progress) {
  if (!run.tokenizer.empty()) return openTokenizer(run.tokenizer);
  try {
    return openTokenizer(model.path);
  } catch (const InputError&) {
    if (!run.corpus.files.empty()) throw;
    progress.told("no tokenizer of this model is known: questions and answers are random tokens");
    return nullptr;
  }
}

ProbeSource sourceOf(const CaptureRequest& run, const Model& model, Progress& progress) {
  const bool texts = !run.corpus.files.empty(), ids = !run.tokens.empty();
  if (texts && ids) throw UsageError("probe takes either --text or --tokens");
  ProbeSource source{tokenizerOf(run, model, progress), model.spec.vocabulary, {}, {}};
  if (source.tokenizer && !run.corpus.noSpecial) source.before = tokensBeforeTexts(*source.tokenizer);
  std::vector<CorpusText> given;
  if (texts || ids) given = readTexts(run, model, progress);
  for (CorpusText& text : given) {
    progress.throwIfStopped();
    if (texts) text.tokens = source.tokenizer->encode(text.text, false, &progress).ids;
    const auto [end, rest] = std::ranges::mismatch(source.before, text.tokens);
    if (end == source.before.end()) text.tokens.erase(text.tokens.begin(), rest);
    if (!text.tokens.empty()) source.texts.push_back(std::move(text.tokens));
  }
  if (!given.empty() && source.texts.empty())
    throw InputError("there is no text for probes: all texts are empty");
  return source;
}

void addTokens(Sha256& hash, const std::vector<std::int32_t>& tokens) {
  hash.add(std::to_string(tokens.size()) + ":");
  hash.add(std::as_bytes(std::span(tokens)));  // little-endian int32
}

void requireRunnable(const std::vector<ProbeText>& probes, const ModelSpec& spec) {
  const bool table = spec.positions == "learned" || spec.positions == "sinusoidal";
  for (const ProbeText& probe : probes) {
    if (table && spec.contextLength > 0 && probe.length > spec.contextLength)
      throw UsageError("--lengths: this model has positions for " + withCommas(spec.contextLength) +
                       " tokens only, found " + withCommas(probe.length));
    for (const std::int32_t token : probe.tokens) {
      if (token < 0 || token >= spec.vocabulary)
        throw InputError({{},
                          "probe " + probe.id,
                          "token ids from 0 to " + std::to_string(spec.vocabulary - 1),
                          std::to_string(token)});
    }
  }
}

// ---- groups, and their results in files

using Probes = std::span<const ProbeText>;

struct Results {
  std::vector<Outcomes> outcomes;  // [probes][scored]
  std::vector<Retrieval> retrieval;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Results, outcomes, retrieval)

std::vector<Probes> groupsOf(Probes probes) {
  const std::int64_t longest = std::ranges::max_element(probes, {}, &ProbeText::length)->length;
  const auto atOnce = static_cast<std::size_t>(std::max<std::int64_t>(1, kGroupTokens / longest));
  std::vector<Probes> groups;
  for (std::size_t begin = 0; begin < probes.size(); begin += atOnce)
    groups.push_back(probes.subspan(begin, std::min(atOnce, probes.size() - begin)));
  return groups;
}

Results runGroups(const ProbeSetup& setup, std::uint64_t memoryLimit, const fs::path& folder,
                  Progress& progress) {
  const OutcomeRunner runner(setup.model, setup.engine, setup.forward, memoryLimit);
  const KeptResults kept(folder, setup.settingsHash);
  const std::vector<Probes> groups = groupsOf(setup.probes);
  std::vector<Results> results(groups.size());
  std::vector<RunStep> steps;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::string name = "group-" + std::to_string(i);
    if (auto known = kept.read<Results>(name)) {
      results[i] = std::move(*known);
      continue;
    }
    RunStep& step = steps.emplace_back();
    step.units = static_cast<double>(groups[i].size());
    std::vector<TextSize> sizes;
    for (const ProbeText& probe : groups[i]) {
      sizes.emplace_back(probe.length);
      step.tokens += static_cast<double>(probe.length);
      step.finished.push_back(probe.id);
    }
    step.work = setup.engine->flops(setup.model->spec, sizes, setup.model->spec.layerCount);
    step.run = [&, i, name](Progress& inside) {
      results[i].outcomes = runner.unchanged(groups[i], inside, &results[i].retrieval);
      kept.write(name, results[i]);
    };
  }
  kept.run("probe", "probe", static_cast<double>(setup.probes.size()), steps, progress);
  Results all;
  for (Results& some : results) {
    std::ranges::move(some.outcomes, std::back_inserter(all.outcomes));
    std::ranges::move(some.retrieval, std::back_inserter(all.retrieval));
  }
  return all;
}

// ---- output

std::vector<fs::path> textFiles(const CaptureRequest& run) {
  std::vector<fs::path> files = run.corpus.files;
  if (!run.tokens.empty()) files.push_back(run.tokens);
  return files;
}

void writeTokenFile(const ProbeRequest& request, const std::vector<ProbeText>& probes) {
  const OutputKind kind{"probes as token ids", [](const fs::path& file) {
                          const std::vector<CorpusText> first = readTokenFile(file, 1);
                          return std::ranges::count(first.front().id, '/') == 4;
                        }};
  OutputRules rules{textFiles(request.run), request.rules.force};
  rules.inputs.push_back(request.run.model);
  requireOutputPlace(request.write, kind, rules);
  requireWritableFolderOf(request.write);
  std::string lines;
  for (const ProbeText& probe : probes)
    lines += canonicalJson(Json{{"id", probe.id}, {"tokens", probe.tokens}}) + "\n";
  writeFileAtomically(request.write, lines);
}

}  // namespace

TableOrigin originOf(const std::string& command, const CaptureRequest& run, const ProbeSetup& setup) {
  TableOrigin origin{
      command, {{setup.model->spec.name, setup.model->fingerprint, setup.model->path}}, setup.settings};
  for (const fs::path& file : textFiles(run))
    origin.inputs.push_back({pathText(file.filename()), setup.textsDigest, file});
  return origin;
}

Json provenanceOf(const TableOrigin& origin, const ModelSpec& spec, Json more) {
  more.update({{"program_version", kVersion},
               {"model", spec.name},
               {"architecture", spec.architecture},
               {"settings", *origin.settings}});
  return more;
}

ProbeSetup prepareProbes(const ProbeRequest& request, Progress& progress) {
  const CaptureRequest& run = request.run;
  run.plan.validate();
  const OpenedModel opened =
      openWithEngine(resolveModelPath(run.model.string()), {run.engine, run.python, forwardAvailable()},
                     run.plan.ropeOverride, run.followLinks, progress);
  ProbeSetup setup{opened.model, opened.engine(), {}, {}, {}, {}, {}};
  for (const std::string& warning : setup.model->warnings) progress.warned(warning);
  setup.forward.device = run.plan.device;
  setup.forward.dtype = run.plan.dtype;
  setup.forward.threads = run.threads;
  setup.forward.output = true;
  requireVariants(*setup.engine);
  setup.engine->requireSupport(*setup.model, setup.forward);
  const ResolvedDevice device = setup.engine->resolveDevice(*setup.model, setup.forward);
  if (setup.forward.device == "auto" && !gpuProblem().empty())
    progress.told("the model runs on the CPU: " + gpuProblem());
  setup.forward.device = device.device;
  setup.forward.dtype = device.dtype;
  const ProbeSource source = sourceOf(run, *setup.model, progress);
  Sha256 ofTexts, ofProbes;
  for (const auto& tokens : source.texts) addTokens(ofTexts, tokens);
  setup.textsDigest = ofTexts.hex();
  setup.probes = makeProbes(request.settings, source, progress);
  requireRunnable(setup.probes, setup.model->spec);
  Json settings = request.settings.toJson();
  settings["device"] = device.device.substr(0, device.device.find(':'));
  settings["dtype"] = device.dtype;
  for (const ProbeText& probe : setup.probes) addTokens(ofProbes, probe.tokens);
  settings["probes_sha256"] = ofProbes.hex();
  settings["model_fingerprint"] = setup.model->fingerprint;
  settings["rope_override"] = *run.plan.ropeOverride;
  settings["program_version"] = kVersion;
  setup.settings = settings;
  setup.settingsHash = sha256Hex(canonicalJson(settings));
  return setup;
}

bool runProbes(const ProbeRequest& request, Progress& progress) {
  const ProbeSetup setup = prepareProbes(request, progress);
  const TableOrigin origin = originOf("probe", request.run, setup);
  std::optional<TableFolder> folder;
  if (!request.out.empty()) folder.emplace(request.out, origin, request.rules, probeTableNames());
  if (!request.write.empty()) writeTokenFile(request, setup.probes);
  if (!folder) return true;
  if (folder->isFinished()) return false;
  OutputLock lock(folder->path());
  const Results results = runGroups(setup, request.run.memoryLimit, lock.folder(), progress);
  folder->write(probeTables(setup.probes, results.outcomes, results.retrieval),
                provenanceOf(origin, setup.model->spec,
                             {{"probes", setup.probes.size()}, {"settings_hash", setup.settingsHash}}));
  lock.discardFolder();
  return true;
}

}  // namespace plastiscope
