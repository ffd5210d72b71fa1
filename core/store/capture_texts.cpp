#include "core/store/capture_texts.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "core/store/schema.h"

namespace plastiscope {

CaptureTexts::CaptureTexts(Hdf5Group group, const CaptureInfo& info)
    : m_group(std::move(group)), m_begins{0}, m_vocabulary(m_group.dataset(schema::kVocabularyIds).int32s()) {
  for (const CaptureExampleInfo& example : info.examples)
    m_begins.push_back(m_begins.back() + example.tokens);
  const Hdf5Dataset ids = m_group.dataset(schema::kTokenIds);
  if (ids.rank() != 1 || ids.element() != Hdf5Element::Int32 || ids.rows() != m_begins.back())
    ids.fail(std::to_string(m_begins.back()) + " tokens (int32)", std::to_string(ids.rows()) + " values");
  if (std::adjacent_find(m_vocabulary.begin(), m_vocabulary.end(), std::greater_equal<>()) !=
      m_vocabulary.end())
    m_group.fail("ascending ids in the vocabulary", "others");

  const std::vector<std::int64_t> ends = m_group.dataset(schema::kVocabularyEnds).int64s();
  const Hdf5Dataset stored = m_group.dataset(schema::kVocabularyBytes);
  if (stored.rank() != 1 || stored.element() != Hdf5Element::UInt8)
    stored.fail("one row of uint8", "values of another shape or type");
  const std::vector<std::byte> bytes = stored.bytes(0, stored.rows());
  const std::int64_t last = ends.empty() ? 0 : ends.back();
  if (ends.size() != m_vocabulary.size() || last != stored.rows())
    m_group.fail("one end for each of " + std::to_string(m_vocabulary.size()) + " tokens, the last at " +
                     std::to_string(stored.rows()),
                 std::to_string(ends.size()) + " ends, the last at " + std::to_string(last));
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    if (end < begin || end > stored.rows()) m_group.fail("ascending ends of tokens", std::to_string(end));
    m_pieces.emplace_back(reinterpret_cast<const char*>(bytes.data()) + begin,
                          static_cast<std::size_t>(end - begin));
    begin = end;
  }
}

std::vector<std::int32_t> CaptureTexts::tokenIds(std::int64_t example) const {
  const auto at = static_cast<std::size_t>(example);
  if (example < 0 || at + 1 >= m_begins.size())
    m_group.fail("an example of the capture", std::to_string(example));
  const std::int64_t count = m_begins[at + 1] - m_begins[at];
  const std::vector<std::byte> bytes = m_group.dataset(schema::kTokenIds).bytes(m_begins[at], count);
  std::vector<std::int32_t> ids(static_cast<std::size_t>(count));
  std::memcpy(ids.data(), bytes.data(), bytes.size());
  return ids;
}

std::vector<std::int32_t> CaptureTexts::allTokenIds() const {
  return m_group.dataset(schema::kTokenIds).int32s();
}

std::vector<std::string> CaptureTexts::of(std::int64_t example) const {
  std::vector<std::string> texts;
  for (const std::int32_t id : tokenIds(example)) {
    const auto found = std::lower_bound(m_vocabulary.begin(), m_vocabulary.end(), id);
    if (found == m_vocabulary.end() || *found != id)
      m_group.fail("tokens of the vocabulary", std::to_string(id));
    texts.push_back(m_pieces[static_cast<std::size_t>(found - m_vocabulary.begin())]);
  }
  return texts;
}

}  // namespace plastiscope
