#include "widgets/jobs/job_list.h"

namespace plastiscope {

void JobList::add(JobTicket* ticket) {
  if (!ticket->active() || m_active.contains(ticket)) return;
  m_active.append(ticket);
  connect(ticket, &JobTicket::changed, this, &JobList::changed);
  connect(ticket, &JobTicket::ended, this, [this, ticket] { remove(ticket); });
  connect(ticket, &QObject::destroyed, this, &JobList::remove);
  Q_EMIT changed();
}

void JobList::remove(QObject* ticket) {
  // Called from the destructor of QObject too: compare addresses only.
  const auto before = m_active.size();
  m_active.removeIf([ticket](JobTicket* each) { return static_cast<QObject*>(each) == ticket; });
  if (m_active.size() != before) Q_EMIT changed();
}

}  // namespace plastiscope
