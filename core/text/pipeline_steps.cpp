#include "core/text/pipeline_steps.h"

#include <algorithm>

#include "core/text/unicode.h"

namespace plastiscope {

namespace {

void apply(const CutStep& step, SplitText& split, TextLimits& limits) {
  std::vector<Span> pieces;
  std::vector<Cut> cuts;
  for (const Span& piece : split.pieces) {
    limits.step();
    const std::string_view bytes = split.text.view().substr(piece.begin, piece.end - piece.begin);
    cuts.clear();
    if (const auto* scan = std::get_if<SplitScanner>(&step.pattern)) {
      (*scan)(bytes, cuts);
    } else if (const auto* text = std::get_if<std::string>(&step.pattern)) {
      scanForText(*text, bytes, cuts);
    } else {
      std::get<std::shared_ptr<const RegexSplitter>>(step.pattern)->scan(bytes, cuts, limits);
    }
    for (Cut& cut : cuts) cut.match = cut.match != step.invert;
    appendPieces(cuts, step.behavior, piece.begin, pieces);
  }
  split.pieces = std::move(pieces);
}

// Added spaces map to the first character of their piece.
void apply(const PrefixSpace&, SplitText& split, TextLimits& limits) {
  const std::string_view bytes = split.text.view();
  AlignedBuilder changed(split.text, limits);
  for (Span& piece : split.pieces) {
    const std::size_t begin = changed.size();
    if (bytes[piece.begin] != ' ') changed.add(" ", split.text.source(piece.begin));
    changed.keep(piece.begin, piece.end);
    piece = {begin, changed.size()};
  }
  split.text = changed.finish();
}

// Appends the piece with its spaces replaced to `changed`.
Span appendWithSymbols(const Metaspace& step, const AlignedText& text, Span piece, AlignedBuilder& changed) {
  const std::string_view bytes = text.view().substr(0, piece.end);
  const std::size_t begin = changed.size();
  const bool hasSymbol = bytes[piece.begin] == ' ' || bytes.substr(piece.begin).starts_with(step.symbol);
  const bool wanted =
      step.prepend == Metaspace::Prepend::Always ||
      (step.prepend == Metaspace::Prepend::First && text.original(piece.begin, piece.end).first == 0);
  if (wanted && !hasSymbol) changed.add(step.symbol, text.source(piece.begin));
  for (std::size_t position = piece.begin; position < piece.end;) {
    const std::size_t space = std::min(bytes.find(' ', position), piece.end);
    changed.keep(position, space);
    if (space < piece.end) changed.add(step.symbol, text.source(space));
    position = space + 1;
  }
  return {begin, changed.size()};
}

void apply(const Metaspace& step, SplitText& split, TextLimits& limits) {
  AlignedBuilder changed(split.text, limits);
  for (Span& piece : split.pieces) piece = appendWithSymbols(step, split.text, piece, changed);
  split.text = changed.finish();
  if (step.split) apply(CutStep{step.symbol, SplitBehavior::MergedWithNext, false}, split, limits);
}

}  // namespace

SplitText splitIntoPieces(AlignedText text, const std::vector<SplitStep>& steps, TextLimits& limits) {
  const std::size_t size = text.view().size();
  SplitText split{std::move(text), {}};
  if (size > 0) split.pieces.push_back({0, size});
  for (const SplitStep& step : steps) {
    std::visit([&](const auto& each) { apply(each, split, limits); }, step);
  }
  return split;
}

namespace {

// Moves `position` forward by `characters`, at most to `limit`.
std::int64_t movedForward(std::string_view text, std::int64_t position, std::int64_t characters,
                          std::int64_t limit) {
  for (; characters > 0 && position < limit; --characters) {
    position += static_cast<std::int64_t>(
        utf8Length(static_cast<unsigned char>(text[static_cast<std::size_t>(position)])));
  }
  return std::min(position, limit);
}

// Moves `position` back, at least to `limit`; unchanged when fewer characters precede it.
std::int64_t movedBack(std::string_view text, std::int64_t position, std::int64_t characters,
                       std::int64_t limit) {
  auto moved = static_cast<std::size_t>(position);
  for (; characters > 0; --characters) {
    if (moved == 0) return position;
    moved = previousCodePoint(text, moved);
  }
  return std::max(static_cast<std::int64_t>(moved), limit);
}

}  // namespace

void trimOffsets(const TrimOffsets& step, std::string_view text, TokenRow& tokens) {
  for (std::size_t i = 0; i < tokens.spaces.size(); ++i) {
    auto& [begin, end] = tokens.encoding.offsets[i];
    TokenSpaces spaces = tokens.spaces[i];
    const bool first = i == 0 || begin == 0;
    if (first && step.addPrefixSpace && spaces.leading == 1) spaces.leading = 0;
    begin = movedForward(text, begin, spaces.leading, end);
    end = movedBack(text, end, spaces.trailing, begin);
  }
}

void addTemplate(const AddTemplate& step, TokenRow& tokens) {
  auto& [ids, offsets] = tokens.encoding;
  ids.insert(ids.begin(), step.before.begin(), step.before.end());
  offsets.insert(offsets.begin(), step.before.size(), {0, 0});
  if (!tokens.spaces.empty()) tokens.spaces.insert(tokens.spaces.begin(), step.before.size(), {});
  ids.insert(ids.end(), step.after.begin(), step.after.end());
  offsets.resize(ids.size(), {0, 0});
  if (!tokens.spaces.empty()) tokens.spaces.resize(ids.size());
}

}  // namespace plastiscope
