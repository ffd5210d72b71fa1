#pragma once
// Row of chips that scrolls, so that many chips do not widen the window.
#include <QEvent>
#include <QLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

namespace plastiscope {

class ChipStrip : public QScrollArea {
 public:
  ChipStrip(QWidget* chips, QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setFocusPolicy(Qt::NoFocus);
    setWidgetResizable(true);
    viewport()->setAutoFillBackground(false);
    setWidget(chips);
    chips->setAutoFillBackground(false);
    chips->installEventFilter(this);
  }
  QSize sizeHint() const override { return {widget()->sizeHint().width(), high()}; }
  QSize minimumSizeHint() const override {
    return {std::min(kLeastStrip, widget()->minimumSizeHint().width()), high()};
  }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(object, event);
  }

 private:
  static constexpr int kLeastStrip = 240, kFewChips = 5;  // kFewChips: number that fits without a scroll bar

  int high() const {
    const bool many = widget()->layout()->count() > kFewChips;
    return widget()->sizeHint().height() + (many ? horizontalScrollBar()->sizeHint().height() : 0);
  }
};

}  // namespace plastiscope
