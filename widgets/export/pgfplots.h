#pragma once
// A figure as LaTeX source: pgfplots axes, curves and marks that read their numbers from a table, texts in
// the fonts of the paper. Elements too large for LaTeX (cells of many colours, clouds) become lossless
// images.
#include <QByteArray>
#include <QImage>
#include <string>
#include <vector>

#include "widgets/export/figure_kinds.h"

namespace plastiscope {

struct PgfFigure {
  std::string tex, table;      // the table has a column pair xN, yN for each plot, padded with nan
  std::vector<QImage> images;  // NAME-1.png, NAME-2.png, ...
};

// `name`: base name of the files. GUI thread.
PgfFigure pgfFigure(const FigureContent& content, const FigureSpec& spec, const std::string& name);

// First line of every source.
inline constexpr std::string_view kTexStart = "% Made by Plastiscope ";
// NAME-1.png, ... beside the figure `out`.
std::filesystem::path pgfImageOf(const std::filesystem::path& out, std::size_t number);

// Writes NAME.tex, NAME.pgf.csv and the images beside the figure `out`, each atomically, the source last.
// Returns the files written.
std::vector<std::filesystem::path> writePgfplots(const FigureContent& content, const FigureSpec& spec,
                                                 const std::filesystem::path& out);

}  // namespace plastiscope
