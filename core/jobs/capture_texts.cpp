#include "core/jobs/capture_texts.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

namespace {

std::shared_ptr<const Tokenizer> tokenizerOf(const Model& model) {
  try {
    return openTokenizer(model.path);
  } catch (const InputError&) {
    return nullptr;
  }
}

}  // namespace

bool storesTexts(const CaptureRequest& request, const CaptureSetup& setup) {
  return request.storeTexts && (request.tokens.empty() || tokenizerOf(*setup.model) != nullptr);
}

std::optional<StoredTexts> storedTextsOf(const CaptureRequest& request, const CaptureSetup& setup) {
  const auto tokenizer = request.storeTexts ? tokenizerOf(*setup.model) : nullptr;
  if (!tokenizer) return std::nullopt;
  StoredTexts texts;
  for (const CaptureExample& example : setup.examples)
    texts.tokenIds.insert(texts.tokenIds.end(), example.tokens.begin(), example.tokens.end());
  texts.vocabulary = texts.tokenIds;
  std::sort(texts.vocabulary.begin(), texts.vocabulary.end());
  texts.vocabulary.erase(std::unique(texts.vocabulary.begin(), texts.vocabulary.end()),
                         texts.vocabulary.end());
  texts.vocabulary.shrink_to_fit();
  for (const std::int32_t id : texts.vocabulary) texts.pieces.push_back(tokenizer->tokenText(id));
  return texts;
}

}  // namespace plastiscope
