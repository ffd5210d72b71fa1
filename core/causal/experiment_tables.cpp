#include "core/causal/experiment_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <tuple>

#include "core/base/foreign_text.h"
#include "core/base/joined.h"

namespace plastiscope {

namespace {

constexpr double kLevel = 0.05;
constexpr std::size_t kMostListed = 10;

std::string figures(double value) {
  char text[32];
  std::snprintf(text, sizeof text, std::fabs(value) < 0.1 ? "%.2g" : "%.2f", value);
  return text;
}

template <typename Item>
void append(std::vector<Item>& list, const std::vector<Item>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// "costs 0.41 nats per token (95 % over 12 texts 0.22 to 0.6)"
std::string costs(const TextEffect& effect, const std::string& more = {}) {
  const bool gains = effect.mean < 0;
  std::string text = gains ? "lowers the loss by " : "costs ";
  text += figures(std::fabs(effect.mean)) + " nats per token" + more + " (";
  const std::string n = std::to_string(effect.texts) + (effect.texts == 1 ? " text" : " texts");
  const auto [low, high] = effect.interval;
  if (!effect.interval.known()) return text + n + ")";
  return text + "95 % over " + n + " " + figures(gains ? -high : low) + " to " +
         figures(gains ? -low : high) + ")";
}

// A row of a table of tests.
struct TestRow {
  std::vector<Cell> first;
  std::size_t way = 0;
  const MeasuredOutcome* outcome = nullptr;
  bool byDraws = false;  // tested among the matched draws, else over texts
  TextEffect effect = {};
  std::vector<double> matched = {}, random = {};  // the same value of each draw
  std::string family = {};                        // tests that Holm adjusts together
  std::string sentence = {};                      // until the draws; "": none

  double p() const { return byDraws ? drawP(effect.mean, matched) : effect.p; }
};

// With the share of matched sets, and p of the test that Holm adjusts.
std::string sentenceOf(const TestRow& row, double adjusted) {
  std::string text = row.sentence;
  const std::string holm = std::isnan(adjusted) ? "" : ", after Holm " + figures(adjusted);
  if (!row.byDraws && !holm.empty()) text += "; p = " + figures(row.effect.p) + " by sign flips" + holm;
  if (row.matched.empty()) return text + ".";
  const double p = drawP(row.effect.mean, row.matched);
  const auto larger = std::llround(p * static_cast<double>(row.matched.size() + 1)) - 1;
  return text + "; " + std::to_string(larger) + " of " + std::to_string(row.matched.size()) +
         " matched sets " + (row.byDraws ? "cost" : "differ") + (larger == 1 ? "s" : "") +
         " as much (p = " + figures(p) + (row.byDraws ? holm : "") + ").";
}

class TableMaker {
 public:
  TableMaker(const ExperimentDesign& design, const std::vector<MeasuredOutcome>& outcomes, std::uint64_t seed)
      : m_design(design), m_outcomes(outcomes), m_seed(seed) {
    for (const ExperimentCase& each : design.cases) {
      const ExperimentSet& set = design.sets[each.set];
      m_changes[{set.kind, set.name, each.dose, design.changes[each.change].way}].push_back(each.change);
    }
  }

  std::vector<Table> make() {
    m_tables = {};
    addEffects();
    addDoses();
    addSingles();
    addContrasts();
    addDraws();
    TableBuilder builder("sentences", {texts("table"), texts("sentence")});
    for (const auto& [table, sentence] : m_sentences) builder.row({table, sentence});
    m_tables.push_back(builder.take());
    return std::move(m_tables);
  }

 private:
  using Changes = std::vector<std::size_t>;
  using ChangeAt = std::function<std::size_t(std::int64_t dose)>;         // of one set
  using Statistic = std::function<std::vector<double>(const ChangeAt&)>;  // [texts]

  template <typename Visit>
  void eachSet(const Visit& visit) const {
    for (const ExperimentSet& set : m_design.sets) {
      if (set.kind != SetKind::Ranking && set.kind != SetKind::Named) continue;
      for (std::size_t way = 0; way < m_design.ways.size(); ++way) visit(set, way);
    }
  }

  // Changes of a set, or of all draws of a kind.
  const Changes& changes(SetKind kind, const std::string& name, std::int64_t dose, std::size_t way) const {
    static const Changes kNone;
    const auto found = m_changes.find(std::tuple(kind, name, dose, way));
    return found == m_changes.end() ? kNone : found->second;
  }

  // The statistic of each random or matched draw that has as many heads as `largest`.
  std::vector<double> ofDraws(SetKind kind, const std::string& name, std::int64_t largest, std::size_t way,
                              const Statistic& statistic) const {
    std::vector<double> means;
    for (std::size_t draw = 0; draw < changes(kind, name, largest, way).size(); ++draw)
      means.push_back(
          meanOfPresent(statistic([&](std::int64_t dose) { return changes(kind, name, dose, way)[draw]; })));
    return means;
  }

  TestRow rowOf(const ExperimentSet& set, std::int64_t largest, std::size_t way,
                const MeasuredOutcome& outcome, bool byDraws, const Statistic& statistic) const {
    TestRow row{{set.name, nameOf(set.kind), largest}, way, &outcome, byDraws};
    row.effect = effectOver(
        statistic([&](std::int64_t dose) { return changes(set.kind, set.name, dose, way).front(); }), m_seed);
    row.matched = ofDraws(SetKind::Matched, set.name, largest, way, statistic);
    row.random = ofDraws(SetKind::Random, "", largest, way, statistic);
    row.family = nameOf(set.kind) + m_design.ways[way].text() + nameOf(outcome.measure) +
                 (set.kind == SetKind::Ranking ? std::to_string(largest) : "");
    return row;
  }

  // "Removing the 8 heads of highest ap_aligned"
  std::string subject(const ExperimentSet& set, std::int64_t dose, std::size_t way) const {
    return m_design.ways[way].sentence(
        (dose == 1 ? "the first head of " : "the " + std::to_string(dose) + " heads of ") + set.name);
  }

  // `columns`: those of the rows' first cells. `value`: name of the effect. `verdicts` on effects above and
  // below 0, and on those that are not significant.
  void addTable(const std::string& name, std::vector<Column> columns, const std::string& value,
                const std::array<std::string, 3>& verdicts, const std::vector<TestRow>& rows) {
    const bool drawn = name != "singles";
    append(columns, {texts("way"), texts("outcome"), texts("measure"), integers("texts"), numbers(value),
                     numbers("low"), numbers("high"), numbers("p_texts")});
    for (const std::string draws : {"matched", "random"}) {
      if (drawn)
        append(columns, {integers(draws + "_sets"), numbers(draws + "_median"), numbers(draws + "_low"),
                         numbers(draws + "_high"), numbers("p_" + draws)});
    }
    append(columns, {numbers("holm"), texts("verdict")});
    const std::vector<double> adjusted = adjustedOf(rows);
    TableBuilder builder(name, columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const TestRow& row = rows[i];
      const TextEffect& effect = row.effect;
      std::vector<Cell> cells = row.first;
      append<Cell>(cells,
                   {m_design.ways[row.way].text(), row.outcome->tokens.text(), nameOf(row.outcome->measure),
                    effect.texts, effect.mean, effect.interval.low, effect.interval.high, effect.p});
      for (const std::vector<double>* draws : {&row.matched, &row.random}) {
        const Interval band = percentileInterval(*draws);
        if (drawn)
          append<Cell>(cells, {std::ssize(*draws), medianOfPresent(*draws), band.low, band.high,
                               drawP(effect.mean, *draws)});
      }
      const std::string& verdict = verdicts[adjusted[i] > kLevel ? 2 : effect.mean < 0 ? 1 : 0];
      append<Cell>(cells, {adjusted[i], std::isnan(adjusted[i]) ? std::string() : verdict});
      builder.row(cells);
      if (!row.sentence.empty()) m_sentences.emplace_back(name, sentenceOf(row, adjusted[i]));
    }
    m_tables.push_back(builder.take());
  }

  // p of the rows after Holm within their families.
  static std::vector<double> adjustedOf(const std::vector<TestRow>& rows) {
    std::map<std::string, Changes> families;
    for (std::size_t i = 0; i < rows.size(); ++i) families[rows[i].family].push_back(i);
    std::vector<double> all(rows.size());
    for (const auto& [name, members] : families) {
      std::vector<double> p;
      for (const std::size_t i : members) p.push_back(rows[i].p());
      const std::vector<double> adjusted = holmAdjusted(p);
      for (std::size_t i = 0; i < members.size(); ++i) all[members[i]] = adjusted[i];
    }
    return all;
  }

  static std::vector<Cell> meansOf(const MeasuredOutcome& outcome, std::size_t change) {
    return {outcome.count, meanOfPresent(outcome.unchanged), outcome.changedMean(change)};
  }

  void addEffects() {
    std::vector<TestRow> rows;
    eachSet([&](const ExperimentSet& set, std::size_t way) {
      for (const std::int64_t dose : set.doses) {
        for (const MeasuredOutcome& outcome : m_outcomes) {
          TestRow row = rowOf(set, dose, way, outcome, true,
                              [&](const ChangeAt& at) { return outcome.harm[at(dose)]; });
          append(row.first, meansOf(outcome, changes(set.kind, set.name, dose, way).front()));
          if (outcome.measure == OutcomeMeasure::Nll && dose == set.doses.back())
            row.sentence =
                subject(set, dose, way) + " " + costs(row.effect) + " on " + outcome.tokens.phrase();
          rows.push_back(std::move(row));
        }
      }
    });
    addTable("effects",
             {texts("set"), texts("kind"), integers("dose"), integers("tokens"), numbers("unchanged"),
              numbers("changed")},
             "effect",
             {"costs more than matched sets", "costs more than matched sets",
              "not shown to cost more than matched sets"},
             rows);
  }

  void addDoses() {
    std::vector<TestRow> rows;
    eachSet([&](const ExperimentSet& set, std::size_t way) {
      if (set.doses.size() < 2) return;
      for (const MeasuredOutcome& outcome : m_outcomes) {
        const auto slopeOf = [&](const ChangeAt& at) {
          std::vector<double> slopes;
          for (std::size_t text = 0; text < outcome.unchanged.size(); ++text) {
            std::vector<double> effects;
            for (const std::int64_t dose : set.doses) effects.push_back(outcome.harm[at(dose)][text]);
            slopes.push_back(doseSlope(set.doses, effects));
          }
          return slopes;
        };
        rows.push_back(rowOf(set, set.doses.back(), way, outcome, true, slopeOf));
      }
    });
    addTable("doses", {texts("set"), texts("kind"), integers("largest_dose")}, "slope",
             {"rises faster than in matched sets", "rises faster than in matched sets",
              "not shown to rise faster than in matched sets"},
             rows);
  }

  void addSingles() {
    std::vector<TestRow> rows;
    for (const ExperimentCase& each : m_design.cases) {
      const ExperimentSet& set = m_design.sets[each.set];
      if (set.kind != SetKind::Single) continue;
      for (const MeasuredOutcome& outcome : m_outcomes) {
        const std::size_t way = m_design.changes[each.change].way;
        TestRow row{{set.order.front().layer, set.order.front().head}, way, &outcome};
        append(row.first, meansOf(outcome, each.change));
        row.effect = effectOver(outcome.harm[each.change], m_seed);
        row.family = m_design.ways[way].text() + " " + outcome.tokens.text() + nameOf(outcome.measure);
        rows.push_back(std::move(row));
      }
    }
    addTable(
        "singles",
        {integers("layer"), integers("head"), integers("tokens"), numbers("unchanged"), numbers("changed")},
        "effect", {"costs", "helps", "no effect shown"}, rows);
    tellSingles(rows, m_tables.back().numbers("holm"));
  }

  // A sentence for each way and class.
  void tellSingles(const std::vector<TestRow>& rows, const std::vector<double>& adjusted) {
    std::map<std::pair<std::size_t, const MeasuredOutcome*>, Changes> members, significant;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::pair key(rows[i].way, rows[i].outcome);
      if (rows[i].outcome->measure != OutcomeMeasure::Nll) continue;
      members[key].push_back(i);
      if (adjusted[i] <= kLevel) significant[key].push_back(i);
    }
    for (const auto& [key, all] : members) {
      Changes& shown = significant[key];
      std::string text = m_design.ways[key.first].sentence("single heads") + ": " +
                         std::to_string(shown.size()) + " of " + std::to_string(all.size()) +
                         " have an effect on " + key.second->tokens.phrase() + " after Holm";
      std::ranges::sort(shown, std::greater(), [&](std::size_t i) { return std::fabs(rows[i].effect.mean); });
      if (shown.size() > kMostListed) text += "; the largest";
      shown.resize(std::min(shown.size(), kMostListed));
      const auto ofHead = [&](std::size_t i) {
        const auto number = [&](std::size_t cell) { return std::get<std::int64_t>(rows[i].first[cell]); };
        return HeadName{number(0), number(1)}.text() + " " + costs(rows[i].effect);
      };
      if (!shown.empty()) text += ": " + joined(shown, ofHead);
      m_sentences.emplace_back("singles", text + ".");
    }
  }

  // Nearest and farthest class of a kind and condition that all its texts have, of the same measure.
  std::vector<std::pair<const MeasuredOutcome*, const MeasuredOutcome*>> nearAndFar() const {
    std::vector<std::pair<const MeasuredOutcome*, const MeasuredOutcome*>> pairs;
    for (const MeasuredOutcome& whole : m_outcomes) {
      if (whole.tokens.distance != TokenClass::kAll) continue;
      std::vector<const MeasuredOutcome*> parts;
      for (const MeasuredOutcome& part : m_outcomes) {
        if (part.measure == whole.measure && part.tokens.kind == whole.tokens.kind &&
            part.tokens.condition == whole.tokens.condition && part.tokens.distance > 0 &&
            part.replicates == whole.replicates)
          parts.push_back(&part);
      }
      if (parts.size() > 1) pairs.emplace_back(parts.front(), parts.back());
    }
    return pairs;
  }

  void addContrasts() {
    std::vector<TestRow> rows;
    eachSet([&](const ExperimentSet& set, std::size_t way) {
      for (const std::int64_t dose : set.doses) {
        for (const auto& [near, far] : nearAndFar()) {
          TestRow row = rowOf(set, dose, way, *far, false, [&, &near = near, &far = far](const ChangeAt& at) {
            std::vector<double> differences = far->harm[at(dose)];
            const std::vector<double>& nearby = near->harm[at(dose)];
            for (std::size_t text = 0; text < nearby.size(); ++text) differences[text] -= nearby[text];
            return differences;
          });
          row.first.emplace_back(near->tokens.text());
          if (far->measure == OutcomeMeasure::Nll && dose == set.doses.back())
            row.sentence = subject(set, dose, way) + " " + costs(row.effect, " more") + " on " +
                           far->tokens.phrase() + " than on " + near->tokens.phrase();
          rows.push_back(std::move(row));
        }
      }
    });
    addTable("contrasts", {texts("set"), texts("kind"), integers("dose"), texts("near")}, "difference",
             {"costs more far away", "costs more nearby", "no difference shown"}, rows);
  }

  // Effects of every random and matched set, and the heads of all sets.
  void addDraws() {
    TableBuilder draws("draws", {texts("kind"), texts("set"), integers("draw"), integers("dose"),
                                 texts("way"), texts("outcome"), texts("measure"), numbers("effect")});
    TableBuilder sets("sets",
                      {texts("kind"), texts("set"), integers("draw"), integers("dose"), texts("heads")});
    for (const ExperimentCase& each : m_design.cases) {
      const ExperimentSet& set = m_design.sets[each.set];
      const HeadChange& change = m_design.changes[each.change];
      if (change.way == 0 && set.kind != SetKind::Single)
        sets.row({nameOf(set.kind), set.name, set.draw, each.dose, headListText(change.heads)});
      if (set.draw < 0) continue;
      for (const MeasuredOutcome& outcome : m_outcomes)
        draws.row({nameOf(set.kind), set.name, set.draw, each.dose, m_design.ways[change.way].text(),
                   outcome.tokens.text(), nameOf(outcome.measure), meanOfPresent(outcome.harm[each.change])});
    }
    m_tables.push_back(draws.take());
    m_tables.push_back(sets.take());
  }

  const ExperimentDesign& m_design;
  const std::vector<MeasuredOutcome>& m_outcomes;
  std::uint64_t m_seed;
  std::map<std::tuple<SetKind, std::string, std::int64_t, std::size_t>, Changes> m_changes;  // dose, way
  std::vector<Table> m_tables;
  std::vector<std::pair<std::string, std::string>> m_sentences;  // table, sentence
};

}  // namespace

std::vector<Table> experimentTables(const ExperimentDesign& design,
                                    const std::vector<MeasuredOutcome>& outcomes, std::uint64_t seed) {
  return TableMaker(design, outcomes, seed).make();
}

std::vector<std::string> experimentTableNames() {
  return {"effects", "doses", "singles", "contrasts", "draws", "sets", "sentences"};
}

std::vector<std::string> powerWarnings(const ExperimentDesign& design,
                                       const std::vector<MeasuredOutcome>& outcomes) {
  std::size_t texts = 0;  // of the outcome with most
  for (const MeasuredOutcome& outcome : outcomes) texts = std::max(texts, outcome.unchanged.size());
  const auto count = [&](SetKind kind) {
    return static_cast<double>(std::ranges::count(design.sets, kind, &ExperimentSet::kind));
  };
  std::vector<std::string> warnings;
  const auto check = [&](const std::string& what, double least, double tests, const std::string& remedy) {
    if (tests * least > kLevel)
      warnings.push_back("p of " + what + " is at least " + figures(least) + ", and " +
                         figures(std::min(1.0, tests * least)) + " after Holm over " + numberText(tests) +
                         " tests: none can be significant; use " + remedy);
  };
  check("single heads over " + std::to_string(texts) + " texts", leastSignFlipP(texts),
        count(SetKind::Single), "more texts or fewer heads");
  const double rankings = count(SetKind::Ranking), tested = rankings + count(SetKind::Named);
  if (const double draws = tested > 0 ? count(SetKind::Matched) / tested : 0; draws > 0)
    check("rankings among " + numberText(draws) + " matched sets", 1 / (draws + 1),
          rankings * static_cast<double>(outcomes.size()) / 2, "more matched sets");
  return warnings;
}

}  // namespace plastiscope
