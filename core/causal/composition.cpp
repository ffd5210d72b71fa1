#include "core/causal/composition.h"

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "core/analysis/matrix.h"
#include "core/base/error.h"
#include "core/jobs/parallel.h"

namespace plastiscope {

namespace {

using enum TensorRole;
using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// ---- weights of a layer

void requireForm(const ModelSpec& spec) {
  const auto refuse = [&](const std::string& reason) {
    throw UsageError(spec.name + ": " + reason +
                     ", so that composition scores of single heads do not exist; choose another model");
  };
  if (spec.latent.rank > 0) refuse("keys and values of all heads come from one latent vector");
  if (spec.altUp.streams > 0 || spec.laurelRank > 0)
    refuse("hidden states are not a sum of the heads' outputs");
  if (!std::ranges::all_of(spec.layers, &LayerSpec::ownKeys))
    refuse("some layers use the keys of earlier ones");
}

class LayerMatrices {
 public:
  LayerMatrices(const Model& model, std::int64_t number)
      : m_model(model), m_layer(model.layers.at(number)), m_spec(model.spec.layer(number)) {
    const std::int64_t dim = m_spec.headDim, keys = m_spec.keyHeads * dim,
                       queries = model.spec.queryHeads * dim;
    if (has(QueryKeyValue)) {
      const Floats all = read(QueryKeyValue);
      query = all.topRows(queries);
      key = all.middleRows(queries, keys);
      value = all.bottomRows(keys);
    } else {
      query = has(QueryGate) ? withoutGate(read(QueryGate), dim) : read(Query);
      key = read(Key);
      value = m_spec.valuesAreKeys ? key : read(Value);
    }
    output = read(Output);
    scaleRows(query, QueryNorm);
    scaleRows(key, KeyNorm);
    for (Floats* const input : {&query, &key, &value}) fold(*input, InputNorm);
    if (!has(AttentionOutputNorm)) return;
    if (model.spec.norm.subtractMean) output.rowwise() -= output.colwise().mean().eval();
    scaleRows(output, AttentionOutputNorm);
  }

  Floats query, key, value;  // [heads * head_dim, hidden], with the gains of their norms
  Floats output;             // [hidden, heads * head_dim]

 private:
  bool has(TensorRole role) const { return m_layer.contains(role); }

  Floats read(TensorRole role) const {
    const BoundTensor& tensor = m_layer.at(role);
    std::int64_t count = 1;
    for (const std::int64_t size : tensor.shape.empty() ? tensor.info.shape : tensor.shape) count *= size;
    Floats values(count / tensor.columns(), tensor.columns());
    m_model.read(tensor, {values.data(), static_cast<std::size_t>(count)});
    return values;
  }

  static Floats withoutGate(const Floats& both, std::int64_t dim) {
    Floats query(both.rows() / 2, both.cols());
    for (std::int64_t row = 0; row < query.rows(); row += dim)
      query.middleRows(row, dim) = both.middleRows(2 * row, dim);
    return query;
  }

  // Gains of all rows, or of the rows of one head.
  void scaleRows(Floats& rows, TensorRole norm) const {
    if (!has(norm)) return;
    const Floats gain = read(norm);
    for (Eigen::Index row = 0; row < rows.rows(); ++row) rows.row(row) *= gain.data()[row % gain.size()];
  }

  void fold(Floats& rows, TensorRole norm) const {
    if (has(norm) && !m_model.spec.norm.weightless) {
      const Floats gain = read(norm);
      rows.array().rowwise() *= Eigen::Map<const Eigen::RowVectorXf>(gain.data(), gain.size()).array();
    }
    if (m_model.spec.norm.subtractMean && (has(norm) || m_model.spec.norm.weightless))
      rows.colwise() -= rows.rowwise().mean().eval();
  }

  const Model& m_model;
  const std::map<TensorRole, BoundTensor>& m_layer;
  const LayerSpec& m_spec;
};

// ---- scores

// The symmetric R with R R = `gram`, both [head_dim, head_dim].
Floats rootOf(const Eigen::MatrixXd& gram) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  const Eigen::VectorXd roots = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
  return (solver.eigenvectors() * roots.asDiagonal() * solver.eigenvectors().transpose()).cast<float>();
}

Floats rootOfRows(const Floats& rows) {  // of rows rows^T
  const Eigen::MatrixXd wide = rows.cast<double>();
  return rootOf(wide * wide.transpose());
}

// Frobenius norm 1; zeros stay.
Floats normed(Floats matrix) {
  const double size = std::sqrt(matrix.cast<double>().squaredNorm());
  if (size > 0) matrix *= static_cast<float>(1 / size);
  return matrix;
}

// A product with W_OV of an earlier head has the norm of the product with R_V in place of W_V, because only
// W_V W_V^T enters it; likewise for the outer matrix of the later head. Both factors have norm 1.
struct Writers {
  std::vector<HeadName> heads;
  Floats outputs;  // [hidden, heads * head_dim] W_O R_V
  std::int64_t headDim = 0;
};

// [3 * head_dim, hidden]: R_K W_Q, R_Q W_K, R_O W_V of a head.
Floats readerOf(const LayerMatrices& layer, HeadName head, std::int64_t keyHead, std::int64_t dim) {
  const Floats query = layer.query.middleRows(head.head * dim, dim),
               key = layer.key.middleRows(keyHead * dim, dim),
               value = layer.value.middleRows(keyHead * dim, dim),
               output = layer.output.middleCols(head.head * dim, dim).transpose();
  Floats all(3 * dim, query.cols());
  all << normed(rootOfRows(key) * query), normed(rootOfRows(query) * key), normed(rootOfRows(output) * value);
  return all;
}

}  // namespace

std::string HeadEdge::text() const {
  return from.text() + ">" + to.text() + ":" + nameOf(into);
}

HeadEdge HeadEdge::parse(const std::string& text) {
  const auto refuse = [&] {
    throw UsageError("edge \"" + text +
                     "\": expected a head, a head of a later layer, and q, k or v, such as L0H4>L1H7:k");
  };
  const std::size_t arrow = text.find('>'), colon = text.find(':');
  if (arrow == std::string::npos || colon == std::string::npos || colon < arrow) refuse();
  const std::vector<HeadName> from = parseHeadList(text.substr(0, arrow)),
                              to = parseHeadList(text.substr(arrow + 1, colon - arrow - 1));
  const auto names = namesOf(AttentionInput());
  const auto into = std::ranges::find(names, text.substr(colon + 1));
  if (from.size() != 1 || to.size() != 1 || into == names.end() || from[0].layer >= to[0].layer) refuse();
  return {from[0], to[0], static_cast<AttentionInput>(into - names.begin())};
}

// For matrices X and Y whose singular directions are independent and uniform, |X Y|^2 has the mean
// |X|^2 |Y|^2 / hidden.
double compositionBaseline(const ModelSpec& spec) {
  return 1 / std::sqrt(static_cast<double>(spec.hidden));
}

std::vector<HeadEdge> compositionScores(const Model& model, std::span<const HeadName> heads, int threads,
                                        Progress& progress) {
  const ModelSpec& spec = model.spec;
  requireForm(spec);
  std::vector<HeadEdge> edges;
  std::vector<Writers> earlier;
  for (std::size_t begin = 0, end = 0; begin < heads.size(); begin = end) {
    const std::int64_t number = heads[begin].layer, dim = spec.layer(number).headDim;
    while (end < heads.size() && heads[end].layer == number) ++end;
    const auto own = heads.subspan(begin, end - begin);
    const LayerMatrices layer(model, number);
    std::vector<std::vector<HeadEdge>> ofHead(own.size());
    Writers writers{{own.begin(), own.end()}, Floats(spec.hidden, std::ssize(own) * dim), dim};
    parallelFor(own.size(), threads, [&](std::size_t i) {
      progress.throwIfStopped();
      const std::int64_t keyHead = own[i].head / spec.groupSize(number);
      const Floats reader = readerOf(layer, own[i], keyHead, dim);
      for (const Writers& others : earlier) {
        const Floats product = reader * others.outputs;
        for (std::size_t from = 0; from < others.heads.size(); ++from) {
          for (std::size_t into = 0; into < namesOf(AttentionInput()).size(); ++into) {
            const auto block =
                product.block(static_cast<Eigen::Index>(into) * dim,
                              static_cast<Eigen::Index>(from) * others.headDim, dim, others.headDim);
            ofHead[i].push_back({others.heads[from], own[i], static_cast<AttentionInput>(into),
                                 std::sqrt(block.cast<double>().squaredNorm())});
          }
        }
      }
      const Floats value = layer.value.middleRows(keyHead * dim, dim);
      writers.outputs.middleCols(static_cast<Eigen::Index>(i) * dim, dim) =
          normed(layer.output.middleCols(own[i].head * dim, dim) * rootOfRows(value));
    });
    for (std::vector<HeadEdge>& some : ofHead) std::ranges::move(some, std::back_inserter(edges));
    earlier.push_back(std::move(writers));
  }
  return edges;
}

}  // namespace plastiscope
