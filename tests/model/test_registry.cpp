// Every architecture of the list is complete and stands apart from the others.
#include "core/model/architecture.h"
#include "tests/weights/file_builders.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace plastiscope::test {
namespace {

class EveryArchitecture : public testing::TestWithParam<Architecture> {};

TEST_P(EveryArchitecture, IsFoundByItsNames) {
  const Architecture& a = GetParam();
  EXPECT_FALSE(a.modelTypes.empty());
  for (const auto& name : a.modelTypes) EXPECT_EQ(architectureOfModelType(name)->name, a.name);
  for (const auto& name : a.classes) EXPECT_EQ(architectureOfClass(name)->name, a.name);
  const auto marked = [&](const std::string& key) { return !a.ggufMark.empty() && key == a.ggufMark; };
  for (const auto& name : a.ggufNames) EXPECT_EQ(architectureOfGguf(name, marked)->name, a.name);
  EXPECT_THAT(test::inputErrorOf([] { refuseArchitecture("config.json", "architecture", "rwkv"); }),
              testing::AllOf(testing::HasSubstr(a.name), testing::HasSubstr("found rwkv; ps.record")));
}

TEST_P(EveryArchitecture, NamesEachTensorOnce) {
  for (const auto container : {&LayerTensor::hf, &LayerTensor::gguf}) {
    std::map<TensorRole, Applies> roles;
    std::map<std::string_view, Applies> names;
    // A role or a name may stand for two parts of which a layer has one.
    const auto isFree = [](const auto& inserted, Applies applies) {
      const auto& [first, isNew] = inserted;
      return isNew || (first->second != nullptr && applies != nullptr && first->second != applies);
    };
    for (const LayerTensor& tensor : GetParam().layerTensors) {
      if ((tensor.*container).empty()) continue;
      EXPECT_TRUE(isFree(roles.emplace(tensor.role, tensor.applies), tensor.applies))
          << tensor.hf << " " << tensor.gguf;
      EXPECT_TRUE(isFree(names.emplace(tensor.*container, tensor.applies), tensor.applies))
          << tensor.*container;
      const bool isNumber = tensor.role == TensorRole::XieluBeta || tensor.role == TensorRole::XieluEps;
      EXPECT_EQ(tensor.shape.empty(), isNumber) << tensor.*container;
    }
    EXPECT_TRUE(roles.contains(TensorRole::QueryKeyValue) || roles.contains(TensorRole::LatentUp) ||
                (roles.contains(TensorRole::Key) &&
                 (roles.contains(TensorRole::Query) || roles.contains(TensorRole::QueryGate))));
    if (container == &LayerTensor::hf) {
      EXPECT_TRUE(names.contains(GetParam().hfAnchor));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryArchitecture, testing::ValuesIn(architectures()),
                         [](const auto& one) { return one.param.name; });

// A GGUF name may stand for several families: all but one have a mark.
TEST(Registry, NamesAreUnique) {
  std::map<std::string, int> types, classes, files;
  std::set<std::string> names;
  for (const Architecture& a : architectures()) {
    EXPECT_TRUE(names.insert(a.name).second) << a.name;
    for (const auto& name : a.modelTypes) EXPECT_EQ(++types[name], 1) << name;
    for (const auto& name : a.classes) EXPECT_EQ(++classes[name], 1) << name;
    for (const auto& name : a.ggufNames) EXPECT_EQ(++files[name + "/" + a.ggufMark], 1) << name;
  }
}

TEST(Registry, UnknownNamesGiveNothing) {
  EXPECT_EQ(architectureOfModelType("nothing"), nullptr);
  EXPECT_EQ(architectureOfClass(""), nullptr);
  EXPECT_EQ(architectureOfGguf("Llama", [](const std::string&) { return true; }), nullptr);
}

}  // namespace
}  // namespace plastiscope::test
