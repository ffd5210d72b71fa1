#pragma once
// Colouring of the rows of a plane: one list for the window, files and sessions.
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

// Colour step of every row: on a ramp from the early to the late colour of its kind, or a class with its own
// colour, queries as discs and keys as rings.
struct RowColouring {
  RowColour by = RowColour::Position;
  std::vector<std::int32_t> query, key;  // [rows] from 0
  std::int32_t steps = 1;
  std::vector<RowClass> classes;  // [steps]; empty: a ramp
  std::string ends;               // ends of the ramp, for a legend: "norm 3.1 … 18.2"; rich
  const std::vector<std::int32_t>& of(QueryOrKey kind) const {
    return kind == QueryOrKey::Query ? query : key;
  }
};

// Types of all tokens of a capture, [examples][tokens]. InputError where the capture does not hold its texts.
using TokenTypes = std::vector<std::vector<TokenType>>;
TokenTypes tokenTypesOf(const CaptureFile& capture);

// Up to seven texts are classes, more form a ramp in their order. Null: by position, the default of a plane.
// `types`: only for TokenType.
std::shared_ptr<const RowColouring> colourRows(const PlaneData& plane, RowColour by,
                                               const TokenTypes* types = nullptr);

}  // namespace plastiscope
