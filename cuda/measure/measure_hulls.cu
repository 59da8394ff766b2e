// The areas of objects' convex hulls: from the corners of their rows, in integers.
#include "cuda/measure/measure_hulls.cuh"

// How it is done. The left corners of an object's rows, from above to below, become its left chain of corners, by Andrew's
// rule: a corner that lies on the inner side of the line from the one before it to the next is dropped; the right ones
// likewise. The chain is the same in whatever pieces it is made: a corner that a piece drops is none of the whole. So a thread
// does objects of up to kTall rows, and a block each taller one: a thread a piece of its rows, then a thread for each eight
// pieces, and so on. What is made lies where its first piece did; it never passes what is still to be read.

namespace morpho::gpu {

namespace {

constexpr i32 kTall = 128;             ///< rows that one thread may do
constexpr i32 kPieces = 64, kFan = 8;  ///< of a tall object's rows; how many become one
constexpr i32 kThreads = 2 * kPieces;  ///< left, right

/// A chain of corners in global memory, its last two in registers.
struct Chain {
  int2* corners;
  i64 side;  ///< -1: left, 1: right
  i32 count = 0;
  int2 last{}, before{};

  __device__ Chain(int2* at, i64 which) : corners(at), side(which) {}
  __device__ void push(int2 p) {
    while (count >= 2) {
      const i64 turn = (i64{last.x} - before.x) * (i64{p.y} - before.y) - (i64{last.y} - before.y) * (i64{p.x} - before.x);
      if (side * turn > 0) break;
      --count;
      last = before;
      if (count >= 2) before = corners[count - 2];
    }
    corners[count++] = p;
    before = last, last = p;
  }
  __device__ void push_rows(const Run* rows, i32 begin, i32 end) {
    for (i32 r = begin; r < end; ++r) {
      const Run row = rows[r];
      const i32 x = side < 0 ? row.x0 : row.x1;
      push(make_int2(x, row.y));
      push(make_int2(x, row.y + 1));
    }
  }
};

/// Twice the area between a left and a right chain.
__device__ i64 area_between(const int2* left, i32 lefts, const int2* right, i32 rights) {
  i64 area2 = 0;
  const auto edge = [&](int2 a, int2 b) { area2 += i64{a.x} * b.y - i64{b.x} * a.y; };
  for (i32 k = 0; k + 1 < lefts; ++k) edge(left[k], left[k + 1]);
  edge(left[lefts - 1], right[rights - 1]);
  for (i32 k = rights - 1; k > 0; --k) edge(right[k], right[k - 1]);
  edge(right[0], left[0]);
  return area2 < 0 ? -area2 : area2;
}

/// The rows of an object, and its chains' memory: four corners a row, the left ones first.
struct Rows {
  i32 begin, end;
  int2 *left, *right;
  __device__ Rows(const Object* objects, i32 count, i32 row_count, i32 i, int2* chains)
      : begin(objects[i].first_row),
        end(i + 1 < count ? objects[i + 1].first_row : row_count),
        left(chains + 4 * static_cast<i64>(begin)),
        right(left + 2 * static_cast<i64>(end - begin)) {}
};

/// A thread owns an object; tall ones go to a list, in any order. tall: how many there are, then the list.
__global__ void measure_hulls_kernel(const Run* __restrict__ rows, i32 row_count, Object* objects, i32 count, int2* chains,
                                     i32* tall) {
  const i32 i = static_cast<i32>(blockIdx.x) * blockDim.x + static_cast<i32>(threadIdx.x);
  if (i >= count) return;
  const Rows own(objects, count, row_count, i, chains);
  if (own.end - own.begin > kTall) {
    tall[1 + atomicAdd(tall, 1)] = i;
    return;
  }
  Chain left(own.left, -1), right(own.right, 1);
  left.push_rows(rows, own.begin, own.end);
  right.push_rows(rows, own.begin, own.end);
  objects[i].hull2 = area_between(own.left, left.count, own.right, right.count);
}

/// A block owns a tall object at a time: half of it the left chain, half the right. Shared memory: how long each piece's chain
/// is.
__global__ void __launch_bounds__(kThreads)
    measure_tall_hulls_kernel(const Run* __restrict__ rows, i32 row_count, Object* objects, i32 count, int2* chains,
                              const i32* __restrict__ tall) {
  __shared__ i32 length[2][kPieces];
  const i32 which = static_cast<i32>(threadIdx.x) / kPieces, piece = static_cast<i32>(threadIdx.x) % kPieces;
  const i64 side = which == 0 ? -1 : 1;
  for (i32 k = static_cast<i32>(blockIdx.x); k < tall[0]; k += static_cast<i32>(gridDim.x)) {
    const i32 i = tall[1 + k];
    const Rows own(objects, count, row_count, i, chains);
    const i32 height = own.end - own.begin, each = (height + kPieces - 1) / kPieces;
    int2* const corners = which == 0 ? own.left : own.right;
    {
      const i32 begin = min(piece * each, height), end = min(begin + each, height);
      Chain chain(corners + 2 * begin, side);
      chain.push_rows(rows, own.begin + begin, own.begin + end);
      length[which][piece] = chain.count;
    }
    for (i32 width = 1; width < kPieces; width *= kFan) {
      __syncthreads();
      if (piece < kPieces / (width * kFan)) {
        const i32 first = piece * width * kFan;
        Chain chain(corners + 2 * static_cast<i64>(min(first * each, height)), side);
        for (i32 p = first; p < first + width * kFan; p += width) {
          const int2* from = corners + 2 * static_cast<i64>(min(p * each, height));
          for (i32 c = 0; c < length[which][p]; ++c) chain.push(from[c]);
        }
        length[which][first] = chain.count;
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) objects[i].hull2 = area_between(own.left, length[0][0], own.right, length[1][0]);
    __syncthreads();
  }
}

}  // namespace

void hull_objects(Context& ctx, const SortedRuns& r) {
  const Workspace::Scope scope(ctx.workspace);  // what takes this memory next runs later
  int2* chains = ctx.workspace.take<int2>(4 * static_cast<std::size_t>(r.row_count));
  i32* tall = ctx.workspace.take<i32>(static_cast<std::size_t>(r.object_count) + 1);
  set_bytes(ctx, tall, 0, 1);
  measure_hulls_kernel<<<blocks_for(r.object_count, 64), 64, 0, stream_of(ctx)>>>(r.rows, r.row_count, r.objects,
                                                                                  r.object_count, chains, tall);
  check_launch("measure_hulls_kernel");
  if (r.row_count <= kTall) return;  // nobody can be tall
  measure_tall_hulls_kernel<<<static_cast<u32>(4 * multiprocessors()), kThreads, 0, stream_of(ctx)>>>(
      r.rows, r.row_count, r.objects, r.object_count, chains, tall);
  check_launch("measure_tall_hulls_kernel");
}

}  // namespace morpho::gpu
