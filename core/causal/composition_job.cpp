#include "core/causal/composition_job.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "core/analysis/aligned_plasticity.h"
#include "core/analysis/attention_weights.h"
#include "core/analysis/reach.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"
#include "core/causal/experiment_sets.h"
#include "core/causal/experiment_statistics.h"
#include "core/causal/kept_runs.h"
#include "core/causal/probe_job.h"
#include "core/compare/text_inference.h"
#include "core/jobs/head_work.h"
#include "core/store/capture_output.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kEdgeQueries = 64;  // of a text, evaluated
constexpr double kEdgeLevel = 0.05;

// ---- results of a text

struct EdgeChange {
  double attention = kMissing, sp = kMissing;
  double nll = 0;  // sum over the scored tokens
};

struct TextChanges {
  std::vector<EdgeChange> edges;
  // Queries, then keys of the later head at the evaluated positions [2 * positions, head_dim]: unchanged by
  // the head's name, changed by the edge's.
  std::map<std::string, std::vector<float>> rows;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EdgeChange, attention, sp, nll)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TextChanges, edges, rows)

std::vector<std::int64_t> evaluatedQueries(const ProbeText& probe) {
  return spacedQueries(1, std::ssize(probe.tokens), nullptr, kEdgeQueries);
}

double attentionOverlap(const Matrix& first, Eigen::Index row, const Matrix& other, Eigen::Index otherRow) {
  return first.row(row).cwiseMin(other.row(otherRow)).sum();
}

// Mean of 1 - overlap of neighbouring queries.
double neighbourPlasticity(const Matrix& weights) {
  double sum = 0;
  for (Eigen::Index i = 1; i < weights.rows(); ++i) sum += 1 - attentionOverlap(weights, i - 1, weights, i);
  return weights.rows() > 1 ? sum / static_cast<double>(weights.rows() - 1) : kMissing;
}

// ---- runs

class EdgeRuns {
 public:
  EdgeRuns(const OutcomeRunner& runner, const EdgeWork& work, Progress& progress)
      : m_runner(runner), m_work(work), m_progress(progress) {
    if (work.replacement == PathReplacement::Zero) return;
    std::set<HeadName> heads;
    for (const HeadEdge& edge : work.edges) heads.insert(edge.from);
    m_means = meanOutputs(runner, work.probes, {heads.begin(), heads.end()}, progress);
  }

  TextChanges run(const ProbeText& probe) const {
    TextChanges changes{std::vector<EdgeChange>(m_work.edges.size()), {}};
    std::vector<Change> cuts = {nullptr};
    std::map<std::int64_t, std::vector<std::size_t>> byLayer;
    for (std::size_t e = 0; e < m_work.edges.size(); ++e) {
      const HeadEdge& edge = m_work.edges[e];
      cuts.push_back(cutOf(edge));
      if (edge.into != AttentionInput::Value) byLayer[edge.to.layer].push_back(e);
    }
    const std::vector<Outcomes> outcomes = m_runner.changed(probe, cuts, m_progress);
    for (std::size_t e = 0; e < m_work.edges.size(); ++e) {
      for (std::size_t i = 0; i < probe.scored.size(); ++i)
        changes.edges[e].nll += outcomes[e + 1][i].nll - outcomes[0][i].nll;
    }
    for (const auto& [layer, edges] : byLayer) addAttention(probe, edges, changes);
    return changes;
  }

 private:
  const ModelSpec& spec() const { return m_runner.model().spec; }
  HeadName keyHeadOf(HeadName head) const { return {head.layer, head.head / spec().groupSize(head.layer)}; }

  Change cutOf(const HeadEdge& edge) const {
    auto change = std::make_shared<Interventions>();
    const auto mean = m_means.find(edge.from);
    change->cuts.push_back({{edge.from.layer, edge.from.head},
                            mean == m_means.end() ? nullptr : mean->second,
                            edge.to.layer,
                            edge.into,
                            edge.into == AttentionInput::Query ? edge.to.head : keyHeadOf(edge.to).head});
    return change;
  }

  // `edges`: into one layer.
  void addAttention(const ProbeText& probe, const std::vector<std::size_t>& edges,
                    TextChanges& changes) const {
    const std::vector<std::int64_t> positions = evaluatedQueries(probe);
    std::set<HeadName> heads;
    std::vector<Change> cuts = {nullptr};
    for (const std::size_t e : edges) {
      heads.insert(m_work.edges[e].to);
      cuts.push_back(cutOf(m_work.edges[e]));
    }
    const std::vector<HeadName> list(heads.begin(), heads.end());
    const auto vectors = m_runner.vectors(probe.tokens, list, cuts, m_progress);
    std::map<HeadName, Matrix> before;
    for (const HeadName& head : list) {
      before[head] = weightsOf(vectors[0], head, positions);
      changes.rows[head.text()] = rowsOf(vectors[0], head, positions);
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const HeadEdge& edge = m_work.edges[edges[i]];
      const Matrix &first = before.at(edge.to), after = weightsOf(vectors[i + 1], edge.to, positions);
      double overlap = 0;
      for (Eigen::Index row = 0; row < after.rows(); ++row)
        overlap += attentionOverlap(first, row, after, row);
      EdgeChange& change = changes.edges[edges[i]];
      change.attention = 1 - overlap / static_cast<double>(after.rows());
      change.sp = neighbourPlasticity(after) - neighbourPlasticity(first);
      changes.rows[edge.text()] = rowsOf(vectors[i + 1], edge.to, positions);
    }
  }

  // [positions, tokens]; 0 for keys that a query does not see.
  Matrix weightsOf(const OutcomeRunner::Vectors& vectors, HeadName head,
                   std::span<const std::int64_t> positions) const {
    const LayerSpec& layer = spec().layer(head.layer);
    const std::vector<float>&queries = vectors.queries.at(head), &keys = vectors.keys.at(keyHeadOf(head));
    const AttentionScoreRule rule{spec().scoreScale, spec().scoreSoftcap, layer.window,
                                  layer.attention == AttentionKind::Chunked};
    Matrix weights;
    scoreKeys(widenedRows(queries, layer.headDim, positions), keys, 0, std::ssize(keys) / layer.headDim, rule,
              weights);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      auto row = weights.row(static_cast<Eigen::Index>(i));
      const std::int64_t t = positions[i], first = firstVisibleKey(t, rule.window, rule.chunked);
      softmax({row.data() + first, static_cast<std::size_t>(t - first + 1)});
      row.head(first).setZero();
      row.tail(weights.cols() - t - 1).setZero();
    }
    return weights;
  }

  std::vector<float> rowsOf(const OutcomeRunner::Vectors& vectors, HeadName head,
                            std::span<const std::int64_t> positions) const {
    const std::int64_t dim = spec().layer(head.layer).headDim;
    std::vector<float> rows;
    for (const auto* const all : {&vectors.queries.at(head), &vectors.keys.at(keyHeadOf(head))}) {
      for (const std::int64_t t : positions)
        rows.insert(rows.end(), all->begin() + t * dim, all->begin() + (t + 1) * dim);
    }
    return rows;
  }

  const OutcomeRunner& m_runner;
  const EdgeWork& m_work;
  Progress& m_progress;
  HeadOutputs m_means;
};

// ---- aligned plasticity of the later head

class EdgePlasticity {
 public:
  EdgePlasticity(const ModelSpec& spec, const EdgeWork& work, const std::vector<TextChanges>& texts,
                 const Progress& progress)
      : m_spec(spec), m_work(work), m_texts(texts), m_progress(progress) {}

  double changeBy(const HeadEdge& edge) {
    if (edge.into == AttentionInput::Value) return kMissing;
    auto [before, isNew] = m_before.try_emplace(edge.to, kMissing);
    if (isNew) before->second = apOf(edge.to, edge.to.text());
    return apOf(edge.to, edge.text()) - before->second;
  }

 private:
  double apOf(HeadName head, const std::string& rows) const {
    const LayerSpec& layer = m_spec.layer(head.layer);
    const std::int64_t dim = layer.headDim;
    std::array<VectorRows, 2> kinds;  // queries, keys
    CaptureFrame frame;
    for (std::size_t p = 0; p < m_work.probes.size(); ++p) {
      frame.textTokens.push_back(std::ssize(m_work.probes[p].tokens));
      frame.window = std::max(frame.window, frame.textTokens.back());
      for (const std::int64_t t : evaluatedQueries(m_work.probes[p])) {
        kinds[0].position.push_back(t);
        kinds[0].example.push_back(static_cast<std::int64_t>(p));
      }
    }
    const auto count = std::ssize(kinds[0].position);
    kinds[1] = kinds[0];
    for (VectorRows& kind : kinds) kind.vectors.resize(count, dim);
    Eigen::Index done = 0;
    for (const TextChanges& text : m_texts) {
      const std::vector<float>& all = text.rows.at(rows);
      const Eigen::Index own = std::ssize(all) / (2 * dim);
      for (Eigen::Index i = 0; i < 2 * own * dim; ++i)
        kinds[i / (own * dim)].vectors(done + i / dim % own, i % dim) = all[i];
      done += own;
    }
    const AnalysisSettings settings;
    frame.bucketSize = std::max<std::int64_t>(1, frame.window / 16);
    frame.scoreScale = m_spec.scoreScale;
    frame.alignedBins = alignedBinCount(count, 1, settings.minQueries);
    HeadId place{head.layer,
                 head.head,
                 head.head / m_spec.groupSize(head.layer),
                 std::string(nameOf(layer.attention)),
                 layer.rope,
                 layer.window};
    const RopeSpec* const rope = layer.rope ? &m_spec.ropes[layer.ropeIndex] : nullptr;
    if (rope == nullptr || !m_spec.queryKeyNorm.afterRope)
      place.rotation = std::make_shared<const PositionRotation>(
          rotationOf(layer.queryScale ? &m_spec.temperature : nullptr, rope, frame.window, frame.textTokens));
    const KeyOrder order = orderKeys(kinds[1]);
    const QueryModel none;
    const BinGrid grid = alignedGrid(settings, frame, {});
    const PlasticityInput input{place, frame, kinds[0], kinds[1], order, none, grid};
    return alignedPlasticityOf(input, settings, {}, m_progress).summary.overall;
  }

  const ModelSpec& m_spec;
  const EdgeWork& m_work;
  const std::vector<TextChanges>& m_texts;
  const Progress& m_progress;
  std::map<HeadName, double> m_before;
};

// ---- statistics

// Values of an edge by replicate.
struct EdgeValues {
  std::vector<double> attention, sp, nll;
};

EdgeValues valuesOf(const EdgeWork& work, const std::vector<TextChanges>& texts, std::size_t edge) {
  std::map<std::int64_t, std::array<RunningMean, 3>> replicates;
  for (std::size_t p = 0; p < texts.size(); ++p) {
    auto& [attention, sp, nll] = replicates[work.probes[p].replicate];
    const EdgeChange& change = texts[p].edges[edge];
    attention.add(change.attention);
    sp.add(change.sp);
    nll.add({change.nll, static_cast<double>(work.probes[p].scored.size())});
  }
  EdgeValues values;
  for (const auto& [replicate, means] : replicates) {
    values.attention.push_back(means[0].value());
    values.sp.push_back(means[1].value());
    values.nll.push_back(means[2].value());
  }
  return values;
}

std::vector<Column> scoreColumns() {
  return {integers("from_layer"), integers("from_head"), integers("to_layer"), integers("to_head"),
          texts("into"),          numbers("score"),      numbers("baseline"),  numbers("excess")};
}

std::vector<Cell> scoreCells(const HeadEdge& edge, double baseline) {
  return {edge.from.layer,   edge.from.head, edge.to.layer, edge.to.head,
          nameOf(edge.into), edge.score,     baseline,      edge.score - baseline};
}

Table tableOf(const EdgeWork& work, const std::vector<TextChanges>& changes, EdgePlasticity plasticity,
              double baseline, std::uint64_t seed) {
  std::vector<Column> columns = scoreColumns();
  columns.push_back(integers("texts"));
  for (const char* name :
       {"attention_change", "attention_change_low", "attention_change_high", "sp_change", "ap_change",
        "nll_change", "nll_change_low", "nll_change_high", "p_nll", "p_adjusted"})
    columns.push_back(numbers(name));
  columns.push_back(texts("verdict"));
  std::vector<EdgeValues> values;
  std::vector<TextDifference> differences;
  for (std::size_t e = 0; e < work.edges.size(); ++e) {
    values.push_back(valuesOf(work, changes, e));
    differences.push_back(differenceFromZero(meanOverTexts(values.back().nll)));
  }
  const std::vector<TextTest> tests =
      testAll(differences, std::vector<std::optional<double>>(differences.size()), seed);
  TableBuilder table("edges", columns);
  for (std::size_t e = 0; e < work.edges.size(); ++e) {
    const TextEffect nll = effectOver(values[e].nll, seed);
    const bool attends = work.edges[e].into != AttentionInput::Value;
    const TextEffect attention = attends ? effectOver(values[e].attention, seed) : TextEffect();
    const double p = tests[e].adjustedP;
    std::vector<Cell> cells = scoreCells(work.edges[e], baseline);
    cells.insert(cells.end(),
                 {nll.texts, attention.mean, attention.interval.low, attention.interval.high,
                  attends ? meanOfPresent(values[e].sp) : kMissing, plasticity.changeBy(work.edges[e]),
                  nll.mean, nll.interval.low, nll.interval.high, nll.p, p,
                  std::string(std::isnan(p)    ? ""
                              : p > kEdgeLevel ? "no effect shown"
                              : nll.mean > 0   ? "loss rises without it"
                                               : "loss falls without it")});
    table.row(cells);
  }
  return table.take();
}

Table scoredEdges(std::span<const HeadEdge> edges, double baseline) {
  TableBuilder table("edges", scoreColumns());
  for (const HeadEdge& edge : edges) table.row(scoreCells(edge, baseline));
  return table.take();
}

// ---- the command

std::vector<HeadEdge> listedEdges(const std::string& list, const ModelSpec& spec) {
  std::vector<HeadEdge> edges;
  for (const std::string& item : listParts(list)) {
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
  const auto most = request.edges == "all" ? SIZE_MAX : parsedNumber<std::size_t>(request.edges).value_or(0);
  if (most == 0)
    throw UsageError("--edges: expected a number, all, or a list of edges such as L0H4>L1H7:k, found \"" +
                     request.edges + "\"");
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

bool scoreWeights(const CompositionRequest& request, Progress& progress) {
  const CaptureRequest& run = request.probes.run;
  const auto model = openModel(resolveModelPath(run.model.string()), {}, run.followLinks);
  for (const std::string& warning : model->warnings) progress.warned(warning);
  const TableOrigin origin{"composition",
                           {{model->spec.name, model->fingerprint, model->path}},
                           Json{{"composition", settingsOf(request)}}};
  const TableFolder folder(request.probes.out, origin, request.probes.rules, {"edges"});
  if (folder.isFinished()) return false;
  const std::vector<HeadEdge> edges = chosenEdges(request, *model, progress);
  folder.write({scoredEdges(edges, compositionBaseline(model->spec))}, provenanceOf(origin, model->spec, {}));
  return true;
}

}  // namespace

Table measuredEdges(const OutcomeRunner& runner, const EdgeWork& work, const std::filesystem::path& folder,
                    std::uint64_t seed, Progress& progress) {
  const KeptResults kept(folder, work.settingsHash);
  std::vector<TextChanges> texts(work.probes.size());
  std::optional<EdgeRuns> runs;
  std::vector<RunStep> steps;
  for (std::size_t p = 0; p < texts.size(); ++p) {
    const std::string name = "text-" + std::to_string(p);
    if (auto known = kept.read<TextChanges>(name)) {
      texts[p] = std::move(*known);
      continue;
    }
    const ProbeText& probe = work.probes[p];
    const auto run = [&, p, name](Progress& inside) {
      if (!runs) runs.emplace(runner, work, inside);
      texts[p] = runs->run(work.probes[p]);
      kept.write(name, texts[p]);
    };
    steps.push_back({.work = static_cast<double>(probe.tokens.size()), .finished = {probe.id}, .run = run});
  }
  kept.run("composition", "text", static_cast<double>(texts.size()), steps, progress);
  const ModelSpec& spec = runner.model().spec;
  return tableOf(work, texts, EdgePlasticity(spec, work, texts, progress), compositionBaseline(spec), seed);
}

bool runComposition(const CompositionRequest& request, Progress& progress) {
  if (request.weightsOnly) return scoreWeights(request, progress);
  const ProbeSetup setup = prepareProbes(request.probes, progress);
  const CaptureRequest& run = request.probes.run;
  TableOrigin origin = originOf("composition", run, setup);
  origin.settings.set("composition", settingsOf(request));
  const TableFolder folder(request.probes.out, origin, request.probes.rules, {"edges"});
  if (folder.isFinished()) return false;
  OutputLock lock(folder.path());
  const EdgeWork work{setup.probes, chosenEdges(request, *setup.model, progress), request.replacement,
                      sha256Hex(canonicalJson(*origin.settings))};
  const OutcomeRunner runner(setup.model, setup.engine, setup.forward, run.memoryLimit);
  folder.write({measuredEdges(runner, work, lock.folder(), request.probes.settings.seed, progress)},
               provenanceOf(origin, setup.model->spec, {}));
  lock.discardFolder();
  return true;
}

}  // namespace plastiscope
