#include "widgets/pages/rows_banner.h"

#include <QLabel>
#include <QPushButton>

#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr int kBannerIconPixels = 13;

}  // namespace

RowsBanner::RowsBanner(QWidget* parent)
    : QFrame(parent),
      m_icon(new IconLabel(kBannerIconPixels, this, lineIcon(QStringLiteral("filter"), "caution"))),
      m_text(named("rowsText", new QLabel(this))),
      m_change(named("rowsChange", smallButton(tr("&Change …"), tr("Choose other rows"), this))),
      m_all(named("rowsShowAll",
                  smallButton(tr("Show &all rows"), tr("Back to every row of the capture"), this))) {
  setObjectName(QStringLiteral("rowsBanner"));
  m_text->setTextFormat(Qt::PlainText);
  m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  rowIn(this, {m_icon, {m_text, 1}, m_change, m_all}, {.margins = {12, 4, 8, 4}, .spacing = 8});
  connect(m_change, &QPushButton::clicked, this, &RowsBanner::changeRequested);
  connect(m_all, &QPushButton::clicked, this, &RowsBanner::allRequested);
  hide();
}

void RowsBanner::showChoice(const RowChoice& choice, const QString& state) {
  setVisible(!choice.all());
  const QString rows = QString::fromStdString(textOf(choice));
  m_text->setText(state.isEmpty() ? tr("Only some rows: %1").arg(rows) : tr("%1: %2").arg(state, rows));
  m_text->setToolTip(m_text->text());
}

void RowsBanner::offerButtons(bool offered) {
  m_change->setVisible(offered);
  m_all->setVisible(offered);
}

}  // namespace plastiscope

#include "moc_rows_banner.cpp"
