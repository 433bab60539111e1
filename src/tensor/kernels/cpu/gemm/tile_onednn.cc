// Tiles through oneDNN, which picks its instruction set at run time. Empty in a build without it.
#ifdef HEED_ONEDNN

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <oneapi/dnnl/dnnl.hpp>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tensor/kernels/cpu/gemm/panels.h"
#include "tensor/kernels/cpu/gemm/tile.h"

namespace heed::kernels::cpu {
namespace {

using dnnl::matmul;
using dnnl::memory;

constexpr size_t kAlignment = 64;

static_assert(sizeof(Real) == sizeof(float), "oneDNN computes in f32");

// Never destroyed, like the products below: threads that end after main() may still hold
// handles to them.
dnnl::engine& engine() {
  static dnnl::engine& cpu = *new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return cpu;
}

dnnl::stream& stream() {
  static thread_local dnnl::stream in_order(engine());
  return in_order;
}

memory::desc describe(int64_t rows, int64_t columns, const MatrixLayout& layout,
                      memory::data_type type) {
  const memory::dims strides =
      layout.transposed ? memory::dims{1, layout.stride} : memory::dims{layout.stride, 1};
  return {{rows, columns}, type, strides};
}

// The types of the two operands and of the result.
struct Types {
  memory::data_type a, b, out;
  size_t a_bytes;  // per element of a; those of the result have four
};

Types types_of(Precision precision) {
  using Type = memory::data_type;
  switch (precision) {
    case Precision::bf16:
      return {Type::bf16, Type::bf16, Type::f32, 2};
    case Precision::int8:
      return {Type::s8, Type::s8, Type::s32, 1};
    case Precision::f32:
      break;
  }
  return {Type::f32, Type::f32, Type::f32, 4};
}

// Scratch memory of a product, shared by all products of a thread.
void* scratchpad(size_t bytes) {
  static thread_local std::vector<std::byte> all;
  if (all.size() < bytes + kAlignment) all.resize(bytes + kAlignment);
  void* start = all.data();
  size_t space = all.size();
  return std::align(kAlignment, bytes, start, space);
}

// A handle whose pointer is set before each use.
memory handle_of(const memory::desc& desc) { return memory(desc, engine(), DNNL_MEMORY_NONE); }

// out [m, n] = a [m, k] b. The library chooses the right-hand layout if `b` is its "any". a and out
// are contiguous: oneDNN 2.6 has fast kernels for nothing else.
class RowsProduct {
 public:
  RowsProduct(int64_t m, int64_t k, int64_t n, const memory::desc& b, const Types& types)
      : description_(describe_product(m, k, n, b, types)),
        product_(description_),
        scratchpad_bytes_(description_.scratchpad_desc().get_size()) {}

  static matmul::primitive_desc describe_product(int64_t m, int64_t k, int64_t n,
                                                 const memory::desc& b, const Types& types) {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return {
        matmul::desc(describe(m, k, {k, false}, types.a), b, describe(m, n, {n, false}, types.out)),
        attributes, engine()};
  }

  void run(const void* a, const memory& b, void* out) const {
    const Handles& own = handles();
    own.a.set_data_handle(const_cast<void*>(a));
    own.out.set_data_handle(out);
    own.scratchpad.set_data_handle(scratchpad(scratchpad_bytes_));
    const std::array<dnnl_exec_arg_t, 4> arguments{{{DNNL_ARG_SRC, own.a.get()},
                                                    {DNNL_ARG_WEIGHTS, b.get()},
                                                    {DNNL_ARG_DST, own.out.get()},
                                                    {DNNL_ARG_SCRATCHPAD, own.scratchpad.get()}}};
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(product_.get(), stream().get(), 4, arguments.data()),
        "oneDNN could not multiply");
  }

 private:
  // Making handles costs as much as a small product, so each thread keeps its own.
  struct Handles {
    memory a, out, scratchpad;
  };

  const Handles& handles() const {
    static thread_local std::unordered_map<const RowsProduct*, Handles> all;
    auto found = all.find(this);
    if (found == all.end()) {
      Handles made{handle_of(description_.src_desc()), handle_of(description_.dst_desc()),
                   handle_of(description_.scratchpad_desc())};
      found = all.emplace(this, std::move(made)).first;
    }
    return found->second;
  }

  matmul::primitive_desc description_;
  matmul product_;
  size_t scratchpad_bytes_;
};

// The products with tiles of k rows and n columns, one per number of rows of a, each built when it
// is first needed.
class TileProducts {
 public:
  TileProducts(int64_t k, int64_t n, Precision precision)
      : k_(k), n_(n), types_(types_of(precision)), packed_(describe_packed(k, n, types_)) {
    using Tag = memory::format_tag;
    if (precision == Precision::int8) return;
    const Tag panels = precision == Precision::bf16 ? Tag::BA16a64b2a : Tag::BA16a64b;
    if (packed_ == memory::desc({k, n}, types_.b, panels))
      panel_rows_ = packed_.data.padded_dims[0];
  }

  // The one for tiles [k, n]; it lives until the program ends.
  static TileProducts& find(int64_t k, int64_t n, Precision precision) {
    static auto& all = *new std::map<std::tuple<int64_t, int64_t, Precision>, TileProducts>;
    static std::mutex& mutex = *new std::mutex;
    const std::lock_guard lock(mutex);
    return all.try_emplace({k, n, precision}, k, n, precision).first->second;
  }

  const memory::desc& packed() const { return packed_; }
  // Rows of a panel if the layout is that of panels.h; else 0.
  int64_t panel_rows() const { return panel_rows_; }

  const RowsProduct& with_rows(int64_t m) {
    std::atomic<const RowsProduct*>& slot = by_rows_[static_cast<size_t>(m - 1)];
    if (const RowsProduct* product = slot.load(std::memory_order_acquire)) return *product;
    const std::lock_guard lock(building_);
    if (slot.load(std::memory_order_relaxed) == nullptr) {
      slot.store(new RowsProduct(m, k_, n_, packed_, types_), std::memory_order_release);
    }
    return *slot.load(std::memory_order_relaxed);
  }

 private:
  // The layout that the library prefers for a usual number of rows, which it accepts for all
  // others: its blocks depend on k, n and the instruction set.
  static memory::desc describe_packed(int64_t k, int64_t n, const Types& types) {
    constexpr int64_t kUsualRows = kMaxTileRows;
    const memory::desc any({k, n}, types.b, memory::format_tag::any);
    return RowsProduct::describe_product(kUsualRows, k, n, any, types).weights_desc();
  }

  int64_t k_, n_;
  Types types_;
  memory::desc packed_;
  int64_t panel_rows_ = 0;
  std::mutex building_;
  std::array<std::atomic<const RowsProduct*>, kMaxTileRows> by_rows_{};
};

class OneDnnTile : public PackedTile {
 public:
  OneDnnTile(int64_t k, int64_t n, const MatrixLayout& from, Precision precision)
      : k_(k),
        n_(n),
        precision_(precision),
        a_row_bytes_(static_cast<size_t>(k) * types_of(precision).a_bytes),
        out_row_bytes_(static_cast<size_t>(n) * sizeof(Real)),
        products_(TileProducts::find(k, n, precision)),
        from_(describe(k, n, from, types_of(precision).b)),
        packed_(products_.packed(), engine()) {}

  void pack(const void* from) override {
    memory plain(from_, engine(), const_cast<void*>(from));
    if (!reorder_) reorder_ = dnnl::reorder(plain, packed_);
    reorder_.execute(stream(), plain, packed_);
  }

  bool pack_at_once(const Real* from, const MatrixLayout& layout) override {
    const int64_t rows = products_.panel_rows();
    if (rows == 0) return false;
    const PanelSource source{from, layout, k_, n_};
    if (precision_ == Precision::bf16) {
      fill_panels(source, rows, static_cast<uint16_t*>(packed_.get_data_handle()));
    } else {
      fill_panels(source, rows, static_cast<Real*>(packed_.get_data_handle()));
    }
    return true;
  }

  // A multiple of eight rows and the remainder separately: a product is built and kept per number
  // of rows, so that there are at most 15 of them, whatever the sizes of batches.
  void multiply(int64_t m, const void* a, void* out) const override {
    const int64_t eights = m / 8 * 8, remainder = m - eights;
    if (eights > 0) products_.with_rows(eights).run(a, packed_, out);
    if (remainder == 0) return;
    const auto done = static_cast<size_t>(eights);
    products_.with_rows(remainder).run(static_cast<const std::byte*>(a) + done * a_row_bytes_,
                                       packed_,
                                       static_cast<std::byte*>(out) + done * out_row_bytes_);
  }

 private:
  int64_t k_, n_;
  Precision precision_;
  size_t a_row_bytes_, out_row_bytes_;
  TileProducts& products_;
  memory::desc from_;
  memory packed_;
  dnnl::reorder reorder_;  // made when it is first needed
};

// Each instruction set of oneDNN's list includes those before it, except AVX2's VNNI.
bool reaches(dnnl::cpu_isa least) {
  const auto bits = [](dnnl::cpu_isa isa) { return static_cast<unsigned>(isa); };
  return (bits(dnnl::get_effective_cpu_isa()) & bits(least)) == bits(least);
}

}  // namespace

// oneDNN computes bf16 on any processor with AVX-512, also without bf16 instructions, and
// on no other.
bool has_precision(Precision precision) {
  return precision != Precision::bf16 || reaches(dnnl::cpu_isa::avx512_core);
}

bool is_native(Precision precision) {
  switch (precision) {
    case Precision::bf16:
      return reaches(dnnl::cpu_isa::avx512_core_bf16);
    case Precision::int8:
      return reaches(dnnl::cpu_isa::avx512_core_vnni) || reaches(dnnl::cpu_isa::avx2_vnni);
    case Precision::f32:
      break;
  }
  return true;
}

std::unique_ptr<PackedTile> make_packed_tile(int64_t k, int64_t n, const MatrixLayout& from,
                                             Precision precision) {
  return std::make_unique<OneDnnTile>(k, n, from, precision);
}

// oneDNN 2.6 has no faster product of operands that are not packed, and this one
// needs nothing built.
void multiply_tile(const TileShape& shape, const Real* a, const Real* b, Real* c) {
  dnnl::error::wrap_c_api(
      dnnl_sgemm(shape.a.transposed ? 'T' : 'N', shape.b.transposed ? 'T' : 'N', shape.m, shape.n,
                 shape.k, 1.0F, a, shape.a.stride, b, shape.b.stride,
                 shape.accumulate ? 1.0F : 0.0F, c, shape.c_stride),
      "oneDNN could not multiply");
}

const char* gemm_library() { return "oneDNN"; }

}  // namespace heed::kernels::cpu

#endif  // HEED_ONEDNN
