#pragma once
// Computes what a head looks at from the rows of a capture.
#include "core/base/progress.h"
#include "core/views/attended_data.h"
#include "core/views/study.h"

namespace plastiscope {

// `choice`: of the queries. Evaluates at most about 4,096 queries, evenly spaced in each text. A head
// captured at every position gets its exact softmax over all keys; any other the softmax over its captured
// keys. UsageError for a head or text that was not captured, InputError if the rows do not give the softmax
// or no query is left, Stopped.
AttendedData makeAttended(const Study& study, HeadName head, const RowChoice& choice,
                          const Progress& progress);

}  // namespace plastiscope
