# Writes OUTPUT: a source file with the contents of FILES (a list), for reference_data.h.
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  string(APPEND entries "    {\"${name}\", R\"~~(${text})~~\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"core/compare/reference_data.h\"

namespace plastiscope {

std::span<const EmbeddedFile> embeddedReference() {
  static constexpr EmbeddedFile kFiles[] = {
${entries}  };
  return kFiles;
}

}  // namespace plastiscope
")
