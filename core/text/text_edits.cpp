#include "core/text/text_edits.h"

#include "core/text/char_class.h"
#include "core/text/utf8.h"

namespace plastiscope {

namespace {

struct Match {
  std::size_t begin, end;
};

// `find(text, from)` gives the next match from a position on, or one that begins at npos.
template <typename Find>
AlignedText replaced(AlignedText text, std::string_view content, TextLimits& limits, Find find) {
  const std::string_view bytes = text.view();
  Match match = find(bytes, 0);
  if (match.begin == std::string_view::npos) return text;
  AlignedBuilder result(text, limits);
  std::size_t done = 0;
  for (; match.begin != std::string_view::npos; match = find(bytes, done)) {
    result.keep(done, match.begin);
    result.add(content, text.source(match.end - 1));
    done = match.end;
  }
  result.keep(done, bytes.size());
  return result.finish();
}

class Prepend : public Normalizer {
 public:
  explicit Prepend(std::string prefix) : m_prefix(std::move(prefix)) {}
  AlignedText apply(AlignedText text, TextLimits& limits) const override {
    if (text.view().empty() || m_prefix.empty()) return text;
    AlignedBuilder result(text, limits);
    result.add(m_prefix, text.source(0));
    result.keep(0, text.view().size());
    return result.finish();
  }

 private:
  std::string m_prefix;
};

class Replace : public Normalizer {
 public:
  Replace(std::string pattern, std::string content)
      : m_pattern(std::move(pattern)), m_content(std::move(content)) {}
  AlignedText apply(AlignedText text, TextLimits& limits) const override {
    return replaced(std::move(text), m_content, limits, [&](std::string_view bytes, std::size_t from) {
      const std::size_t begin = bytes.find(m_pattern, from);
      return Match{begin, begin + m_pattern.size()};
    });
  }

 private:
  std::string m_pattern, m_content;
};

class ReplaceSpaceRuns : public Normalizer {
 public:
  explicit ReplaceSpaceRuns(std::string content) : m_content(std::move(content)) {}
  AlignedText apply(AlignedText text, TextLimits& limits) const override {
    return replaced(std::move(text), m_content, limits, [](std::string_view bytes, std::size_t from) {
      const std::size_t begin = bytes.find("  ", from);
      if (begin == std::string_view::npos) return Match{begin, begin};
      const std::size_t end = bytes.find_first_not_of(' ', begin);
      return Match{begin, end == std::string_view::npos ? bytes.size() : end};
    });
  }

 private:
  std::string m_content;
};

class Strip : public Normalizer {
 public:
  Strip(bool left, bool right) : m_left(left), m_right(right) {}
  AlignedText apply(AlignedText text, TextLimits& /*limits*/) const override {
    const std::string_view bytes = text.view();
    std::size_t begin = 0, end = bytes.size();
    for (std::size_t next = begin; m_left && next < end && isWhitespace(nextCodePoint(bytes, next));)
      begin = next;
    while (m_right && end > begin) {
      const std::size_t start = previousCodePoint(bytes, end);
      std::size_t position = start;
      if (!isWhitespace(nextCodePoint(bytes, position))) break;
      end = start;
    }
    return begin == 0 && end == bytes.size() ? text : text.slice(begin, end);
  }

 private:
  bool m_left, m_right;
};

}  // namespace

std::shared_ptr<const Normalizer> makePrepend(std::string prefix) {
  return std::make_shared<Prepend>(std::move(prefix));
}
std::shared_ptr<const Normalizer> makeReplace(std::string pattern, std::string content) {
  return std::make_shared<Replace>(std::move(pattern), std::move(content));
}
std::shared_ptr<const Normalizer> makeReplaceSpaceRuns(std::string content) {
  return std::make_shared<ReplaceSpaceRuns>(std::move(content));
}
std::shared_ptr<const Normalizer> makeStrip(bool left, bool right) {
  return std::make_shared<Strip>(left, right);
}

}  // namespace plastiscope
