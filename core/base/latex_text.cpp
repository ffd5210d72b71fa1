#include "core/base/latex_text.h"

#include <algorithm>

namespace plastiscope {

namespace {

struct Symbol {
  std::string_view text, latex;
};
constexpr Symbol kSymbols[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "$|$"},
    {"\u2212", "$-$"},
    {"\u00b7", "$\\cdot$"},
    {"\u00d7", "$\\times$"},
    {"\u00b1", "$\\pm$"},
    {"\u2264", "$\\le$"},
    {"\u2265", "$\\ge$"},
    {"\u2248", "$\\approx$"},
    {"\u2013", "--"},
    {"\u2014", "---"},
    {"\u2026", "\\ldots{}"},
    {"\u00a0", "~"},
    {"\u2009", "\\,"},
    {"\u202f", "\\,"},
    {"\u00b0", "$^\\circ$"},
    {"\u00b2", "$^2$"},
    {"\u2192", "$\\to$"},
    {"\u2194", "$\\leftrightarrow$"},
    {"\u221a", "$\\surd$"},
    {"\u221e", "$\\infty$"},
    {"\u2016", "$\\|$"},
    {"\u03b1", "$\\alpha$"},
    {"\u03b2", "$\\beta$"},
    {"\u03b3", "$\\gamma$"},
    {"\u0394", "$\\Delta$"},
    {"\u03b4", "$\\delta$"},
    {"\u03bb", "$\\lambda$"},
    {"\u03bc", "$\\mu$"},
    {"\u00b5", "$\\mu$"},
    {"\u03c0", "$\\pi$"},
    {"\u03c1", "$\\rho$"},
    {"\u03a3", "$\\Sigma$"},
    {"\u03c3", "$\\sigma$"},
    {"\u03c4", "$\\tau$"},
    {"\u03b8", "$\\theta$"},
    {"\u03c6", "$\\varphi$"},
    {"\u03c9", "$\\omega$"},
    {"\u21b5", "$\\hookleftarrow$"},
    {"\u2019", "'"},
    {"\u201c", "``"},
    {"\u201d", "''"},
};

// Bytes of the character that begins with `first`.
std::size_t lengthOf(unsigned char first) {
  return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

}  // namespace

std::string latexText(std::string_view utf8) {
  constexpr unsigned char kLastOfT1 = 0xc5;  // first byte of U+017F, the last character supported by pdfLaTeX
  std::string latex;
  for (std::size_t at = 0; at < utf8.size();) {
    const auto first = static_cast<unsigned char>(utf8[at]);
    const std::string_view letter = utf8.substr(at, lengthOf(first));
    at += letter.size();
    const auto* symbol = std::ranges::find(kSymbols, letter, &Symbol::text);
    if (symbol != std::end(kSymbols))
      latex += symbol->latex;
    else
      latex += first <= kLastOfT1 ? std::string(letter) : "\\otherletter{" + std::string(letter) + "}";
  }
  return latex;
}

}  // namespace plastiscope
