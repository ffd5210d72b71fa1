// Every architecture of the list is complete and stands apart from the others.
#include "core/model/registry.h"

#include <gtest/gtest.h>

#include <set>

namespace plastiscope::test {
namespace {

class EveryArchitecture : public testing::TestWithParam<Architecture> {};

TEST_P(EveryArchitecture, AnswersToItsNames) {
  const Architecture& a = GetParam();
  EXPECT_FALSE(a.modelTypes.empty());
  for (const auto& name : a.modelTypes) EXPECT_EQ(architectureOfModelType(name)->name, a.name);
  for (const auto& name : a.classes) EXPECT_EQ(architectureOfClass(name)->name, a.name);
  for (const auto& name : a.ggufNames) EXPECT_EQ(architectureOfGguf(name)->name, a.name);
  EXPECT_NE(architectureNames().find(a.name), std::string::npos);
}

TEST_P(EveryArchitecture, NamesEachTensorOnce) {
  std::set<TensorRole> roles;
  std::set<std::string_view> hf, gguf;
  for (const LayerTensor& tensor : GetParam().layerTensors) {
    EXPECT_TRUE(roles.insert(tensor.role).second) << nameOf(tensor.role);
    EXPECT_TRUE(hf.insert(tensor.hf).second) << tensor.hf;
    EXPECT_TRUE(gguf.insert(tensor.gguf).second) << tensor.gguf;
    EXPECT_FALSE(tensor.shape.empty()) << tensor.hf;
  }
  EXPECT_TRUE(roles.contains(TensorRole::Query));
  EXPECT_TRUE(roles.contains(TensorRole::Key));
  EXPECT_TRUE(hf.contains(GetParam().hfAnchor));
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryArchitecture, testing::ValuesIn(architectures()),
                         [](const auto& one) { return one.param.name; });

TEST(Registry, HasNoTwoOfAName) {
  std::set<std::string> names;
  for (const Architecture& a : architectures()) {
    for (const auto& list : {a.modelTypes, a.classes, a.ggufNames}) {
      for (const std::string& name : std::set<std::string>(list.begin(), list.end())) {
        names.insert(a.name + "/" + name);
        for (const Architecture& other : architectures()) {
          if (other.name == a.name) continue;
          for (const auto& otherList : {other.modelTypes, other.classes}) {
            EXPECT_EQ(std::count(otherList.begin(), otherList.end(), name), 0) << name;
          }
        }
      }
    }
  }
  EXPECT_GE(names.size(), architectures().size());
}

TEST(Registry, UnknownNamesGiveNothing) {
  EXPECT_EQ(architectureOfModelType("nothing"), nullptr);
  EXPECT_EQ(architectureOfClass(""), nullptr);
  EXPECT_EQ(architectureOfGguf("Llama"), nullptr);
}

TEST(TensorRoles, HaveNames) {
  EXPECT_EQ(nameOf(TensorRole::InputNorm), "input_norm");
  EXPECT_EQ(nameOf(TensorRole::DownBias), "down_bias");
}

}  // namespace
}  // namespace plastiscope::test
