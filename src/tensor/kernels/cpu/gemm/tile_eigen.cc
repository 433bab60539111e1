// Tiles through Eigen, for builds without oneDNN. It computes in float and double but is compiled
// for the oldest processor of the platform and therefore slow. Empty in a build with oneDNN.
#ifndef HEED_ONEDNN

#define EIGEN_DONT_PARALLELIZE  // a tile belongs to one thread
#include <Eigen/Core>

#include "tensor/kernels/cpu/gemm/tile.h"

namespace heed::kernels::cpu {
namespace {

using Rows = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Columns = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
template <typename Matrix>
using MatrixView = Eigen::Map<Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;

// Calls f with a view of the matrix [rows, columns] at `data`.
template <typename F>
void with_view(const Real* data, int64_t rows, int64_t columns, const MatrixLayout& layout,
               const F& f) {
  const Eigen::OuterStride<> stride(layout.stride);
  if (layout.transposed) {
    f(MatrixView<const Columns>(data, rows, columns, stride));
  } else {
    f(MatrixView<const Rows>(data, rows, columns, stride));
  }
}

class EigenTile : public PackedTile {
 public:
  EigenTile(int64_t k, int64_t n, const MatrixLayout& from) : packed_(k, n), from_(from) {}

  void pack(const void* from) override {
    with_view(static_cast<const Real*>(from), packed_.rows(), packed_.cols(), from_,
              [&](const auto& view) { packed_ = view; });
  }

  void multiply(int64_t m, const void* a, void* out) const override {
    const int64_t k = packed_.rows(), n = packed_.cols();
    multiply_tile({m, k, n, {k, false}, {n, false}, n, false}, static_cast<const Real*>(a),
                  packed_.data(), static_cast<Real*>(out));
  }

 private:
  Rows packed_;
  MatrixLayout from_;
};

}  // namespace

bool has_precision(Precision precision) { return precision == Precision::f32; }
bool is_native(Precision precision) { return precision == Precision::f32; }

std::unique_ptr<PackedTile> make_packed_tile(int64_t k, int64_t n, const MatrixLayout& from,
                                             Precision) {
  return std::make_unique<EigenTile>(k, n, from);
}

void multiply_tile(const TileShape& shape, const Real* a, const Real* b, Real* c) {
  MatrixView<Rows> result(c, shape.m, shape.n, Eigen::OuterStride<>(shape.c_stride));
  with_view(a, shape.m, shape.k, shape.a, [&](const auto& left) {
    with_view(b, shape.k, shape.n, shape.b, [&](const auto& right) {
      if (shape.accumulate) {
        result.noalias() += left * right;
      } else {
        result.noalias() = left * right;
      }
    });
  });
}

const char* gemm_library() { return "Eigen"; }

}  // namespace heed::kernels::cpu

#endif  // HEED_ONEDNN
