// The reflection of method.md, Query model.
#include "core/analysis/query_model.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/analysis/pair_kernels.h"
#include "core/analysis/row_kernels.h"
#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

QueryModel modelOf(const VectorRows& query) {
  return queryModelOf(query, momentsOf(query));
}

// Queries that lie on the line beta t exactly.
VectorRows lineOf(const std::vector<double>& beta) {
  std::vector<test::Row> rows;
  for (int t = 0; t < 5; ++t) {
    test::Row row{{}, t, 0};
    for (const double b : beta) row.vector.push_back(b * t + 1);
    rows.push_back(row);
  }
  return test::rowsOf(rows);
}

Matrix reflected(const QueryModel& model, const Matrix& rows) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), 0);
  Matrix out(rows.rows(), paddedLength(rows.cols()));
  Vector squares(rows.rows());
  reflectRows(blockOf(rows), order, {model.reflector.size() > 0 ? model.reflector.data() : nullptr},
              out.data(), squares.data());
  EXPECT_LT((squares - rows.rowwise().squaredNorm()).cwiseAbs().maxCoeff(), 1e-12 * (1 + squares.maxCoeff()));
  return out.leftCols(rows.cols());
}

Matrix reflectionMatrix(const QueryModel& model, Eigen::Index dim) {
  return reflected(model, Matrix::Identity(dim, dim));
}

TEST(QueryModel, ReflectsThreeFourToTheFirstAxis) {
  const QueryModel model = modelOf(lineOf({3, 4}));
  Matrix expected(2, 2);
  expected << 0.6, 0.8, 0.8, -0.6;
  EXPECT_LT((reflectionMatrix(model, 2) - expected).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_NEAR(model.betaNorm, 5, 1e-14);
  EXPECT_NEAR(model.alphaPosition, 1.4, 1e-14);  // H (1, 1)
  EXPECT_NEAR(model.sigmaPosition2, 0, 1e-25);
}

TEST(QueryModel, ReflectionIsOrthogonalAndItsOwnInverse) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const VectorRows query = test::randomHead(seed, 9, 100, 2, 500).query;
    const QueryModel model = modelOf(query);
    const Matrix h = reflectionMatrix(model, 9);
    EXPECT_LT((h * h.transpose() - Matrix::Identity(9, 9)).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((h * h - Matrix::Identity(9, 9)).cwiseAbs().maxCoeff(), 1e-14);
    const Vector turned = model.reflected(model.beta);
    EXPECT_NEAR(turned[0], model.betaNorm, 1e-14 * model.betaNorm);
    EXPECT_LT(turned.tail(8).norm(), 1e-14 * model.betaNorm);
    const Matrix before = query.vectors * query.vectors.transpose();
    const Matrix rows = reflected(model, query.vectors);
    EXPECT_LT((rows * rows.transpose() - before).cwiseAbs().maxCoeff(), 1e-12 * before.cwiseAbs().maxCoeff());
  }
}

// beta nearly along coordinate 1: u = beta / |beta| - e_1 would lose all its digits by subtraction.
TEST(QueryModel, KeepsDigitsNearTheFirstCoordinate) {
  const QueryModel model = modelOf(lineOf({1, 1e-9}));
  const Vector turned = model.reflected(model.beta);
  EXPECT_LT(std::abs(turned[1]), 1e-24);
  EXPECT_NEAR(turned[0], model.betaNorm, 1e-15);
}

TEST(QueryModel, DriftAlongTheFirstCoordinateNeedsNoReflection) {
  const QueryModel model = modelOf(lineOf({2, 0, 0}));
  EXPECT_EQ(model.reflector.size(), 0);
  EXPECT_NEAR(model.betaPosition, 2, 1e-15);
  const QueryModel backwards = modelOf(lineOf({-2, 0, 0}));
  EXPECT_EQ(reflectionMatrix(backwards, 3)(0, 0), -1);
  EXPECT_NEAR(backwards.betaPosition, 2, 1e-15);
}

TEST(QueryModel, ConstantDimensionsHaveNoWeight) {
  const QueryModel model = modelOf(lineOf({3, 0, 4}));
  EXPECT_TRUE(std::isnan(model.r2[1]));
  EXPECT_EQ(model.weights[1], 0);
  EXPECT_NEAR(model.weights[0], 0.5, 1e-15);
  EXPECT_NEAR(model.r2Position, 1, 1e-15);  // over the two coordinates that vary
}

}  // namespace
}  // namespace plastiscope
