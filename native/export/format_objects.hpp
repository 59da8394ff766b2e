// Many objects as text at once: pieces on all threads, put one behind the other into a buffer of the caller's.
#pragma once
#include "contract/context.hpp"
#include "object_text.hpp"

namespace morpho::exports {

struct Formatted {
  i64 objects = 0;  ///< from the first on that are in the buffer, whole
  i64 bytes = 0;    ///< of them; where not even the first piece fitted, what that needs
};

/// Objects [begin, end) as far as `size` bytes hold them. The same bytes for any number of threads. Memory: the text once more.
/// Requires 0 <= begin <= end <= the table's size. Cancel is heard between pieces.
Formatted format_objects(const Context& ctx, const ObjectTable& objects, i64 begin, i64 end, const ObjectFormat& format,
                         u8* out, i64 size);

}  // namespace morpho::exports
