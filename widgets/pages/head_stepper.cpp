#include "widgets/pages/head_stepper.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "core/base/error.h"
#include "widgets/state/icons.h"

namespace plastiscope {
namespace {

QToolButton* stepButton(const QString& icon, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(lineIcon(icon));
  button->setIconSize({14, 14});
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  return button;
}

QString nameText(HeadName head) {
  return QStringLiteral("L%1 H%2").arg(head.layer).arg(head.head);
}

}  // namespace

HeadStepper::HeadStepper(QWidget* parent)
    : QWidget(parent),
      m_previous(stepButton(QStringLiteral("left"), tr("Previous head ([)"), this)),
      m_next(stepButton(QStringLiteral("right"), tr("Next head (])"), this)),
      m_star(stepButton(QStringLiteral("star"), tr("Mark this head (S)"), this)),
      m_name(new QLineEdit(this)) {
  m_name->setObjectName(QStringLiteral("headName"));
  m_name->setAlignment(Qt::AlignCenter);
  m_name->setFixedWidth(84);
  m_name->setToolTip(tr("The chosen head; type another, such as L12H6"));
  m_name->setAccessibleName(tr("Chosen head"));
  m_star->setObjectName(QStringLiteral("headStar"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  row->addWidget(m_previous);
  row->addWidget(m_name);
  row->addWidget(m_next);
  row->addWidget(m_star);
  connect(m_previous, &QToolButton::clicked, this, [this] { Q_EMIT stepped(-1); });
  connect(m_next, &QToolButton::clicked, this, [this] { Q_EMIT stepped(1); });
  connect(m_star, &QToolButton::clicked, this, &HeadStepper::starToggled);
  connect(m_name, &QLineEdit::returnPressed, this, [this] {
    try {
      const auto heads = parseHeadList(m_name->text().remove(QLatin1Char(' ')).toUpper().toStdString());
      if (heads.size() != 1) return m_name->selectAll();
      m_name->clearFocus();
      Q_EMIT typed(heads.front());
    } catch (const Error&) {
      m_name->selectAll();
    }
  });
  show(std::nullopt, false);
}

void HeadStepper::show(std::optional<HeadName> head, bool marked) {
  setEnabled(head.has_value());
  m_name->setText(head ? nameText(*head) : QStringLiteral("–"));
  m_star->setIcon(marked ? lineIcon(QStringLiteral("star-filled"), QStringLiteral("selection"))
                         : lineIcon(QStringLiteral("star")));
}

}  // namespace plastiscope
