#pragma once
// Attention map of one head and text, computed for the part and the size that is asked for: exact where it
// takes little time, else from some queries of each cell, until the whole text is known. Memory: the queries
// and keys in float32, and at most 34 MB of cells.
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/progress.h"
#include "core/views/attention_data.h"

namespace plastiscope {

// Thread-safe.
class AttentionMap {
 public:
  // Reads the rows of the text. UsageError with whyNoAttention(); InputError. `threads` 0: all cores.
  AttentionMap(const Study& study, HeadName head, std::int64_t example, int threads = 0);

  HeadName head() const { return m_head; }
  std::int64_t example() const { return m_example; }
  std::int64_t tokens() const { return m_attention->tokens(); }

  enum class Precision { Quick, Exact };
  // The view's cells; Quick: within a tenth of a second or so, from one query of each cell where all would
  // take longer. UsageError for ranges outside of the text, Stopped.
  AttentionData view(const AttentionView& view, Precision precision, const Progress& progress) const;
  // Number of scores that the exact view takes; 0: they are known.
  double cost(const AttentionView& view) const;

  // Computes the whole text: from then on views of large cells are exact and cost nothing. A stopped run
  // continues where it was. Stopped.
  void complete(const Progress& progress) const;
  bool isComplete() const { return m_known.load() == m_baseRows; }
  double shareKnown() const { return static_cast<double>(m_known.load()) / static_cast<double>(m_baseRows); }

  // Scores and weights of one query with all keys that it sees.
  DenseAttention::Row row(std::int64_t query) const { return m_attention->row(query); }

 private:
  // Cells of the whole text: row r has r + 1 of them, its sums over pairs that are seen.
  struct Cells {
    std::vector<float> scoreMean, scoreMax, weightMean, weightMax;
  };
  struct Grid;
  Grid gridOf(const AttentionView& view) const;
  bool isBase(const Grid& grid) const;
  void computeRow(const Grid& grid, std::int64_t row, std::int64_t evaluated, AttentionData& data) const;
  void positionRow(const Grid& grid, std::int64_t row, AttentionData& data) const;
  void baseRow(const Grid& grid, std::int64_t row, AttentionData& data) const;
  void completeRow(std::int64_t row) const;

  HeadName m_head;
  std::int64_t m_example = 0;
  int m_threads = 0;
  std::string m_text, m_rule;
  std::unique_ptr<DenseAttention> m_attention;
  std::int64_t m_base = 1, m_baseRows = 1;  // tokens of a cell of m_cells, and rows of cells
  mutable Cells m_cells;
  mutable std::vector<std::atomic<bool>> m_rowKnown;  // [m_baseRows]
  mutable std::atomic<std::int64_t> m_known = 0;
  mutable std::mutex m_completing;
  mutable std::once_flag m_distancesOnce;
  mutable DistanceScores m_distances;
  mutable std::vector<double> m_distanceSums, m_distanceCounts;  // before each distance
};

}  // namespace plastiscope
