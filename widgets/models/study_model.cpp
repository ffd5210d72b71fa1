#include "widgets/models/study_model.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <iterator>

#include "core/base/error.h"
#include "core/jobs/inspect_job.h"

namespace plastiscope {
namespace {

constexpr std::size_t kCachedHeads = 48;
constexpr int kMapDelayMilliseconds = 250;  // debounces fast steps through heads

// `make` returns the data or a pointer to it.
template <typename Data, typename Make>
Prepared<Data> prepared(const Make& make) {
  auto made = resultOf<std::shared_ptr<const Data>>([&] {
    if constexpr (std::is_same_v<std::invoke_result_t<Make>, Data>)
      return std::make_shared<const Data>(make());
    else
      return make();
  });
  if (made.ok()) return {std::move(*made.value), {}};
  return {nullptr, made.failure.sentence};
}

std::shared_ptr<const PlaneData> preparedPlane(const Study& study, HeadName head) {
  Prepared<PlaneData> plane = prepared<PlaneData>([&] { return makeAbPlane(study, head); });
  if (plane.data) return plane.data;
  PlaneData none;
  none.head = head;
  none.missing = plane.missing.toStdString();
  return std::make_shared<const PlaneData>(std::move(none));
}

// `several`: heads whose mean is shown instead, if not empty; `name`: of that mean, "" = their number.
std::shared_ptr<const HeadViews> makeHeadViews(const Study& study, const StudyFacts& facts,
                                               const Prepared<ProfileField>& field, HeadName head,
                                               const std::vector<HeadName>& several, const std::string& name,
                                               ApKind plasticity, const Progress& progress) {
  auto views = std::make_shared<HeadViews>();
  const HeadScope scope = several.empty() ? HeadScope{head, {}} : HeadScope{{}, {}, several};
  views->head = head;
  views->several = several;
  views->plane = preparedPlane(study, head);
  progress.throwIfStopped();
  views->map = prepared<MapData>([&] { return makeMap(*study.analysis, scope, plasticity); });
  const auto profile = [&] {
    return several.empty() ? makeProfile(field.data, head) : makeProfile(field.data, several, name);
  };
  views->profile =
      field.data ? prepared<ProfileData>(profile) : Prepared<ProfileData>{nullptr, field.missing};
  views->placement = prepared<PlacementData>([&] { return makePlacement(*study.analysis, scope); });
  views->salience = prepared<SalienceData>([&] { return makeSalience(*study.analysis, scope); });
  views->softmax = prepared<SoftmaxData>([&] { return makeSoftmax(*study.analysis, scope); });
  views->components = prepared<ComponentsData>([&] { return makeComponents(*study.analysis, scope); });
  views->weights =
      prepared<ComponentWeightsData>([&] { return makeComponentWeights(*study.analysis, facts, scope); });
  return views;
}

}  // namespace

StudyModel::StudyModel(std::shared_ptr<const Study> study, Selection& selection, const PageServices& services,
                       QObject* parent)
    : QObject(parent),
      m_study(std::move(study)),
      m_facts(factsOf(*m_study)),
      m_heads(headsOf(*m_study->analysis)),
      m_ascending(m_heads),
      m_selection(selection),
      m_services(services),
      m_texts(m_study->capture, services.workers),
      m_gridRunner(services.workers, WorkLength::Quick),
      m_commonRunner(services.workers, WorkLength::Quick),
      m_headRunner(services.workers, WorkLength::Quick),
      m_cloudRunner(services.workers, WorkLength::Quick),
      m_mapRunner(services.workers, WorkLength::Long),
      m_damageRunner(services.workers, WorkLength::Long) {
  std::ranges::sort(m_ascending);
  m_mapDelay.setSingleShot(true);
  m_mapDelay.setInterval(kMapDelayMilliseconds);
  connect(&m_mapDelay, &QTimer::timeout, this, &StudyModel::prepareExactMap);
  connect(&m_selection, &Selection::changed, this, &StudyModel::selectionChanged);
}

void StudyModel::begin() {
  ViewSelection start = m_selection.value();
  const auto unknown = [this](const HeadName& head) {
    return std::ranges::find(m_heads, head) == m_heads.end();
  };
  if ((!start.head || unknown(*start.head)) && !m_heads.empty())
    start.head = headOfInterest(*m_study->analysis, plasticity().kind);
  std::erase_if(start.marked, unknown);
  if (std::ranges::any_of(start.several, unknown)) start.several.clear();
  const Table* heads = m_study->analysis->find("heads");
  if (const ShownPlasticity shown = plasticity(); !shown.note.empty()) {
    start.usePlasticity(shown.kind);
    start.plasticity = m_selection.value().plasticity;
  }
  if (heads && !heads->find(start.metric)) start.metric = columnAs(plasticity().kind, ViewSelection().metric);
  m_selection.reset(start);
  prepareGrid();
  prepareCommon();
  lookForDamage();
}

ShownPlasticity StudyModel::plasticity() const {
  return shownPlasticity(*m_study->analysis, m_selection.value().plasticity);
}

void StudyModel::setStudy(std::shared_ptr<const Study> study) {
  if (study->capture != m_study->capture) {
    m_exactMaps.clear();
    m_cloudHead.reset();
  }
  m_study = std::move(study);
  forgetViews();
  Q_EMIT studyChanged();
  prepareGrid();
  prepareCommon();
  prepareCloud();
}

void StudyModel::forgetViews() {
  m_cache.clear();
  m_cacheOrder.clear();
  m_similar = nullptr;
}

std::optional<std::pair<std::int64_t, std::int64_t>> StudyModel::binOf(
    std::optional<std::int64_t> position) const {
  if (!position || !m_common || !m_common->field.data) return std::nullopt;
  const ProfileField& field = *m_common->field.data;
  const auto bin = field.binAt(*position);
  if (!bin) return std::nullopt;
  return std::pair(std::ceil(field.start[*bin]), std::ceil(field.end[*bin]));
}

std::vector<HeadName> StudyModel::membersOf(const HeadGroup& group) const {
  std::vector<HeadName> members;
  std::ranges::set_intersection(group.heads, m_ascending, std::back_inserter(members));
  return members;
}

std::vector<HeadName> StudyModel::chosenHeads() const {
  const ViewSelection& now = m_selection.value();
  if (!now.several.empty() || !now.head) return now.several;
  return {*now.head};
}

const HeadGroup* StudyModel::selectedGroup() const {
  const ViewSelection& now = m_selection.value();
  const auto isSelected = [&](const HeadGroup& group) { return membersOf(group) == now.several; };
  if (now.several.empty()) return nullptr;
  if (const HeadGroup* group = now.findGroup(now.group); group && isSelected(*group)) return group;
  const auto found = std::ranges::find_if(now.groups, isSelected);
  return found == now.groups.end() ? nullptr : &*found;
}

QString StudyModel::severalName() const {
  const std::vector<HeadName>& several = m_selection.value().several;
  const HeadGroup* group = selectedGroup();
  if (group == nullptr) return severalText(several);
  return tr("%1 (%2 heads)").arg(QString::fromStdString(group->name), QString::number(several.size()));
}

namespace {

// A name for a group: of the permitted characters, and with a number if it is taken.
std::string freeGroupName(const std::string& wanted, const HeadGroups& groups) {
  std::string name;
  for (const char c : wanted) {
    const bool permitted = std::isalnum(static_cast<unsigned char>(c)) || std::strchr("-_.", c) != nullptr;
    if (permitted && c != '\0') name += c;
  }
  constexpr std::size_t kLongest = 32;
  name = name.empty() ? "group" : name.substr(0, kLongest);
  for (int number = 1;; ++number) {
    const std::string tried = number == 1 ? name : name + "-" + std::to_string(number);
    try {
      checkGroupName(tried, groups);
      return tried;
    } catch (const UsageError&) {
    }
  }
}

}  // namespace

void StudyModel::makeGroup(const std::string& wanted, std::vector<HeadName> heads,
                           const std::string& origin) {
  const HeadGroups& groups = m_selection.value().groups;
  std::ranges::sort(heads);
  HeadGroup group{freeGroupName(wanted, groups), freeGroupColour(groups), std::move(heads), origin};
  const std::vector<HeadName> members = membersOf(group);
  if (members.empty()) return;
  group.heads = members;
  m_selection.addGroup(group, members);
  Q_EMIT groupMade();
}

HeadName StudyModel::neighbour(int step) const {
  const auto count = std::ssize(m_heads);
  if (count == 0) return {};
  const auto found = std::ranges::find(m_heads, m_selection.value().head);
  if (found == m_heads.end()) return m_heads.front();
  return m_heads[(found - m_heads.begin() + step % count + count) % count];
}

bool StudyModel::settled() const {
  const auto runners = {&m_gridRunner,  &m_commonRunner, &m_headRunner,
                        &m_cloudRunner, &m_mapRunner,    &m_damageRunner};
  return (m_common || m_commonFailed) && std::ranges::none_of(runners, &JobRunner::running) &&
         !m_mapDelay.isActive() && !m_texts.reading() &&
         std::ranges::none_of(m_preparing, [](const auto& preparing) { return preparing(); });
}

void StudyModel::setHeadNotes(const std::map<HeadName, std::string>& notes) {
  if (std::exchange(m_headNotes, notes) != notes) Q_EMIT headNotesChanged();
}

void StudyModel::setLinkedTokens(const LinkedTokens& tokens) {
  if (std::exchange(m_linked, tokens) != tokens) Q_EMIT linkedTokensChanged();
}

void StudyModel::checkSettled() {
  if (settled()) Q_EMIT settledNow();
}

void StudyModel::ask(const std::optional<TokenPlace>& token) {
  if (std::exchange(m_asked, token) != token) Q_EMIT askedTokenChanged();
}

void StudyModel::setShownText(const ShownText& shown) {
  if (std::exchange(m_shownText, shown) != shown) Q_EMIT shownTextChanged();
}

void StudyModel::showQueryInText(const TokenPlace& query) {
  constexpr std::int64_t kBefore = 60;  // tokens shown before the query
  Q_EMIT textRequested();
  setShownText({query.example, std::max<std::int64_t>(0, query.position - kBefore), TokenMeasure::Score,
                QueryOrKey::Key});
  if (m_views == nullptr) return;
  const PlaneRows& rows = m_views->plane->query;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows.example[row] == query.example && rows.position[row] == query.position)
      return m_selection.setRows({static_cast<std::int64_t>(row)}, {});
  m_selection.setRows({}, {});
  ask(query);
}

void StudyModel::selectionChanged(const ViewSelection& now, const ViewSelection& before) {
  if (now.rows != before.rows || now.rowChoice != before.rowChoice) ask({});
  if (now.plasticity != before.plasticity) {
    forgetViews();
    m_exactMaps.clear();
    prepareGrid();
    prepareCommon();  // the head follows
  }
  if (now.metric != before.metric || now.order != before.order || now.show != before.show) prepareGrid();
  const bool renamed = !now.several.empty() && now.groups != before.groups;
  if (now.head == before.head && now.several == before.several && !renamed) return;
  m_views = nullptr;
  prepareHead();
  prepareCloud();
}

template <typename Work, typename Show, typename Fail>
void StudyModel::prepare(JobRunner& runner, Work work, Show show, Fail fail) {
  using Made = std::invoke_result_t<Work, Progress&>;
  runner.start(std::move(work), [this, show = std::move(show), fail = std::move(fail)](JobResult<Made> made) {
    if (made.ok())
      show(std::move(*made.value));
    else if (!made.stopped())
      fail(made.failure.sentence);
    checkSettled();
  });
}

void StudyModel::prepareGrid() {
  struct Made {
    std::shared_ptr<const HeadGridData> grid;
    std::shared_ptr<const std::vector<HeadName>> similar;
  };
  const ViewSelection& now = m_selection.value();
  const HeadGridShape shape{
      now.order, now.order == HeadOrder::Similar ? HeadShow::Heads : now.show, {}, plasticity().kind};
  prepare(
      m_gridRunner,
      [study = m_study, facts = m_facts, metric = now.metric, shape, similar = m_similar](Progress&) {
        Made made{nullptr, similar};
        HeadGridShape whole = shape;
        if (shape.order == HeadOrder::Similar) {
          if (!similar)
            made.similar = std::make_shared<const std::vector<HeadName>>(
                headsBySimilarity(*study->analysis, shape.plasticity));
          whole.similar = *made.similar;
        }
        made.grid = std::make_shared<const HeadGridData>(makeHeadGrid(study->analysis, facts, metric, whole));
        return made;
      },
      [this](const Made& made) {
        m_similar = made.similar;
        Q_EMIT gridReady(made.grid);
      },
      [this](const QString& sentence) { Q_EMIT gridFailed(sentence); });
}

void StudyModel::prepareCommon() {
  prepare(
      m_commonRunner,
      [study = m_study, kind = plasticity().kind](Progress&) {
        auto common = std::make_shared<CommonViews>();
        common->field = prepared<ProfileField>([&] { return makeProfileFields(*study->analysis, {}, kind); });
        common->taxonomy = prepared<TaxonomyData>([&] { return makeTaxonomy(*study->analysis); });
        return std::shared_ptr<const CommonViews>(common);
      },
      [this](std::shared_ptr<const CommonViews> common) {
        m_common = std::move(common);
        Q_EMIT commonReady(m_common);
        prepareHead();
      },
      [this](const QString& sentence) {
        m_commonFailed = true;
        Q_EMIT failed(sentence);
      });
}

void StudyModel::prepareHead() {
  m_headRunner.drop();
  m_mapRunner.drop();
  m_mapDelay.stop();
  if (!m_common || !m_selection.value().head) return;
  const HeadName head = *m_selection.value().head;
  const std::vector<HeadName>& several = m_selection.value().several;
  if (const auto known = m_cache.find(head); several.empty() && known != m_cache.end())
    return setViews(known->second);
  prepare(
      m_headRunner,
      [study = m_study, facts = m_facts, field = m_common->field, head, several,
       name = selectedGroup() ? tr("mean of %1").arg(severalName()).toStdString() : std::string(),
       kind = plasticity().kind](Progress& progress) {
        return makeHeadViews(*study, facts, field, head, several, name, kind, progress);
      },
      [this](std::shared_ptr<const HeadViews> views) { setViews(std::move(views)); },
      [this](const QString& sentence) { Q_EMIT failed(sentence); });
}

void StudyModel::setViews(std::shared_ptr<const HeadViews> views) {
  m_views = std::move(views);
  if (m_views->several.empty()) remember(m_views);
  Q_EMIT headReady(m_views);
  if (!m_views->several.empty()) return;  // their map has the pairs of the analysis
  const HeadName head = m_views->head;
  if (const auto exact = m_exactMaps.find(head); exact != m_exactMaps.end()) {
    Q_EMIT exactMapReady(head, exact->second);
  } else if (canRefineMap(*m_study)) {
    m_mapDelay.start();
  }
}

void StudyModel::remember(const std::shared_ptr<const HeadViews>& views) {
  m_cacheOrder.remove(views->head);
  m_cacheOrder.push_back(views->head);
  m_cache[views->head] = views;
  if (m_cacheOrder.size() <= kCachedHeads) return;
  m_cache.erase(m_cacheOrder.front());
  m_cacheOrder.pop_front();
}

void StudyModel::setCloudWanted(bool wanted) {
  if (std::exchange(m_cloudWanted, wanted) != wanted) prepareCloud();
}

void StudyModel::prepareCloud() {
  m_cloudRunner.drop();
  if (!m_cloudWanted || !m_selection.value().head || m_cloudHead == m_selection.value().head) return;
  const HeadName head = *m_selection.value().head;
  prepare(
      m_cloudRunner,
      [study = m_study, head](Progress&) {
        return std::make_shared<const CloudData>(makeCloud(*study, head));
      },
      [this, head](std::shared_ptr<const CloudData> cloud) {
        m_cloudHead = head;
        Q_EMIT cloudReady(std::move(cloud));
      },
      [this](const QString& sentence) { Q_EMIT cloudFailed(sentence); });
}

void StudyModel::prepareExactMap() {
  const HeadName head = *m_selection.value().head;
  Q_EMIT exactMapStarted(head);
  prepare(
      m_mapRunner,
      [study = m_study, head, kind = plasticity().kind](Progress& progress) {
        return std::make_shared<const MapData>(makeExactMap(*study, head, kind, progress));
      },
      [this, head](const std::shared_ptr<const MapData>& map) {
        m_exactMaps[head] = map;
        Q_EMIT exactMapReady(head, map);
      },
      [this, head](const QString& sentence) { Q_EMIT exactMapFailed(head, sentence); });
}

// One head at a time, so that views that read rows need not wait long.
void StudyModel::lookForDamage() {
  prepare(
      m_damageRunner, [study = m_study](Progress& progress) { return damageOf(*study, progress); },
      [this](StudyDamage damage) {
        if (damage.none()) return;
        m_damage = std::move(damage);
        Q_EMIT damageFound();
      },
      [](const QString&) {});
}

}  // namespace plastiscope

#include "moc_study_model.cpp"
