#pragma once
// Texts with known answers: what a model has to find earlier in the text, and where (method.md, Probes).
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace plastiscope {

// Text: a text of the user, whose tokens are scored as they are.
enum class ProbeKind { Needle, KeyValue, Needles, RandomRepeat, PassageRepeat, Text };
constexpr std::array<const char*, 6> namesOf(ProbeKind) {
  return {"needle", "key_value", "needles", "random_repeat", "passage_repeat", "text"};
}

// Present: the answer can be found. Controls: it is absent, another value stands in its place (the scored
// tokens stay the same), or the filler is repeated as often instead.
enum class ProbeCondition { Present, Absent, OtherValue, Filler };
constexpr std::array<const char*, 4> namesOf(ProbeCondition) {
  return {"present", "absent", "other_value", "filler"};
}

struct ProbeText {
  std::string id;  // "needle/present/1024/0.5/3"
  ProbeKind kind = ProbeKind::Needle;
  ProbeCondition condition = ProbeCondition::Present;
  std::int64_t replicate = 0;  // probes with equal numbers share filler and question: one text in statistics
  std::int64_t length = 0;     // tokens
  double depth = 0;            // share of the text before the needle or first occurrence, 0..1
  std::int64_t distance = 0;   // tokens from the first copied token to the first scored one
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> scored;  // positions of the tokens to predict, ascending, above 0
  std::vector<std::int32_t> copied;  // [scored] position of the earlier token that each repeats; -1: none
};

}  // namespace plastiscope
