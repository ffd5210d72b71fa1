#include "core/views/query_keys.h"

#include "core/views/plane_data.h"

namespace plastiscope {

namespace {

constexpr std::size_t kReach = 28;  // characters on each side of a token

RowText wordsAt(const std::vector<std::string>& tokens, std::int64_t position) {
  return position < std::ssize(tokens) ? rowTextOf(tokens, position, kReach) : RowText();
}

}  // namespace

std::vector<RankedKey> rankedKeys(const QueryScores& scores, std::size_t count) {
  std::vector<RankedKey> keys;
  for (const std::size_t place : scores.strongest(count)) {
    const ScoredKey& key = scores.keys[place];
    keys.push_back({std::ssize(keys) + 1, key, key.a - scores.mean.a, key.b - scores.mean.b,
                    key.rest - scores.mean.rest});
  }
  return keys;
}

QueryKeys makeQueryKeys(const Study& study, HeadName head, const QueryChoice& query) {
  QueryKeys data;
  data.head = head;
  data.scores = makeQueryScores(study, head, query);
  data.text = exampleLabel(factsOf(study).exampleIds, static_cast<std::int32_t>(data.scores.example));
  data.strongest = rankedKeys(data.scores, QueryScores::kMarked);
  const std::vector<std::string> tokens = study.capture->tokenTexts(data.scores.example);
  data.query = wordsAt(tokens, data.scores.position);
  for (const RankedKey& key : data.strongest) data.words.push_back(wordsAt(tokens, key.key.position));
  return data;
}

Table tableOf(const QueryKeys& data) {
  TableBuilder table("keys", {integers("rank"), integers("position"), texts("token"), numbers("score"),
                              numbers("a"), numbers("b"), numbers("rest"), numbers("a_less_mean"),
                              numbers("b_less_mean"), numbers("rest_less_mean")});
  const ScoredKey& mean = data.scores.mean;
  for (const ScoredKey& key : data.scores.keys) {
    std::int64_t rank = 0;
    std::string token;
    for (std::size_t i = 0; i < data.strongest.size(); ++i) {
      if (data.strongest[i].key.position != key.position) continue;
      rank = data.strongest[i].rank;
      token = data.words[i].token;
    }
    table.row({rank, key.position, token, key.score, key.a, key.b, key.rest, key.a - mean.a, key.b - mean.b,
               key.rest - mean.rest});
  }
  return table.take();
}

}  // namespace plastiscope
