#pragma once
// A head in the reflected basis of its query model, worked out once: plasticity in every mode and the
// diagnostics read it.
#include "core/analysis/bins.h"
#include "core/analysis/pair_models.h"
#include "core/analysis/pair_space.h"
#include "core/analysis/query_content.h"

namespace plastiscope {

struct ReflectedHead {
  BinnedQueries queries;
  QueryContent content;  // empty without a query model, as the keys are
  KeySides keys;

  // `key` must outlive it.
  ReflectedHead(const KindRows& query, const KindRows& key, const KeyOrder& keyOrder, const QueryModel& model,
                const BinGrid& grid)
      : queries(query, grid) {
    if (!model.present) return;
    content = queryContentOf(query, model, queries);
    keys = makeKeySides(key.vectors, keyOrder.row, model);
  }
};

}  // namespace plastiscope
