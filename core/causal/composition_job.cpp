#include "core/causal/composition_job.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/causal/experiment_sets.h"
#include "core/store/capture_output.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

std::vector<HeadEdge> listedEdges(const std::string& list, const ModelSpec& spec) {
  std::vector<HeadEdge> edges;
  std::istringstream stream(list);
  for (std::string item; std::getline(stream, item, ',');) {
    edges.push_back(HeadEdge::parse(item));
    requireHeads({edges.back().from, edges.back().to}, spec);
  }
  return edges;
}

// The edges of a request with their scores: listed ones in their order, else by falling score and, for runs,
// one of those that the same cut removes.
std::vector<HeadEdge> chosenEdges(const CompositionRequest& request, const Model& model, Progress& progress) {
  const ModelSpec& spec = model.spec;
  const auto scoresOf = [&](const std::vector<HeadName>& heads) {
    progress.told("computing the scores of the edges between " + withCommas(std::ssize(heads)) + " heads");
    return compositionScores(model, heads, request.probes.run.threads, progress);
  };
  if (request.edges.find('>') != std::string::npos) {
    std::vector<HeadEdge> listed = listedEdges(request.edges, spec);
    std::set<HeadName> ends;
    for (const HeadEdge& edge : listed) ends.insert({edge.from, edge.to});
    const std::vector<HeadEdge> scored = scoresOf({ends.begin(), ends.end()});
    for (HeadEdge& edge : listed)
      edge = *std::ranges::find_if(scored, [&](const HeadEdge& one) { return one.sameEnds(edge); });
    return listed;
  }
  std::size_t most = std::string::npos;
  const std::string& number = request.edges;
  const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), most);
  if (number != "all" && (failed != std::errc() || end != number.data() + number.size() || most == 0))
    throw UsageError("--edges: expected a number, all, or a list of edges such as L0H4>L1H7:k, found \"" +
                     number + "\"");
  std::vector<HeadEdge> ranked =
      scoresOf(request.heads == "all" ? headsWithAttention(spec) : headsMeant(request.heads, spec));
  std::ranges::stable_sort(ranked, std::greater(), &HeadEdge::score);
  std::set<std::tuple<HeadName, AttentionInput, HeadName>> cuts;
  std::vector<HeadEdge> chosen;
  for (const HeadEdge& edge : ranked) {
    if (chosen.size() >= most) break;
    HeadName entered = edge.to;
    if (edge.into != AttentionInput::Query && !request.weightsOnly)
      entered.head /= spec.groupSize(entered.layer);
    if (cuts.insert({edge.from, edge.into, entered}).second) chosen.push_back(edge);
  }
  if (chosen.empty())
    throw UsageError("--heads: expected heads of at least two layers, found " + request.heads);
  return chosen;
}

Json settingsOf(const CompositionRequest& request) {
  return {{"heads", request.heads},
          {"edges", request.edges},
          {"replace", nameOf(request.replacement)},
          {"weights_only", request.weightsOnly}};
}

Json provenanceOf(const TableOrigin& origin, const Model& model) {
  return {{"program_version", kVersion},
          {"model", model.spec.name},
          {"architecture", model.spec.architecture},
          {"settings", *origin.settings}};
}

bool scoreWeights(const CompositionRequest& request, Progress& progress) {
  const CaptureRequest& run = request.probes.run;
  const auto model = openModel(resolveModelPath(run.model.string()), {}, run.followLinks);
  for (const std::string& warning : model->warnings) progress.warned(warning);
  const TableOrigin origin{"composition",
                           {{model->spec.name, model->fingerprint, model->path}},
                           Json{{"composition", settingsOf(request)}}};
  const TableFolder folder(request.probes.out, origin, request.probes.rules, {"edges"});
  if (!request.probes.rules.otherSettings && folder.isFinished()) return false;
  const std::vector<HeadEdge> edges = chosenEdges(request, *model, progress);
  folder.write({scoredEdges(edges, compositionBaseline(model->spec))}, provenanceOf(origin, *model));
  return true;
}

}  // namespace

bool runComposition(const CompositionRequest& request, Progress& progress) {
  if (request.weightsOnly) return scoreWeights(request, progress);
  const ProbeSetup setup = prepareProbes(request.probes, progress);
  const CaptureRequest& run = request.probes.run;
  TableOrigin origin = originOf("composition", run, setup);
  origin.settings.set("composition", settingsOf(request));
  const TableFolder folder(request.probes.out, origin, request.probes.rules, {"edges"});
  if (!request.probes.rules.otherSettings && folder.isFinished()) return false;
  const fs::path& out = request.probes.out;
  OutputLock lock(out.has_filename() ? out : out.parent_path());
  const EdgeWork work{setup.probes, chosenEdges(request, *setup.model, progress), request.replacement,
                      sha256Hex(canonicalJson(*origin.settings))};
  const OutcomeRunner runner(setup.model, setup.engine, setup.forward, run.memoryLimit);
  folder.write({measuredEdges(runner, work, lock.folder(), request.probes.settings.seed, progress)},
               provenanceOf(origin, *setup.model));
  lock.discardFolder();
  return true;
}

}  // namespace plastiscope
