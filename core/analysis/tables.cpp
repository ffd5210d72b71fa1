#include "core/analysis/tables.h"

#include <algorithm>
#include <functional>
#include <map>

#include "core/base/error.h"

namespace plastiscope {

namespace {

using Integers = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

// A table under construction whose first columns are layer and head.
class HeadTable {
 public:
  explicit HeadTable(std::string name) { m_table.name = std::move(name); }
  void startRow(const HeadResult& head) {
    m_layer.push_back(head.place.layer);
    m_head.push_back(head.place.head);
  }
  Table finish(std::vector<Column> columns) {
    m_table.columns = {{"layer", std::move(m_layer)}, {"head", std::move(m_head)}};
    for (Column& column : columns) m_table.columns.push_back(std::move(column));
    return std::move(m_table);
  }

 private:
  Table m_table;
  Integers m_layer, m_head;
};

Table componentsTable(const std::vector<HeadResult>& heads) {
  HeadTable table("components");
  Integers component;
  Numbers share, rQuery, rKey;
  for (const HeadResult& head : heads) {
    for (std::size_t j = 0; j < head.pca.explainedVarianceRatio.size(); ++j) {
      table.startRow(head);
      component.push_back(static_cast<std::int64_t>(j));
      share.push_back(head.pca.explainedVarianceRatio[j]);
      rQuery.push_back(head.pca.rQuery[j]);
      rKey.push_back(head.pca.rKey[j]);
    }
  }
  return table.finish(
      {{"component", component}, {"explained_variance_ratio", share}, {"r_q", rQuery}, {"r_k", rKey}});
}

Table axesTable(const std::vector<HeadResult>& heads) {
  HeadTable table("axes");
  std::vector<std::string> axis;
  Integers dimension;
  Numbers value;
  const auto append = [&](const HeadResult& head, const std::string& name, const Vector& direction) {
    for (Eigen::Index c = 0; c < direction.size(); ++c) {  // none when the axis is missing
      table.startRow(head);
      axis.push_back(name);
      dimension.push_back(c);
      value.push_back(direction[c]);
    }
  };
  for (const HeadResult& head : heads) {
    append(head, "a", head.rotation.a);
    append(head, "b", head.rotation.b);
    for (Eigen::Index j = 0; j < head.pca.components.cols(); ++j) {
      append(head, "pc" + std::to_string(j), head.pca.components.col(j));
    }
  }
  return table.finish({{"axis", axis}, {"dimension", dimension}, {"value", value}});
}

Table componentWeightsTable(const std::vector<HeadResult>& heads) {
  HeadTable table("component_weights");
  Integers dimension;
  Numbers weight;
  for (const HeadResult& head : heads) {
    for (std::size_t c = 0; c < head.model.weights.size(); ++c) {
      table.startRow(head);
      dimension.push_back(static_cast<std::int64_t>(c));
      weight.push_back(head.model.weights[c]);
    }
  }
  return table.finish({{"dimension", dimension}, {"weight", weight}});
}

Table lengthsTable(const std::vector<HeadResult>& heads) {
  HeadTable table("lengths");
  Integers from, to, queries;
  Numbers ap;
  for (const HeadResult& head : heads) {
    for (const LengthMean& length : head.summary.lengths) {
      table.startRow(head);
      from.push_back(length.from);
      to.push_back(length.to);
      queries.push_back(length.mean.queries);
      ap.push_back(length.mean.ap);
    }
  }
  return table.finish({{"from", from}, {"to", to}, {"queries", queries}, {"ap", ap}});
}

// Further numbers about the axes of a head (method.md sections 2 and 3).
Table diagnosticsTable(const std::vector<HeadResult>& heads) {
  HeadTable table("diagnostics");
  Numbers fisher, gap, authorQuery, authorKey, intercept, start, end;
  for (const HeadResult& head : heads) {
    table.startRow(head);
    fisher.push_back(head.pca.fisher);
    gap.push_back(head.pca.meanGap);
    authorQuery.push_back(head.pca.pooledAuthorQuery);
    authorKey.push_back(head.pca.pooledAuthorKey);
    intercept.push_back(head.rotation.interceptQuery);
    start.push_back(head.rotation.slopeAtStart);
    end.push_back(head.rotation.slopeAtEnd);
  }
  return table.finish({{"fisher", fisher},
                       {"mean_gap", gap},
                       {"pooled_author_q", authorQuery},
                       {"pooled_author_k", authorKey},
                       {"intercept_q", intercept},
                       {"slope_at_start", start},
                       {"slope_at_end", end}});
}

Table decompositionTable(const std::vector<HeadResult>& heads) {
  HeadTable table("decomposition");
  Numbers drop, position, content, interaction;
  for (const HeadResult& head : heads) {
    if (!head.decomposition) continue;
    table.startRow(head);
    drop.push_back(head.summary.drop);
    position.push_back(head.summary.drop - head.decomposition->dropNoPosition);
    content.push_back(head.summary.drop - head.decomposition->dropContentFrozen);
    interaction.push_back(head.summary.drop - position.back() - content.back());
  }
  return table.finish({{"ap_drop", drop},
                       {"position_part", position},
                       {"content_part", content},
                       {"interaction", interaction}});
}

}  // namespace

Table profileTable(const std::vector<HeadResult>& heads) {
  HeadTable table("profile");
  Integers bin, queries, keys, pairs, used, dropped;
  Numbers start, end, tau, tauMean, ap;
  for (const HeadResult& head : heads) {
    std::int64_t index = 0;
    for (const BinResult& result : head.plasticity.bins) {
      table.startRow(head);
      bin.push_back(index++);
      start.push_back(result.start);
      end.push_back(result.end);
      tau.push_back(result.tau.value());
      tauMean.push_back(result.tauMean);
      queries.push_back(result.queries);
      keys.push_back(result.keys);
      pairs.push_back(result.pairs);
      used.push_back(result.pairsUsed);
      dropped.push_back(result.pairsDropped);
      ap.push_back(result.ap);
    }
  }
  return table.finish({{"bin", bin},
                       {"start", start},
                       {"end", end},
                       {"tau", tau},
                       {"queries", queries},
                       {"keys", keys},
                       {"pairs", pairs},
                       {"pairs_used", used},
                       {"pairs_dropped", dropped},
                       {"ap", ap},
                       {"tau_mean", tauMean}});
}

Table mapTable(const std::vector<HeadResult>& heads) {
  HeadTable table("map");
  Integers distance, midpoint, pairs;
  Numbers pp;
  for (const HeadResult& head : heads) {
    for (const MapCell& cell : head.plasticity.cells) {
      table.startRow(head);
      distance.push_back(cell.distanceCell);
      midpoint.push_back(cell.midpointCell);
      pairs.push_back(cell.pairs);
      pp.push_back(cell.sum / static_cast<double>(cell.pairs));
    }
  }
  return table.finish(
      {{"distance_cell", distance}, {"midpoint_cell", midpoint}, {"pairs", pairs}, {"pp", pp}});
}

Table mapModelTable(const std::vector<HeadResult>& heads) {
  struct Cell {
    std::int64_t pairs = 0;
    Numbers sums;
  };
  std::map<std::pair<std::int64_t, std::int64_t>, Cell> cells;
  for (const HeadResult& head : heads) {
    for (const MapCell& cell : head.plasticity.cells) {
      Cell& pool = cells[{cell.distanceCell, cell.midpointCell}];
      pool.pairs += cell.pairs;
      pool.sums.push_back(cell.sum);
    }
  }
  Integers distance, midpoint, pairs;
  Numbers pp;
  for (const auto& [place, cell] : cells) {
    distance.push_back(place.first);
    midpoint.push_back(place.second);
    pairs.push_back(cell.pairs);
    pp.push_back(sumOf(cell.sums) / static_cast<double>(cell.pairs));
  }
  return {"map_model",
          {{"distance_cell", distance}, {"midpoint_cell", midpoint}, {"pairs", pairs}, {"pp", pp}}};
}

std::string thinRangesWarning(const std::vector<HeadResult>& heads) {
  struct Thin {
    std::int64_t heads = 0, missing = 0, bins = 0;
  };
  std::vector<std::pair<std::string, Thin>> ranges;
  for (const HeadResult& head : heads) {
    if (!head.model.present) continue;
    const auto list = head.summary.ranges();
    if (ranges.empty()) {
      for (const RangeMean* range : list) ranges.push_back({range->name, {}});
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i]->isThin()) continue;
      ++ranges[i].second.heads;
      ranges[i].second.missing = std::max(ranges[i].second.missing, list[i]->missing);
      ranges[i].second.bins = list[i]->bins;
    }
  }
  std::string text;
  for (const auto& [name, thin] : ranges) {
    if (thin.heads == 0) continue;
    text += (text.empty() ? "" : "; ") + name + " (up to " + withCommas(thin.missing) + " of " +
            withCommas(thin.bins) + " bins, " + withCommas(thin.heads) + " heads)";
  }
  return text.empty() ? "" : "more than 5 % of the bins have no value in: " + text;
}

std::vector<Table> makeTables(const std::vector<HeadResult>& heads) {
  Table perHead = headsTable(heads);
  Table layers = layersTable(perHead), model = modelTable(perHead);
  std::vector<Table> tables;
  tables.push_back(std::move(perHead));
  tables.push_back(componentsTable(heads));
  tables.push_back(axesTable(heads));
  tables.push_back(profileTable(heads));
  tables.push_back(mapTable(heads));
  tables.push_back(mapModelTable(heads));
  tables.push_back(componentWeightsTable(heads));
  tables.push_back(lengthsTable(heads));
  tables.push_back(diagnosticsTable(heads));
  if (std::any_of(heads.begin(), heads.end(),
                  [](const HeadResult& head) { return head.decomposition.has_value(); })) {
    tables.push_back(decompositionTable(heads));
  }
  tables.push_back(std::move(layers));
  tables.push_back(std::move(model));
  return tables;
}

}  // namespace plastiscope
