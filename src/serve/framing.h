// Finds the end of a request's body from its headers.
#pragma once

#include <httplib.h>

#include <cstdint>

namespace heed::serve {

struct Framing {
  bool chunked = false;
  bool has_length = false;
  int64_t length = 0;  // bytes, of a body that is not chunked
};

// Follows RFC 9112, section 6.3, but strictly: a request that a proxy in front of the server
// could interpret differently is refused, because a part of its body could then be taken for a
// request (request smuggling). Throws HttpError 400 for headers that contradict each other or are
// malformed, 413 for a length that is out of range, 501 for a transfer coding other than chunked.
Framing framing_of(const httplib::Request& request);

}  // namespace heed::serve
