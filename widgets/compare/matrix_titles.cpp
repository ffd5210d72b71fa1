#include "widgets/compare/matrix_titles.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QPainter>

#include "core/views/metric_info.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"

namespace plastiscope {

namespace {

constexpr int kHeadMark = 14, kStripe = 3;

struct TitleWords {
  Q_DECLARE_TR_FUNCTIONS(MatrixTitles)
};

}  // namespace

// Colour bar of a row with its limits.
class ScaleStrip : public QWidget {
 public:
  explicit ScaleStrip(QWidget* parent) : QWidget(parent) { setFixedHeight(24); }
  void setScale(const std::optional<ColourScale>& scale) {
    m_scale = scale;
    setVisible(scale.has_value());
    update();
  }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    if (!m_scale) return;
    QPainter painter(this);
    const QRect strip(0, 0, width() - 8, 8);
    const ColourMap colours = colourMapOf(
        m_scale->colours,
        PlotStyle::screen(currentTheme().dark ? Theme::Dark : Theme::Light, QGuiApplication::font()));
    for (int x = 0; x < strip.width(); ++x)
      painter.fillRect(x, 0, 1, strip.height(), QColor(colours.at(static_cast<double>(x) / strip.width())));
    QFont font = painter.font();
    font.setPointSizeF(font.pointSizeF() * 0.82);
    painter.setFont(font);
    painter.setPen(currentTheme()[QStringLiteral("muted")]);
    const QRect below(0, 9, strip.width(), 15);
    painter.drawText(below, Qt::AlignLeft, QString::fromStdString(metricText(m_scale->low)));
    painter.drawText(below, Qt::AlignRight, QString::fromStdString(metricText(m_scale->high)));
  }

 private:
  std::optional<ColourScale> m_scale;
};

MatrixRowTitle::MatrixRowTitle(MatrixRow row, QWidget* parent)
    : QWidget(parent),
      m_what(styledLabel({}, "muted", this)),
      m_axes(styledLabel({}, "muted", this, -1)),
      m_less(new QPushButton(TitleWords::tr("Diff."), this)),
      m_scale(new ScaleStrip(this)) {
  const QString title = QString::fromStdString(titleOf(row));
  auto* name = styledLabel(title, "strong", this);
  m_what->setWordWrap(true);
  for (QLabel* words : {m_what, m_axes}) words->setTextFormat(Qt::RichText);
  m_less->setCheckable(true);
  m_less->setObjectName(QStringLiteral("matrixDifference-") +
                        QLatin1String(namesOf(row)[static_cast<std::size_t>(row)]));
  m_less->setProperty("small", true);
  explain(*m_less, TitleWords::tr("Difference of %1 from the baseline").arg(title));
  m_less->setVisible(choosesDifferences(row));
  name->setVisible(row != MatrixRow::Numbers);  // each of its lines has a title
  setObjectName(QStringLiteral("matrixTitle"));
  auto* lines = columnIn(this, {rowOf({name, Stretch(), m_less}), m_what, m_scale, m_axes, Stretch()},
                         {.margins = {8, 2, 6, 2}, .spacing = 2});
  lines->setSizeConstraint(QLayout::SetNoConstraint);
}

void MatrixRowTitle::show(const Words& words, bool less, const std::optional<ColourScale>& scale) {
  m_what->setText(words.what);
  m_axes->setText(words.axes);
  m_axes->setVisible(!words.axes.isEmpty());
  m_less->setChecked(less);
  m_scale->setScale(scale);
}

MatrixColumnHead::MatrixColumnHead(QWidget* parent)
    : QFrame(parent),
      m_mark(new QLabel(this)),
      m_name(new ElidedLabel(600, this)),
      m_note(new ElidedLabel(600, this)),
      m_baseline(styledLabel(TitleWords::tr("baseline"), "accent", this)),
      m_pin(iconButton(QStringLiteral("pin"), 12, {}, this)),
      m_close(iconButton(QStringLiteral("close"), 10, {}, this)) {
  setObjectName(QStringLiteral("matrixHead"));
  setProperty("card", "true");
  m_name->setProperty("strong", true);
  m_note->setProperty("muted", true);
  for (QToolButton* button : {m_pin, m_close}) button->setAutoRaise(true);
  columnIn(this,
           {rowOf({m_mark, m_name, Stretch(), m_close}, {.spacing = 5}),
            rowOf({m_note, Stretch(), m_baseline, m_pin}, {.spacing = 5})},
           {.margins = {7, 4, 2, 2}, .spacing = 0});
}

void MatrixColumnHead::show(const Look& look, const Words& words, bool baseline) {
  m_colour = look.colour;
  update();
  m_mark->setPixmap(look.mark.pixmap(QSize(kHeadMark, kHeadMark), devicePixelRatioF()));
  m_name->setName(words.name);
  m_note->setName(words.note);
  setToolTip(plainTip(words.whole));
  m_baseline->setVisible(baseline);
  m_pin->setVisible(!baseline);
  explain(*m_pin, TitleWords::tr("Compare with %1: make it the baseline").arg(words.name));
  explain(*m_close, TitleWords::tr("Remove %1 from the comparison").arg(words.name));
}

void MatrixColumnHead::paintEvent(QPaintEvent* event) {
  QFrame::paintEvent(event);
  QPainter(this).fillRect(0, 0, width(), kStripe, m_colour);
}

}  // namespace plastiscope
