# Writes OUTPUT: a source file that defines `std::string_view plastiscope::NAME()`, the text of FILE.
file(READ "${FILE}" text)
file(WRITE "${OUTPUT}" "#include <string_view>

namespace plastiscope {

std::string_view ${NAME}() {
  return R\"~~(${text})~~\";
}

}  // namespace plastiscope
")
