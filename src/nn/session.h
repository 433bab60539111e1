// The search session of a recurrent model: one step is Decoder::run with T = 1.
#pragma once

#include <memory>

#include "nn/model.h"
#include "nn/parts.h"

namespace heed {

std::unique_ptr<DecoderSession> start_session(const Parts& parts, const Batch& batch,
                                              std::span<const Shortlist> shortlists);

}  // namespace heed
