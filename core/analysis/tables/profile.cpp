// profile.csv, lengths.csv and decomposition.csv: AP over query position (method.md sections 4, 6 and 7.1).
#include "core/analysis/tables/head_table.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

Table profileTable(const TableInput& input) {
  HeadTable table("profile");
  Integers bin, queries, keys, pairs, used, dropped;
  Numbers start, end, tau, tauMean, ap;
  for (const HeadResult& head : input.heads) {
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

Table lengthsTable(const TableInput& input) {
  HeadTable table("lengths");
  Integers from, to, queries;
  Numbers ap;
  for (const HeadResult& head : input.heads) {
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

Table decompositionTable(const TableInput& input) {
  HeadTable table("decomposition");
  Numbers drop, position, content, interaction;
  for (const HeadResult& head : input.heads) {
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

}  // namespace plastiscope
