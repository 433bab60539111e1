// What all kernels refuse, and what they count, in a loop over them.
#include <deque>
#include <string>

#include "kernel_support.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {
namespace {

using Shapes = std::vector<Shape>;

// The tensors of a call, as many as its case has shapes, and further operands on the same device.
// Memory is larger than any shape needs, so that a call may also accept a wrong one.
class Operands {
 public:
  Operands(const Shapes& shapes, Device device) : device_(device) {
    for (const Shape& shape : shapes) {
      memory_.emplace_back(kElements, Real(0.5));
      tensors_.push_back({memory_.back().data(), shape, device});
    }
  }

  const Tensor& operator[](size_t i) const { return tensors_[i]; }
  Tensor& operator[](size_t i) { return tensors_[i]; }
  size_t size() const { return tensors_.size(); }

  // Zeros but for the last one.
  Ids ids(const Shape& shape, int32_t last = 0) {
    ids_.emplace_back(static_cast<size_t>(shape.size()));
    ids_.back().back() = last;
    return {ids_.back().data(), shape, device_};
  }
  View<int32_t> indices(const Shape& shape) {
    return {const_cast<int32_t*>(ids(shape).data), shape, device_};
  }
  Flags flags(int64_t size) { return {flags_, {size}, device_}; }
  Sums sums(int64_t size) {
    sums_.emplace_back(static_cast<size_t>(size));
    return {sums_.back().data(), {size}, device_};
  }
  RowLosses losses(int64_t rows) { return {sums(rows), sums(rows)}; }

 private:
  static constexpr size_t kElements = 1000;
  Device device_;
  std::deque<std::vector<Real>> memory_;
  std::vector<Tensor> tensors_;
  std::deque<std::vector<int32_t>> ids_;
  std::deque<std::vector<double>> sums_;
  uint8_t flags_[16] = {1, 1, 0, 1};
};

struct Case {
  const char* name;
  Shapes shapes;
  void (*call)(Operands& x);
};

PackedMatrix packed(int64_t rows, int64_t columns) {
  test::Numbers b({rows, columns}, 1);
  PackedMatrix result;
  result.pack(b, false);
  return result;
}

constexpr DropoutKey kKey{1, 2};

const std::vector<Case> kElementwise = {
    {"copy", {{3, 5}, {3, 5}}, [](Operands& x) { copy(x[0], x[1]); }},
    {"add", {{3, 5}, {3, 5}}, [](Operands& x) { add(x[0], x[1]); }},
    {"add_scaled", {{3, 5}, {3, 5}}, [](Operands& x) { add_scaled(2, x[0], x[1]); }},
    {"move_towards", {{3, 5}, {3, 5}}, [](Operands& x) { move_towards(2, x[0], x[1]); }},
    {"swap", {{3, 5}, {3, 5}}, [](Operands& x) { swap(x[0], x[1]); }},
    {"multiply", {{7}, {7}, {7}}, [](Operands& x) { multiply(x[0], x[1], x[2]); }},
    {"multiply_add", {{7}, {7}, {7}}, [](Operands& x) { multiply_add(x[0], x[1], x[2]); }},
    {"add_bias", {{5}, {2, 3, 5}}, [](Operands& x) { add_bias(x[0], x[1]); }},
    {"tanh", {{7}, {7}}, [](Operands& x) { tanh(x[0], x[1]); }},
    {"tanh_backward", {{7}, {7}, {7}}, [](Operands& x) { tanh_backward(x[0], x[1], x[2]); }},
    {"sigmoid", {{7}, {7}}, [](Operands& x) { sigmoid(x[0], x[1]); }},
    {"sigmoid_backward", {{7}, {7}, {7}}, [](Operands& x) { sigmoid_backward(x[0], x[1], x[2]); }},
    {"dropout", {{7}, {7}}, [](Operands& x) { dropout(x[0], Real(0.5), kKey, x[1]); }},
    {"dropout_backward",
     {{7}, {7}},
     [](Operands& x) { dropout_backward(x[0], Real(0.5), kKey, x[1]); }},
    {"mix_in_log", {{7}, {7}}, [](Operands& x) { mix_in_log(Real(0.5), x[0], x[1]); }},
};

const std::vector<Case> kRows = {
    {"sum_rows", {{3, 5}, {5}}, [](Operands& x) { sum_rows(x[0], x[1]); }},
    {"dot_rows", {{3, 5}, {3, 5}, {3}}, [](Operands& x) { dot_rows(x[0], x[1], 2, x[2]); }},
    {"copy_into_columns", {{3, 5}, {3, 7}}, [](Operands& x) { copy_into_columns(x[0], 2, x[1]); }},
    {"add_from_columns", {{3, 7}, {3, 5}}, [](Operands& x) { add_from_columns(x[0], 2, x[1]); }},
    {"add_scaled_rows",
     {{3}, {3, 5}, {3, 5}},
     [](Operands& x) { add_scaled_rows(x[0], x[1], x[2]); }},
    {"gather_rows", {{4, 5}, {3, 5}}, [](Operands& x) { gather_rows(x[0], x.ids({3}), x[1]); }},
    {"scatter_add_rows",
     {{3, 5}, {4, 5}},
     [](Operands& x) { scatter_add_rows(x[0], x.ids({3}), x[1]); }},
    {"pick", {{3, 5}, {3}}, [](Operands& x) { pick(x[0], x.ids({3}), x[1]); }},
    {"top_k",
     {{3, 5}, {3, 2}},
     [](Operands& x) {
       top_k(x[0], 2, x[1], x.indices({3, 2}));
     }},
    {"log_softmax", {{3, 5}, {3, 5}}, [](Operands& x) { log_softmax(x[0], x[1]); }},
    {"log_softmax_of_columns",
     {{3, 5}, {3, 2}},
     [](Operands& x) {
       log_softmax_of_columns(x[0], x.ids({2}, 3), x.ids({1, 2}), x[1]);
     }},
    {"cross_entropy",
     {{3, 5}},
     [](Operands& x) { cross_entropy(x[0], x.ids({3}), Real(0.1), x.losses(3)); }},
    {"cross_entropy_in_place",
     {{3, 5}},
     [](Operands& x) { cross_entropy_in_place(x[0], x.ids({3}), Real(0.1), 1, x.losses(3)); }},
    {"sum_losses", {{1}}, [](Operands& x) { sum_losses(x.losses(3), x[0], x.sums(2)); }},
};

const std::vector<Case> kProducts = {
    {"gemm_packed",
     {{3, 5}, {3, 2}},
     [](Operands& x) { gemm_packed(x[0], packed(5, 2), x[1], true); }},
    {"gemm_packed with bias",
     {{3, 5}, {2}, {3, 2}},
     [](Operands& x) { gemm_packed(x[0], packed(5, 2), x[1], x[2]); }},
    {"gemm", {{3, 5}, {5, 2}, {3, 2}}, [](Operands& x) { gemm({x[0]}, {x[1]}, x[2], true); }},
};

const std::vector<Case> kCellsAndAttention = {
    {"gru_forward",
     {{4, 15}, {4, 15}, {4, 5}, {4, 15}, {4, 5}},
     [](Operands& x) { gru_forward(x[0], x[1], x[2], x.flags(4), x[3], x[4]); }},
    {"gru_backward",
     {{4, 5}, {4, 15}, {4, 15}, {4, 5}, {4, 15}, {4, 15}, {4, 5}},
     [](Operands& x) {
       gru_backward(x[0], {x[1], x[2], x[3], x.flags(4)}, x[4], x[5], x[6]);
     }},
    {"lstm_forward",
     {{4, 20}, {4, 5}, {4, 5}, {4, 20}, {4, 5}, {4, 5}},
     [](Operands& x) {
       lstm_forward(x[0], {x[1], x[2]}, x.flags(4), x[3], {x[4], x[5]});
     }},
    {"lstm_backward",
     {{4, 5}, {4, 5}, {4, 20}, {4, 5}, {4, 5}, {4, 20}, {4, 5}, {4, 5}},
     [](Operands& x) {
       lstm_backward({x[0], x[1]}, {x[2], x[3], x[4], x.flags(4)}, x[5], {x[6], x[7]});
     }},
    {"attention_forward",
     {{5}, {2, 4, 5}, {3, 4, 5}, {3, 4, 7}, {2, 4, 3}, {2, 4, 7}},
     [](Operands& x) {
       attention_forward({ScoreKind::additive, 1, x[0]}, {x[1], x[2], x[3]}, {x.ids({4}, 3), {}},
                         {x[4], x[5]});
     }},
    {"attention_forward of rows",
     {{9, 5}, {3, 4, 5}, {3, 4, 7}, {9, 3}, {9, 7}},
     [](Operands& x) {
       attention_forward({}, {x[0], x[1], x[2]}, {x.ids({4}, 3), x.ids({5}, 9)}, {x[3], x[4]});
     }},
    {"attention_backward",
     {{5},
      {2, 4, 5},
      {3, 4, 5},
      {3, 4, 7},
      {2, 4, 3},
      {2, 4, 3},
      {2, 4, 7},
      {2, 4, 5},
      {3, 4, 5},
      {3, 4, 7},
      {4, 5}},
     [](Operands& x) {
       attention_backward({ScoreKind::additive, 1, x[0]}, {x[1], x[2], x[3]}, {x.ids({4}, 3), {}},
                          x[4], {x[5], x[6]}, {x[7], x[8], x[9], x[10]});
     }},
};

const std::vector<Case> kOptimizers = {
    {"adam",
     {{7}, {7}, {7}, {7}},
     [](Operands& x) {
       adam(x[0], 1, {0.1, 0.9, 0.9, 1e-8, 0.1, 0.1}, x[1], x[2], x[3]);
     }},
    {"sgd",
     {{7}, {7}, {7}},
     [](Operands& x) {
       sgd(x[0], 1, {0.1, 0.9}, x[1], x[2]);
     }},
    {"adadelta",
     {{7}, {7}, {7}, {7}},
     [](Operands& x) {
       adadelta(x[0], 1, {0.1, 0.9, 1e-6}, x[1], x[2], x[3]);
     }},
};

template <typename F>
void for_each_kernel(const F& f) {
  for (const auto* cases : {&kElementwise, &kRows, &kProducts, &kCellsAndAttention, &kOptimizers})
    for (const Case& kernel : *cases) {
      SCOPED_TRACE(kernel.name);
      f(kernel);
    }
}

// The message of the InternalError of a call; empty if it threw none.
std::string error_of(const Case& kernel, Operands& x) {
  try {
    kernel.call(x);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

Shape with_one_more(const Shape& shape, int axis) {
  std::vector<int64_t> extents;
  for (int i = 0; i < shape.rank(); ++i) extents.push_back(shape[i] + (i == axis ? 1 : 0));
  if (extents.size() == 1) return {extents[0]};
  if (extents.size() == 2) return {extents[0], extents[1]};
  return {extents[0], extents[1], extents[2]};
}

// One more row or one more column of any operand misses another one, if not both do.
TEST(Front, RefusesEachOperandOfAnotherShape) {
  for_each_kernel([](const Case& kernel) {
    for (size_t i = 0; i < kernel.shapes.size(); ++i) {
      std::string message;
      for (const int axis : {0, kernel.shapes[i].rank() - 1}) {
        Operands x(kernel.shapes, Device::cpu);
        x[i].shape = with_one_more(x[i].shape, axis);
        message += error_of(kernel, x);
      }
      EXPECT_NE(message, "") << "operand " << i;
      EXPECT_NE(message.find("Received"), std::string::npos) << message;
    }
  });
}

TEST(Front, RefusesOperandsOnDifferentDevices) {
  for_each_kernel([](const Case& kernel) {
    for (size_t i = 0; i < kernel.shapes.size(); ++i) {
      Operands x(kernel.shapes, Device::cpu);
      x[i].device = Device::cuda;
      const std::string message = error_of(kernel, x);
      // The packed matrices are on the CPU.
      EXPECT_TRUE(message.find("one device") != std::string::npos ||
                  message.find("no backend") != std::string::npos)
          << "operand " << i << ": " << message;
    }
  });
}

TEST(Front, SaysThatABuildHasNoBackend) {
  for_each_kernel([](const Case& kernel) {
    Operands x(kernel.shapes, Device::cuda);
    const std::string message = error_of(kernel, x);
    if (std::string(kernel.name).starts_with("gemm_packed")) {
      EXPECT_NE(message.find("one device"), std::string::npos) << message;
    } else {
      EXPECT_NE(message.find("no backend for a GPU"), std::string::npos) << message;
    }
  });
  test::Numbers y({3});
  Tensor on_gpu = y;
  on_gpu.device = Device::cuda;
  EXPECT_THROW(fill(on_gpu, 1), InternalError);
  EXPECT_THROW(PackedMatrix().pack(on_gpu.reshaped({3, 1}), false), InternalError);
}

TEST(Front, CountsTheWorkOfEveryKernel) {
  for_each_kernel([](const Case& kernel) {
    Operands x(kernel.shapes, Device::cpu);
    const Work before = work_done();
    ASSERT_EQ(error_of(kernel, x), "");
    EXPECT_GT((work_done() - before).bytes, 0);
  });
}

}  // namespace
}  // namespace heed::kernels
