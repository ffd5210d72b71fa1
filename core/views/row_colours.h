#pragma once
// What colours the rows of a plane: one list for the window, for files and for sessions.
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/text/token_types.h"
#include "core/views/plane_data.h"
#include "core/views/plot.h"

namespace plastiscope {

enum class RowColour { Position, Text, TokenType, Norm, Rest, Quintile };
constexpr std::array<const char*, 6> namesOf(RowColour) {
  return {"position", "text", "token_type", "norm", "rest", "quintile"};
}
struct RowColourInfo {
  RowColour colour;
  const char *title, *help;
};
std::span<const RowColourInfo> rowColours();

struct RowClass {
  std::string name;  // rich
  Colour colour;
};

// The step of every row: of a ramp from the early to the late colour of its kind, or a class with a colour of
// its own, queries as discs and keys as rings.
struct RowColouring {
  RowColour by = RowColour::Position;
  std::vector<std::int32_t> query, key;  // [rows] from 0
  std::int32_t steps = 1;
  std::vector<RowClass> classes;  // [steps]; empty: a ramp
  std::string ends;               // of a ramp, for a legend: "norm 3.1 … 18.2"; rich
  const std::vector<std::int32_t>& of(QueryOrKey kind) const {
    return kind == QueryOrKey::Query ? query : key;
  }
};

// Of all tokens of a capture, [examples][tokens]. InputError where the capture does not hold its texts.
using TokenTypes = std::vector<std::vector<TokenType>>;
TokenTypes tokenTypesOf(const CaptureFile& capture);

// Up to seven texts are classes, more are a ramp in their order. Null: by position, as a plane is drawn
// anyway. `types`: only for TokenType.
std::shared_ptr<const RowColouring> colourRows(const PlaneData& plane, RowColour by,
                                               const TokenTypes* types = nullptr);

}  // namespace plastiscope
