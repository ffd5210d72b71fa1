#pragma once
// Attention map of one head and text, computed for the part and the size that is asked for: exact where it
// takes little time, else from some queries of each cell, until the whole text is known. Memory: the queries
// and keys in float32, and at most 34 MB of cells.
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/progress.h"
#include "core/views/attention_data.h"

namespace plastiscope {

// Thread-safe.
class AttentionMap {
 public:
  // Reads the rows of the text. UsageError with whyNoAttention(); InputError. `threads` 0: all cores.
  AttentionMap(const Study& study, HeadName head, std::int64_t example, int threads = 0);

  HeadName head() const { return m_plain.head; }
  std::int64_t example() const { return m_example; }
  std::int64_t tokens() const { return m_plain.tokens; }

  // Quick: within about a tenth of a second, from some queries of each cell where all would take longer.
  enum class Precision { Quick, Exact };
  // UsageError for ranges outside of the text, Stopped.
  AttentionData view(const AttentionView& view, Precision precision, const Progress& progress) const;
  // Number of scores that the exact view takes; 0: they are known.
  double cost(const AttentionView& view) const { return cost(planOf(view)); }

  // Computes the whole text: from then on views of large cells are exact and cost nothing. A stopped run
  // continues where it was. Stopped.
  void complete(const Progress& progress) const;
  bool isComplete() const { return m_known.load() == m_baseRows; }

  // Scores and weights of one query with all keys that it sees.
  DenseAttention::Row row(std::int64_t query) const { return m_attention->row(query); }

 private:
  AttentionData planOf(const AttentionView& view) const;  // ranges and cells, without values
  bool isKnown(const AttentionData& plan) const;
  double cost(const AttentionData& plan) const;
  void computeRow(std::int64_t row, AttentionData& data) const;
  void joinRow(std::int64_t row, AttentionData& data) const;  // from m_cells
  void completeRow(std::int64_t row) const;

  std::int64_t m_example = 0;
  int m_threads = 0;
  AttentionData m_plain;  // what all views have in common
  std::unique_ptr<DenseAttention> m_attention;
  // Cells of the whole text, of m_base tokens: row r has r + 1 of them.
  struct Cells {
    std::vector<float> mean, max;
  };
  std::int64_t m_base = 1, m_baseRows = 1;
  mutable Cells m_scores, m_weights;
  mutable std::vector<std::atomic<bool>> m_rowKnown;  // [m_baseRows]
  mutable std::atomic<std::int64_t> m_known = 0;      // rows
  mutable std::mutex m_completing;
  mutable std::once_flag m_distancesOnce;
  mutable DistanceScores m_distances;
};

}  // namespace plastiscope
