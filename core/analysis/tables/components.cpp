// components.csv and axes.csv: principal components and the axes of the plane.
#include "core/analysis/tables/head_table.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

Table componentsTable(const TableInput& input) {
  HeadTable table("components");
  Integers component;
  Numbers share, rQuery, rKey;
  for (const HeadResult& head : input.heads) {
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

Table axesTable(const TableInput& input) {
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
  for (const HeadResult& head : input.heads) {
    append(head, "a", head.rotation.a);
    append(head, "b", head.rotation.b);
    for (Eigen::Index j = 0; j < head.pca.components.cols(); ++j) {
      append(head, "pc" + std::to_string(j), head.pca.components.col(j));
    }
  }
  return table.finish({{"axis", axis}, {"dimension", dimension}, {"value", value}});
}

}  // namespace plastiscope
