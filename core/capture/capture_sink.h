#pragma once
// Takes the forward pass's vectors at the sampled positions and makes one unit of each example.
#include <map>

#include "core/capture/capture_plan.h"
#include "core/capture/capture_unit.h"
#include "core/forward/forward.h"

namespace plastiscope {

class CaptureSink : public QkSink {
 public:
  // `plan` with window and bucket size resolved.
  CaptureSink(CapturePlan plan, UnitLayout layout);

  // Draws the positions of an example; its number is that of the TokenSequence.
  void begin(std::int64_t number, const CaptureExample& example);
  // The finished unit, which leaves the sink. Error (internal) when vectors are missing.
  CaptureUnit finish(std::int64_t number);
  void drop(std::int64_t number) { m_units.erase(number); }
  // An example that was begun and is not finished, with what was taken of it so far.
  const CaptureUnit& unit(std::int64_t number) const { return m_units.at(number); }
  // Vectors that an earlier run took: those of all heads of a block.
  void restore(std::int64_t number, std::size_t block, std::vector<UnitHead> heads);

  std::vector<std::int32_t> heads(std::int64_t layer, QueryOrKey kind) const override;
  std::vector<std::int32_t> positions(std::int64_t layer, QueryOrKey kind,
                                      std::int64_t example) const override;
  bool wants(CapturePoint point) const override;
  // InputError when a vector holds a value that is not a finite number.
  void take(std::int64_t layer, QueryOrKey kind, CapturePoint point, std::int64_t example,
            std::span<const float> vectors) override;

 private:
  // Index of the block; -1 when there is none.
  int blockOf(std::int64_t layer, QueryOrKey kind, CapturePoint point) const;
  int anyBlockOf(std::int64_t layer, QueryOrKey kind) const;
  UnitHead storedHead(std::span<const float> vectors, const UnitBlock& block, std::size_t head) const;

  CapturePlan m_plan;
  UnitLayout m_layout;
  std::map<std::int64_t, CaptureUnit> m_units;  // of the running group
};

}  // namespace plastiscope
