#include "core/causal/probe_maker.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/random.h"
#include "core/capture/capture_unit.h"
#include "core/text/token_types.h"

namespace plastiscope {

namespace {

// ---- random numbers and tokens

using Tokens = std::vector<std::int32_t>;

constexpr std::uint64_t kFillerPurpose = 0x66696C6C;  // "fill"
constexpr std::uint64_t kAskPurpose = 0x61736B;       // "ask"
constexpr std::uint64_t kRepeatPurpose = 0x72657065;  // "repe"

template <typename... Parts>
PairGenerator generator(Parts... parts) {
  std::uint64_t state = kSeedStart;
  ((state = combine(state, mix64(static_cast<std::uint64_t>(parts)))), ...);
  return PairGenerator(state);
}

// Puts random items of the list at its first `count` places.
template <typename Item>
void drawFirst(std::vector<Item>& list, std::int64_t count, PairGenerator& random) {
  for (std::int64_t i = 0; i < count; ++i)
    std::swap(list[i], list[i + static_cast<std::int64_t>(random.below(list.size() - i))]);
}

void append(Tokens& to, const Tokens& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void overwrite(Tokens& tokens, std::int64_t from, const Tokens& by) {
  std::ranges::copy(by, tokens.begin() + from);
}

// ---- questions

constexpr const char* kPlaces[] = {"Lisbon", "Oslo",    "Cairo",  "Lima",   "Kyoto",   "Dublin",  "Quito",
                                   "Riga",   "Tunis",   "Seoul",  "Prague", "Nairobi", "Havana",  "Bergen",
                                   "Delhi",  "Accra",   "Geneva", "Boston", "Hanoi",   "Sofia",   "Perth",
                                   "Naples", "Dakar",   "Bogota", "Athens", "Vienna",  "Toronto", "Jakarta",
                                   "Cuzco",  "Glasgow", "Tirana", "Samara"};
constexpr std::int64_t kRandomPrefix = 4;  // tokens of a question without a tokenizer
constexpr int kAttempts = 1000;

// A sentence with a random value. The text ends with `prefix` and `value` once more.
struct Sentence {
  Tokens prefix, value, suffix;
  Tokens all() const {
    Tokens tokens = prefix;
    append(tokens, value);
    append(tokens, suffix);
    return tokens;
  }
};

struct Piece {
  Tokens tokens;
  std::optional<double> share;  // of the filler before it; nothing: the depth of the probe
};

// The sentences, list or passages of one replicate, which its probes of every length and depth share.
struct Question {
  std::vector<Piece> pieces;
  std::size_t asked = 0;  // piece
  Sentence sentence;      // of that piece
  Tokens otherValue;      // empty: no such control
  Tokens otherPassage;    // for the control with repeated filler; empty: no such control

  std::int64_t size() const {
    std::int64_t tokens = std::ssize(sentence.prefix) + std::ssize(sentence.value);
    for (const Piece& piece : pieces) tokens += std::ssize(piece.tokens);
    return tokens;
  }
};

std::string placeName(std::int64_t key) {
  const std::int64_t round = key / std::ssize(kPlaces);
  return kPlaces[key % std::ssize(kPlaces)] + (round == 0 ? std::string() : " " + std::to_string(round + 1));
}

std::string randomNumber(std::int64_t digits, PairGenerator& random) {
  std::string number(1, static_cast<char>('1' + random.below(9)));
  while (std::ssize(number) < digits) number += static_cast<char>('0' + random.below(10));
  return number;
}

// `a` and `b`: equally long.
bool differEverywhere(const Tokens& a, const Tokens& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) return false;
  }
  return true;
}

// At most `most` of the items, evenly spaced.
Tokens evenlySpaced(const Tokens& items, std::int64_t most) {
  if (std::ssize(items) <= most) return items;
  Tokens some;
  for (std::int64_t i = 0; i < most; ++i) some.push_back(items[i * std::ssize(items) / most]);
  return some;
}

class ProbeMaker {
 public:
  ProbeMaker(const ProbeSettings& settings, const ProbeSource& source, Progress& progress)
      : m_settings(settings),
        m_source(source),
        m_progress(progress),
        m_longest(settings.lengths.back()),
        m_ordinary(ordinaryTokens(source.tokenizer.get(), source.vocabulary)) {
    for (const Tokens& text : source.texts) append(m_stream, text);
    if (m_ordinary.size() < 2) throw UsageError("probes need a vocabulary of at least two ordinary tokens");
  }

  std::vector<ProbeText> make() {
    std::vector<ProbeKind> kinds = m_settings.kinds;
    for (std::size_t kind = 0; m_settings.kinds.empty() && kind < namesOf(ProbeKind()).size(); ++kind) {
      if (!needsTexts(static_cast<ProbeKind>(kind)) || !m_stream.empty())
        kinds.push_back(static_cast<ProbeKind>(kind));
    }
    for (const ProbeKind kind : kinds) {
      if (needsTexts(kind) && m_stream.empty())
        throw UsageError("probes of the kind " + nameOf(kind) + " need texts: give --text or --tokens");
      if (kind == ProbeKind::Text)
        addTexts();
      else
        addKind(kind);
    }
    return std::move(m_probes);
  }

 private:
  static bool needsTexts(ProbeKind kind) {
    return kind == ProbeKind::PassageRepeat || kind == ProbeKind::Text;
  }
  static bool repeats(ProbeKind kind) {
    return kind == ProbeKind::PassageRepeat || kind == ProbeKind::RandomRepeat;
  }

  std::int32_t randomToken(PairGenerator& random) const {
    return m_ordinary[random.below(m_ordinary.size())];
  }

  // Filler of a replicate. Shorter probes have the first tokens of longer ones.
  Tokens filler(std::int64_t replicate, std::int64_t from, std::int64_t count) const {
    Tokens tokens;
    const std::uint64_t size = m_stream.size();
    std::uint64_t start = 0;
    if (size > 0)
      start = generator(m_settings.seed, kFillerPurpose).below(size) +
              size * static_cast<std::uint64_t>(replicate) / static_cast<std::uint64_t>(m_settings.count);
    for (std::int64_t i = from; i < from + count; ++i) {
      if (size > 0) {
        tokens.push_back(m_stream[(start + static_cast<std::uint64_t>(i)) % size]);
      } else {
        PairGenerator random = generator(m_settings.seed, kFillerPurpose, replicate, i);
        tokens.push_back(randomToken(random));
      }
    }
    return tokens;
  }

  // The sentence in tokens. Nothing unless the value has `answerTokens` tokens of its own, of which the first
  // may begin with the space before it.
  std::optional<Sentence> tokenized(const std::string& head, const std::string& value,
                                    const std::string& tail) const {
    const Encoding encoding = m_source.tokenizer->encode(head + value + tail, false);
    const auto begin = std::ssize(head), end = begin + std::ssize(value);
    Sentence sentence;
    for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
      const auto [from, to] = encoding.offsets[i];
      const bool inside = to > begin && from < end;
      if (inside && (from + 1 < begin || to > end)) return std::nullopt;
      if (inside && m_source.tokenizer->role(encoding.ids[i]) == TokenRole::Unknown) return std::nullopt;
      (inside ? sentence.value : from >= end ? sentence.suffix : sentence.prefix).push_back(encoding.ids[i]);
    }
    if (std::ssize(sentence.value) != m_settings.answerTokens) return std::nullopt;
    return sentence;
  }

  // A sentence about `key` with a random value. `other`: the same sentence, from whose value every token is
  // to differ.
  Sentence sentence(ProbeKind kind, std::int64_t key, PairGenerator& random, const Sentence* other) const {
    const bool list = kind == ProbeKind::KeyValue;
    const std::string head = list ? "\n" + placeName(key) + ": "
                                  : "\nThe number that opens the safe in " + placeName(key) + " is ";
    Sentence drawn;
    for (std::int64_t i = 0; !m_source.tokenizer && i < kRandomPrefix; ++i)
      drawn.prefix.push_back(randomToken(random));
    if (!m_source.tokenizer && other != nullptr) drawn.prefix = other->prefix;
    const std::int64_t answer = m_settings.answerTokens;
    for (std::int64_t attempt = 0; attempt < kAttempts; ++attempt) {
      std::optional<Sentence> made;
      if (m_source.tokenizer) {
        const std::int64_t digits = answer + attempt % (3 * answer + 1);
        made = tokenized(head, randomNumber(digits, random), list ? "" : ".");
      } else {
        made = drawn;
        while (std::ssize(made->value) < answer) made->value.push_back(randomToken(random));
      }
      if (!made) continue;
      if (other == nullptr || (made->prefix == other->prefix && differEverywhere(made->value, other->value)))
        return *made;
    }
    throw UsageError("--answer-tokens: this tokenizer wrote none of " + withCommas(kAttempts) +
                     " random numbers as " + std::to_string(answer) + " tokens; choose another number");
  }

  Question sentences(ProbeKind kind, std::int64_t replicate) const {
    const std::int64_t count = kind == ProbeKind::Needle    ? 1
                               : kind == ProbeKind::Needles ? m_settings.needles
                                                            : m_settings.pairs;
    PairGenerator random = generator(m_settings.seed, kAskPurpose, kind, replicate);
    std::vector<std::int64_t> keys(std::max(count, std::ssize(kPlaces)));
    std::iota(keys.begin(), keys.end(), 0);
    drawFirst(keys, count, random);
    Question question;
    question.asked = random.below(static_cast<std::uint64_t>(count));
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const Sentence made = sentence(kind, keys[i], random, nullptr);
      Piece& piece = question.pieces.emplace_back(Piece{made.all(), {}});
      if (i == question.asked) {
        question.sentence = made;
        question.otherValue = sentence(kind, keys[i], random, &made).value;
      } else if (kind == ProbeKind::Needles) {
        piece.share = random.uniform();
      }
    }
    return question;
  }

  Question repeat(ProbeKind kind, std::int64_t replicate) const {
    const std::int64_t count = m_settings.repeatTokens;
    Tokens first, other;
    if (kind == ProbeKind::RandomRepeat) {
      if (2 * count > std::ssize(m_ordinary))
        throw UsageError("--repeat-tokens: expected at most " + std::to_string(m_ordinary.size() / 2) +
                         ", half of the ordinary tokens of this vocabulary, found " + std::to_string(count));
      Tokens drawn = m_ordinary;
      PairGenerator random = generator(m_settings.seed, kRepeatPurpose, replicate);
      drawFirst(drawn, 2 * count, random);
      first.assign(drawn.begin(), drawn.begin() + count);
      other.assign(drawn.begin() + count, drawn.begin() + 2 * count);
    } else {
      first = filler(replicate, m_longest + count, count);
      other = filler(replicate, m_longest + 2 * count, count);
    }
    Question question{{{first, {}}}, 0, {{first.front()}, {first.begin() + 1, first.end()}, {}}, {}, {}};
    question.otherPassage = std::move(other);
    return question;
  }

  // UsageError if a probe is too short for a question, or the texts too short to fill one without repeating
  // themselves.
  void requireRoom(ProbeKind kind, const std::vector<Question>& questions) const {
    std::int64_t size = 0, spare = 0;
    for (const Question& question : questions) {
      size = std::max(size, question.size() + 2 * std::ssize(question.otherPassage));
      spare = std::max(spare, std::ssize(question.pieces[question.asked].tokens));
    }
    size += std::ssize(m_source.before);
    if (m_settings.lengths.front() < size)
      throw UsageError("--lengths: expected at least " + withCommas(size) +
                       " tokens for probes of the kind " + nameOf(kind) + ", found " +
                       withCommas(m_settings.lengths.front()));
    const std::int64_t needed = m_longest + (kind == ProbeKind::PassageRepeat ? 3 : 1) * spare;
    if (!m_stream.empty() && std::ssize(m_stream) < needed)
      throw UsageError("the texts have " + withCommas(std::ssize(m_stream)) +
                       " tokens, and a probe of the kind " + nameOf(kind) + " with " + withCommas(m_longest) +
                       " tokens needs " + withCommas(needed) + "; give more texts or shorter --lengths");
  }

  void addKind(ProbeKind kind) {
    std::vector<Question> questions;
    for (std::int64_t replicate = 0; replicate < m_settings.count; ++replicate) {
      m_progress.throwIfStopped();
      questions.push_back(repeats(kind) ? repeat(kind, replicate) : sentences(kind, replicate));
    }
    requireRoom(kind, questions);
    for (const std::int64_t length : m_settings.lengths) {
      for (const double depth : m_settings.depths) {
        m_progress.throwIfStopped();
        for (std::int64_t replicate = 0; replicate < m_settings.count; ++replicate)
          addProbes({{}, kind, {}, replicate, length, depth, 0, {}, {}, {}}, questions[replicate]);
      }
    }
  }

  // `probe`: without tokens.
  void addProbes(ProbeText probe, const Question& question) {
    const auto& [prefix, value, suffix] = question.sentence;
    const std::int64_t room = probe.length - std::ssize(m_source.before) - question.size();
    std::vector<std::pair<std::int64_t, std::size_t>> order;  // filler before it, piece
    for (std::size_t i = 0; i < question.pieces.size(); ++i) {
      const std::optional<double>& share = question.pieces[i].share;
      order.emplace_back(share ? static_cast<std::int64_t>(*share * static_cast<double>(room + 1))
                               : std::llround(probe.depth * static_cast<double>(room)),
                         i);
    }
    std::ranges::sort(order);
    probe.tokens = m_source.before;
    std::int64_t filled = 0, place = 0;
    const auto fill = [&](std::int64_t until) {
      append(probe.tokens, filler(probe.replicate, filled, until - filled));
      filled = until;
    };
    for (const auto& [before, piece] : order) {
      fill(before);
      if (piece == question.asked) place = std::ssize(probe.tokens);
      append(probe.tokens, question.pieces[piece].tokens);
    }
    fill(room);
    append(probe.tokens, prefix);
    const std::int64_t copied = place + std::ssize(prefix), scored = std::ssize(probe.tokens);
    append(probe.tokens, value);
    probe.distance = scored - copied;
    for (std::int64_t i = 0; i < std::ssize(value); ++i) {
      probe.scored.push_back(static_cast<std::int32_t>(scored + i));
      probe.copied.push_back(static_cast<std::int32_t>(copied + i));
    }
    add(probe, ProbeCondition::Present);
    if (!m_settings.controls) return;
    probe.copied.assign(value.size(), -1);
    const auto piece = std::ssize(question.pieces[question.asked].tokens);
    ProbeText control = probe;
    overwrite(control.tokens, place, filler(probe.replicate, m_longest, piece));
    add(std::move(control), ProbeCondition::Absent);
    if (!question.otherValue.empty()) {
      control = probe;
      overwrite(control.tokens, copied, question.otherValue);
      add(std::move(control), ProbeCondition::OtherValue);
    }
    if (!question.otherPassage.empty()) {
      const std::int64_t last = probe.length - piece;  // where the passage occurs again
      control = probe;
      overwrite(control.tokens, place, question.otherPassage);
      overwrite(control.tokens, last - place >= 2 * piece ? last - piece : place - piece,
                question.otherPassage);
      add(std::move(control), ProbeCondition::Filler);
    }
  }

  void add(ProbeText probe, ProbeCondition condition) {
    probe.condition = condition;
    probe.id = nameOf(probe.kind) + "/" + nameOf(condition) + "/" + std::to_string(probe.length) + "/" +
               numberText(probe.depth) + "/" + std::to_string(probe.replicate);
    m_probes.push_back(std::move(probe));
  }

  // The first texts, cut to the longest length.
  void addTexts() {
    const auto count = std::min(m_settings.count, std::ssize(m_source.texts));
    for (std::int64_t replicate = 0; replicate < count; ++replicate) {
      m_progress.throwIfStopped();
      ProbeText probe{{}, ProbeKind::Text, {}, replicate, 0, 0, 0, m_source.before, {}, {}};
      append(probe.tokens, m_source.texts[replicate]);
      probe.tokens.resize(std::min(m_longest, std::ssize(probe.tokens)));
      probe.length = std::ssize(probe.tokens);
      const Tokens places = firstPlacesOf(probe.tokens);
      std::unordered_set<std::int32_t> seen;
      Tokens repeated, fresh;
      for (std::int32_t i = 0; i < std::ssize(probe.tokens); ++i) {
        const bool first = seen.insert(probe.tokens[i]).second;
        if (places[i] >= 0) repeated.push_back(i);
        if (first && i > 0 && i >= std::ssize(m_source.before)) fresh.push_back(i);
      }
      probe.scored = evenlySpaced(repeated, m_settings.textTokens);
      append(probe.scored, evenlySpaced(fresh, m_settings.textTokens));
      std::ranges::sort(probe.scored);
      for (const std::int32_t position : probe.scored) probe.copied.push_back(places[position]);
      if (!probe.scored.empty()) add(std::move(probe), ProbeCondition::Present);
    }
  }

  const ProbeSettings& m_settings;
  const ProbeSource& m_source;
  Progress& m_progress;
  std::int64_t m_longest;
  Tokens m_ordinary;
  Tokens m_stream;  // all texts
  std::vector<ProbeText> m_probes;
};

}  // namespace

std::vector<ProbeText> makeProbes(const ProbeSettings& settings, const ProbeSource& source,
                                  Progress& progress) {
  std::vector<ProbeText> probes = ProbeMaker(settings, source, progress).make();
  if (probes.empty()) throw UsageError("the texts have no token that a probe could score");
  std::int64_t tokens = 0;
  for (const auto& text : source.texts) tokens += std::ssize(text);
  const bool filled =
      std::ranges::any_of(probes, [](const ProbeText& p) { return p.kind != ProbeKind::Text; });
  if (filled && tokens > 0 && tokens < settings.count * settings.lengths.back())
    progress.warned("the texts have " + withCommas(tokens) + " tokens, fewer than " +
                    withCommas(settings.count) + " probes of " + withCommas(settings.lengths.back()) +
                    ": probes share filler, and intervals are too narrow");
  return probes;
}

}  // namespace plastiscope
