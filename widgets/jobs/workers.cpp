#include "widgets/jobs/workers.h"

#include <algorithm>

namespace plastiscope {

Workers::Workers() {
  m_quick.setMaxThreadCount(std::max(2, QThread::idealThreadCount()));
  m_long.setMaxThreadCount(4);  // each long job makes its own threads for the arithmetic
}

Workers::~Workers() {
  {
    const std::lock_guard lock(m_mutex);
    for (const auto& weak : m_flags) {
      if (const auto flag = weak.lock()) flag->store(true);
    }
  }
  waitForDone();
}

void Workers::watch(const StopFlag& flag) {
  const std::lock_guard lock(m_mutex);
  std::erase_if(m_flags, [](const auto& weak) { return weak.expired(); });
  m_flags.push_back(flag);
}

void Workers::waitForDone() {
  m_quick.waitForDone();
  m_long.waitForDone();
}

}  // namespace plastiscope
