// The search session of one model, whatever its encoder and decoder.
#pragma once

#include <memory>
#include <span>

#include "nn/decoder_session.h"
#include "nn/network.h"
#include "nn/word_table.h"
#include "text/batch.h"
#include "text/shortlist.h"

namespace heed {

// `network` and `words` must outlive the session. Shortlists: one per sentence, or none.
std::unique_ptr<DecoderSession> start_session(const Network& network, const WordTable& words,
                                              const Batch& batch,
                                              std::span<const Shortlist> shortlists);

}  // namespace heed
