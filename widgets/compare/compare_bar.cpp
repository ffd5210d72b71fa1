#include "widgets/compare/compare_bar.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "core/compare/comparison.h"
#include "core/views/study_facts.h"
#include "widgets/compare/chip_strip.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr int kChipText = 190, kLeastName = 64;
constexpr std::size_t kLongestBrief = 22;  // characters
constexpr int kSpacing = 6;

// Text of a chip: name, note, and full text for the tool tip.
struct ChipWords {
  QString name, note, tip;
  QIcon icon;
};

ChipWords wordsOf(const CompareModel::Input& input) {
  const QString file = QString::fromStdString(input.name);
  const QString path = fileText(input.file);
  if (input.state == CompareModel::InputState::Opening)
    return {file, CompareBar::tr("opening …"), path,
            lineIcon(QStringLiteral("file"), QStringLiteral("muted"))};
  if (input.state == CompareModel::InputState::Failed)
    return {file, CompareBar::tr("cannot be used"), input.sentence,
            lineIcon(QStringLiteral("warning"), QStringLiteral("bad"))};
  const StudyFacts facts = factsOf(*input.study);
  return {QString::fromStdString(input.name), windowText(facts.window),
          CompareBar::tr("%1\n%2 layers × %3 heads, window %4 tokens\n%5")
              .arg(QString::fromStdString(input.study->title))
              .arg(facts.layers)
              .arg(facts.queryHeads)
              .arg(facts.window)
              .arg(path),
          input.look ? lookIcon(*input.look) : familyIcon(QString::fromStdString(facts.architecture))};
}

std::vector<QString> textsOf(const std::vector<std::string>& names) {
  std::vector<QString> texts;
  for (const std::string& name : names) texts.push_back(QString::fromStdString(name));
  return texts;
}

// Marks of the inputs in the plots, by name; empty until they are compared.
std::map<std::string, QIcon> comparedMarks(const CompareModel& model) {
  std::map<std::string, QIcon> marks;
  if (model.views() == nullptr) return marks;
  const Comparison& comparison = *model.views()->comparison;
  const std::vector<QIcon> icons = seriesIcons(comparison);
  for (std::size_t i = 0; i < icons.size(); ++i) marks[comparison.models[i].name] = icons[i];
  return marks;
}

}  // namespace

// Chip of an input: mark, name and note, and a button to remove it.
class CompareChip : public QFrame {
 public:
  explicit CompareChip(QWidget* parent)
      : QFrame(parent),
        m_mark(new QLabel(this)),
        m_name(new ElidedLabel(kChipText, this, kLeastName)),
        m_note(new ElidedLabel(kChipText, this)),
        m_close(iconButton(QStringLiteral("close"), 10, {}, this)) {
    setProperty("card", "true");
    m_note->setProperty("muted", true);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_close->setAutoRaise(true);
    rowIn(this, {m_mark, m_name, m_note, m_close}, {.margins = {6, 1, 2, 1}, .spacing = 5});
  }
  QToolButton& close() { return *m_close; }
  // Width with that name; nullopt if the name would be cut.
  std::optional<int> widthWith(const QString& name) const {
    const int text = m_name->fontMetrics().horizontalAdvance(name) + 4;
    if (text > kChipText) return {};
    return sizeHint().width() - m_name->sizeHint().width() + text;
  }
  void setName(const QString& name) { m_name->setName(name); }
  void show(const ChipWords& words, bool failed) {
    m_mark->setPixmap(words.icon.pixmap(QSize(14, 14), devicePixelRatioF()));
    m_note->setName(words.note);
    if (m_note->property("bad").toBool() != failed) {
      m_note->setProperty("bad", failed);
      m_note->style()->polish(m_note);
    }
    setToolTip(plainTip(words.tip));
    const QString takeOut = CompareBar::tr("Remove %1 from the comparison").arg(words.name);
    explain(*m_close, takeOut, plainTip(takeOut));
  }
  using QWidget::show;

 private:
  QLabel* m_mark;
  ElidedLabel *m_name, *m_note;
  QToolButton* m_close;
};

CompareBar::CompareBar(CompareModel& model, QWidget* parent)
    : QFrame(parent),
      m_model(model),
      m_view(new QButtonGroup(this)),
      m_first(new QHBoxLayout),
      m_second(new QHBoxLayout),
      m_chipRow(new QWidget),
      m_options(new QWidget(this)),
      m_ofCharts(new QWidget(this)),
      m_ofMatrix(new QWidget(this)),
      m_rows(named("matrixRows", new QToolButton(this))),
      m_add(
          named("compareAdd",
                smallButton(tr("Add …"),
                            tr("Add open tabs, captures of the library, models of the thesis or other files"),
                            this))),
      m_profiles(named("compareProfiles", new QComboBox(this))),
      m_axis(named("compareAxis", new QComboBox(this))),
      m_order(named("compareOrder", new QComboBox(this))),
      m_matching(named("compareMatching", new QComboBox(this))),
      m_heads(named("compareHeads", new QComboBox(this))),
      m_locked(named("compareLocked", new QCheckBox(tr("One colour range"), this))),
      m_published(named("comparePublished", new QCheckBox(tr("Published values"), this))),
      m_intervals(named("compareIntervals", new QCheckBox(tr("Intervals"), this))) {
  setObjectName(QStringLiteral("compareBar"));
  m_chips = rowIn(m_chipRow, {}, {.margins = {}, .spacing = kSpacing});
  m_switch = new QWidget(this);
  auto* viewRow = rowIn(m_switch, {}, {.margins = {}, .spacing = 0});
  int id = 0;
  for (const auto& [name, text, tip] : {std::tuple("compareMatrixView", tr("Matrix"),
                                                   tr("Views below each other, a column for each capture")),
                                        std::tuple("compareChartsView", tr("Charts"),
                                                   tr("Captures over each other, difference and drift"))}) {
    auto* button = named(name, smallButton(text, tip, m_switch));
    button->setCheckable(true);
    m_view->addButton(button, id++);
    viewRow->addWidget(button);
  }
  m_view->button(model.choices().charts ? 1 : 0)->setChecked(true);
  makeMatrixOptions();
  m_add->setIcon(lineIcon(QStringLiteral("plus")));
  m_profiles->addItem(tr("mean over heads"), false);
  m_profiles->addItem(tr("selected head"), true);
  m_profiles->setToolTip(tr("Profiles and quintiles: means over heads, or the selected head"));
  m_axis->addItem(tr("share of window"), false);
  m_axis->addItem(tr("tokens"), true);
  m_heads->addItem({}, false);
  m_heads->addItem(tr("all heads of each"), true);
  explain(*m_heads, tr("Heads"),
          tr("Values of the heads that all captures have, so that differences add up, or of all heads of "
             "each capture. Differences head by head always use the heads that both captures have"));
  m_heads->hide();
  m_profiles->setAccessibleName(tr("Profiles"));
  explain(*m_axis, tr("Position"), tr("Positions as shares of each window, or in tokens"));
  m_locked->setToolTip(tr("The same colour is the same number in all models; off: each has its own range"));
  m_intervals->setToolTip(
      tr("95 % intervals of means: over examples where every analysis has them, else over heads"));
  rowIn(m_ofCharts, {m_locked, Gap{6}, m_published, Gap{6}, m_intervals}, {.margins = {}, .spacing = 6});
  rowIn(m_options,
        {styledLabel(tr("Profiles"), "muted", nullptr), m_profiles, Gap{6},
         styledLabel(tr("Position"), "muted", nullptr), m_axis, Gap{6}, m_heads, m_ofCharts, m_ofMatrix},
        {.margins = {}, .spacing = 6});
  m_first->setSpacing(kSpacing);
  m_first->addWidget(m_switch);
  m_strip = new ChipStrip(m_chipRow, this);
  m_first->addWidget(m_strip);
  m_first->addWidget(m_add);
  m_first->addStretch(1);
  m_second->addStretch(1);
  columnIn(this, {m_first, m_second}, {.margins = {8, 5, 8, 5}, .spacing = 4});
  const CompareChoices& now = model.choices();
  m_profiles->setCurrentIndex(now.ofHead ? 1 : 0);
  m_axis->setCurrentIndex(now.tokens ? 1 : 0);
  m_locked->setChecked(!now.ownRanges);
  m_published->setChecked(now.published);
  m_intervals->setChecked(now.intervals);
  m_heads->setCurrentIndex(now.allHeads ? 1 : 0);
  connect(m_heads, &QComboBox::activated, this, &CompareBar::choose);
  connect(m_add, &QPushButton::clicked, this, [this] { Q_EMIT addRequested(m_add); });
  connect(m_view, &QButtonGroup::idClicked, this, [this](int view) {
    CompareChoices choices = m_model.choices();
    choices.charts = view == 1;
    m_model.setChoices(choices);
    useView();
  });
  connect(m_profiles, &QComboBox::activated, this, &CompareBar::choose);
  connect(m_axis, &QComboBox::activated, this, &CompareBar::choose);
  for (QCheckBox* box : {m_locked, m_published, m_intervals})
    connect(box, &QCheckBox::toggled, this, &CompareBar::choose);
  connect(&model, &CompareModel::viewsReady, this, [this](const std::shared_ptr<const CompareViews>& made) {
    offerPublished(*made);
    offerHeads(*made->comparison);
    fillChips();
  });
  connect(&model, &CompareModel::inputsChanged, this, &CompareBar::fillChips);
  fillChips();
}

void CompareBar::makeMatrixOptions() {
  m_rows->setText(tr("Rows"));
  m_rows->setPopupMode(QToolButton::InstantPopup);
  m_rows->setToolButtonStyle(Qt::ToolButtonTextOnly);
  auto* menu = new QMenu(m_rows);
  m_rows->setMenu(menu);
  explain(*m_rows, tr("Rows of the matrix"), tr("Which views the matrix shows"));
  for (const MatrixRow row : kMatrixRows) {
    const std::string name = nameOf(row);
    QAction* action = menu->addAction(QString::fromStdString(titleOf(row)));
    action->setObjectName(QStringLiteral("matrixRow-") + QString::fromStdString(name));
    action->setCheckable(true);
    action->setChecked(!m_model.choices().hiddenRows.contains(name));
    connect(action, &QAction::triggered, this, [this, name](bool shown) {
      CompareChoices choices = m_model.choices();
      if (shown)
        choices.hiddenRows.erase(name);
      else
        choices.hiddenRows.insert(name);
      m_model.setChoices(choices);
    });
  }
  // Disables rows without data in any capture.
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    const auto& views = m_model.views();
    for (const MatrixRow row : kMatrixRows) {
      const QString name = QString::fromLatin1(nameOf(row));
      menu->findChild<QAction*>(QStringLiteral("matrixRow-") + name)
          ->setEnabled(views == nullptr || views->matrix->shows(row) ||
                       m_model.choices().hiddenRows.contains(name.toStdString()));
    }
  });
  m_order->addItem(tr("Order …"));
  for (const auto& [title, order] :
       {std::pair(tr("size"), CompareOrder::Size), std::pair(tr("depth"), CompareOrder::Depth),
        std::pair(tr("window"), CompareOrder::Tokens), std::pair(tr("date"), CompareOrder::Date),
        std::pair(tr("name, checkpoint"), CompareOrder::Name)})
    m_order->addItem(title, static_cast<int>(order));
  explain(*m_order, tr("Order of the columns"), tr("Order the columns after the baseline"));
  connect(m_order, &QComboBox::activated, this, [this](int index) {
    if (index > 0) m_model.sort(static_cast<CompareOrder>(m_order->itemData(index).toInt()));
    m_order->setCurrentIndex(0);
  });
  for (const auto& [title, matching] :
       {std::pair(tr("heads: automatic"), ""), std::pair(tr("heads by name"), "name"),
        std::pair(tr("heads by depth"), "depth")})
    m_matching->addItem(title, QLatin1String(matching));
  explain(*m_matching, tr("Match heads by"),
          tr("Automatic: by name where all have the same layers and heads, else by relative depth. The "
             "others: always by name, always by depth"));
  for (QComboBox* box : {m_profiles, m_axis, m_order, m_matching}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setMinimumContentsLength(9);  // for narrow windows
  }
  m_matching->setCurrentIndex(
      std::max(0, m_matching->findData(QString::fromStdString(m_model.choices().matching))));
  connect(m_matching, &QComboBox::activated, this, &CompareBar::choose);
  rowIn(m_ofMatrix, {m_matching, Gap{6}, m_order, Gap{6}, m_rows}, {.margins = {}, .spacing = 6});
}

// In the matrix the column heads replace the chips.
void CompareBar::useView() {
  const bool charts = m_model.choices().charts;
  const bool compared = m_model.studies().size() >= CompareModel::kFewest;
  const bool chips = charts || !compared;
  m_strip->setVisible(chips);
  m_ofCharts->setVisible(charts);
  m_ofMatrix->setVisible(!charts);
  m_options->setVisible(compared);  // a single model has no options
  fit();
}

// On one line with full or shortened names if they fit; else options go below the chips.
void CompareBar::fit() {
  const bool chips = !m_strip->isHidden();
  const int room =
      contentsRect().width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
  const auto fits = [&](const std::vector<QString>& names, bool below) {
    int width = m_switch->sizeHint().width() + kSpacing + m_add->sizeHint().width();
    if (!below && !m_options->isHidden()) width += kSpacing + m_options->sizeHint().width();
    for (std::size_t i = 0; chips && i < m_shownChips.size(); ++i) {
      const auto chip = m_shownChips[i]->widthWith(names[i]);
      if (!chip) return false;
      width += kSpacing + *chip;
    }
    return width <= room;
  };
  const bool below = !fits(m_names, false) && !fits(m_briefNames, false), brief = !fits(m_names, below);
  for (std::size_t i = 0; i < m_shownChips.size(); ++i)
    m_shownChips[i]->setName((brief ? m_briefNames : m_names)[i]);
  QHBoxLayout& line = below ? *m_second : *m_first;
  if (line.indexOf(m_options) < 0) line.addWidget(m_options);
}

void CompareBar::choose() {
  CompareChoices choices = m_model.choices();
  choices.ofHead = m_profiles->currentData().toBool();
  choices.tokens = m_axis->currentData().toBool();
  choices.ownRanges = !m_locked->isChecked();
  choices.published = m_published->isChecked();
  choices.intervals = m_intervals->isChecked();
  choices.allHeads = m_heads->currentData().toBool();
  choices.matching = m_matching->currentData().toString().toStdString();
  m_model.setChoices(choices);
}

void CompareBar::offerPublished(const CompareViews& views) {
  QStringList known;
  for (const ComparedModel& model : views.comparison->models) {
    if (model.reference) known.append(QString::fromStdString(model.reference->title));
  }
  m_published->setEnabled(!known.isEmpty());
  m_published->setToolTip(known.isEmpty() ? tr("The thesis has no numbers for these models")
                                          : tr("Reference values of the thesis beside profiles, quintiles, "
                                               "depth, trajectory and the chosen metric by model: %1")
                                                .arg(known.join(QStringLiteral(", "))));
}

// Offers the choice where captures have different heads.
void CompareBar::offerHeads(const Comparison& comparison) {
  const std::size_t common = commonHeads(comparison).size();
  const bool differ = std::ranges::any_of(comparison.models, [common](const ComparedModel& model) {
    return !model.published && requiredTable(*model.whole, "heads").rows() > common;
  });
  m_heads->setItemText(0, tr("%1 heads that all have").arg(common));
  m_heads->setVisible(differ && common > 0 && headMatchingOf(comparison) == HeadMatching::SameHead);
}

void CompareBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fit();
}

// Marks are images in colours of the theme.
void CompareBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) fillChips();
}

void CompareBar::fillChips() {
  const std::vector<CompareModel::Input> inputs = m_model.inputs();
  std::vector<std::string> names;
  for (const auto& input : inputs) names.push_back(input.name);
  m_names = textsOf(withoutOwners(names));
  m_briefNames = textsOf(shortNames(names, kLongestBrief));
  for (; m_shownChips.size() > inputs.size(); m_shownChips.pop_back()) {
    m_shownChips.back()->hide();
    m_shownChips.back()->deleteLater();  // the sender may be its button
  }
  while (m_shownChips.size() < inputs.size()) {
    auto* chip = named("compareChip", new CompareChip(m_chipRow));
    connect(&chip->close(), &QToolButton::clicked, this,
            [this, index = m_shownChips.size()] { m_model.remove(index); });
    m_chips->addWidget(chip);
    m_shownChips.push_back(chip);
  }
  const std::map<std::string, QIcon> marks = comparedMarks(m_model);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    ChipWords words = wordsOf(inputs[i]);
    words.name = m_names[i];
    if (const auto mark = marks.find(inputs[i].name); inputs[i].study && mark != marks.end())
      words.icon = mark->second;
    m_shownChips[i]->show(words, inputs[i].state == CompareModel::InputState::Failed);
  }
  m_add->setEnabled(!m_model.full());
  useView();
}

}  // namespace plastiscope

#include "moc_compare_bar.cpp"
