#include "widgets/models/rich_header.h"

#include <QPainter>
#include <QTextDocument>

#include "widgets/models/head_table_model.h"

namespace plastiscope {
namespace {
constexpr int kArrowRoom = 14, kMargin = 6;
}

RichHeader::RichHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setHighlightSections(false);
}

void RichHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
  const QString title =
      model()->headerData(section, Qt::Horizontal, HeadTableModel::RichTitleRole).toString();
  if (!title.contains(QLatin1Char('<'))) return QHeaderView::paintSection(painter, rect, section);
  {
    // The frame, background and sort arrow of the style, without the plain text.
    QStyleOptionHeader option;
    initStyleOption(&option);
    option.rect = rect;
    option.section = section;
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    if (sorted) {
      option.sortIndicator = sortIndicatorOrder() == Qt::AscendingOrder ? QStyleOptionHeader::SortDown
                                                                        : QStyleOptionHeader::SortUp;
    }
    style()->drawControl(QStyle::CE_Header, &option, painter, this);
  }
  const auto alignment =
      static_cast<Qt::Alignment>(model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
  const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
  QFont font = this->font();
  font.setWeight(sorted ? QFont::DemiBold : QFont::Normal);
  QTextDocument text;
  text.setDocumentMargin(0);
  text.setDefaultFont(font);
  text.setHtml(QStringLiteral("<span style='color:%1'>%2</span>")
                   .arg(palette().color(QPalette::WindowText).name(), title));
  const QRect room = rect.adjusted(kMargin, 0, -(sorted ? kArrowRoom : kMargin), 0);
  const double x = alignment & Qt::AlignRight
                       ? std::max<double>(room.left(), room.right() - text.idealWidth())
                       : room.left();
  painter->save();
  painter->setClipRect(rect);
  painter->translate(x, room.center().y() - text.size().height() / 2 + 1);
  text.drawContents(painter);
  painter->restore();
}

}  // namespace plastiscope
