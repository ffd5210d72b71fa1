#pragma once
// The jobs that run now, oldest first. Tickets leave when they end or are destroyed; the list owns none.
#include <QList>
#include <QObject>

#include "widgets/jobs/job_ticket.h"

namespace plastiscope {

class JobList : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  void add(JobTicket* ticket);
  const QList<JobTicket*>& active() const { return m_active; }

 Q_SIGNALS:
  void changed();  // a job came, went, or moved on

 private:
  void remove(QObject* ticket);
  QList<JobTicket*> m_active;
};

}  // namespace plastiscope
