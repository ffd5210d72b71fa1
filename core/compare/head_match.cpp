#include "core/compare/head_match.h"

#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

double depthShare(std::int64_t index, std::int64_t count) {
  return count > 1 ? static_cast<double>(index) / static_cast<double>(count - 1) : 0;
}

std::int64_t indexAt(double share, std::int64_t count) {
  return std::llround(share * static_cast<double>(std::max<std::int64_t>(count - 1, 0)));
}

bool sameShape(const StudyFacts& a, const StudyFacts& b) {
  return a.layers == b.layers && a.queryHeads == b.queryHeads;
}

}  // namespace

HeadMatching headMatchingOf(const Comparison& comparison) {
  const StudyFacts& first = comparison.models.front().facts;
  const bool same =
      std::all_of(comparison.models.begin(), comparison.models.end(),
                  [&first](const ComparedModel& model) { return sameShape(first, model.facts); });
  return same ? HeadMatching::SameHead : HeadMatching::RelativeDepth;
}

std::string headMatchingText(HeadMatching matching) {
  return matching == HeadMatching::SameHead
             ? "Heads are matched by layer and head."
             : "Layers or heads differ in number: heads are matched by relative depth, which says where a "
               "head stands, not that it does the same.";
}

std::optional<HeadName> matchedHead(const ComparedModel& from, HeadName head, const ComparedModel& to,
                                    HeadMatching matching) {
  HeadName wanted = head;
  if (matching == HeadMatching::RelativeDepth) {
    wanted.layer = indexAt(depthShare(head.layer, from.facts.layers), to.facts.layers);
    wanted.head = indexAt(depthShare(head.head, from.facts.queryHeads), to.facts.queryHeads);
  }
  std::optional<HeadName> nearest;
  for (const HeadName& candidate : to.heads) {
    if (candidate.layer != wanted.layer) continue;
    const auto distance = [&wanted](HeadName name) { return std::abs(name.head - wanted.head); };
    if (!nearest || distance(candidate) < distance(*nearest)) nearest = candidate;
  }
  if (matching == HeadMatching::SameHead && nearest != wanted) return std::nullopt;
  return nearest;
}

std::optional<HeadName> headMatchedBy(const ComparedModel& from, const ComparedModel& to, HeadName head,
                                      HeadMatching matching) {
  using Distance = std::pair<std::int64_t, std::int64_t>;  // layers first
  std::optional<HeadName> nearest;
  Distance least;
  for (const HeadName& candidate : from.heads) {
    const auto match = matchedHead(from, candidate, to, matching);
    if (!match) continue;
    const Distance distance{std::abs(match->layer - head.layer), std::abs(match->head - head.head)};
    if (nearest && distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

}  // namespace plastiscope
