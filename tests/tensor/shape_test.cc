#include "tensor/shape.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace heed {
namespace {

TEST(Shape, CountsElementsRowsAndColumns) {
  const Shape shape{3, 80, 512};
  EXPECT_EQ(shape.rank(), 3);
  EXPECT_EQ(shape.size(), 122880);
  EXPECT_EQ(shape.rows(), 240);
  EXPECT_EQ(shape.last(), 512);
  EXPECT_EQ(shape.text(), "[3, 80, 512]");
}

TEST(Shape, OfAScalarHasOneElement) {
  const Shape scalar;
  EXPECT_EQ(scalar.rank(), 0);
  EXPECT_EQ(scalar.size(), 1);
  EXPECT_EQ(scalar.rows(), 1);
  EXPECT_EQ(scalar.last(), 1);
  EXPECT_EQ(scalar.text(), "[]");
}

TEST(Shape, WithAnEmptyAxisHasNoElements) {
  EXPECT_EQ((Shape{4, 0}).size(), 0);
  EXPECT_EQ((Shape{4, 0}).rows(), 4);
  EXPECT_EQ((Shape{0, 4}).size(), 0);
}

TEST(Shape, SizeDoesNotOverflow32Bits) { EXPECT_EQ((Shape{100000, 80000}).size(), 8000000000); }

TEST(Shape, IsEqualOnlyWithTheSameRankAndExtents) {
  EXPECT_EQ((Shape{2, 3}), (Shape{2, 3}));
  EXPECT_NE((Shape{2, 3}), (Shape{3, 2}));
  EXPECT_NE((Shape{2, 3}), (Shape{2, 3, 1}));
  EXPECT_NE(Shape{}, Shape{1});
}

TEST(Shape, RefusesNegativeExtentsAndTooManyAxes) {
  EXPECT_THROW((Shape{2, -1}), InternalError);
  EXPECT_THROW((Shape{1, 1, 1, 1, 1}), InternalError);
}

TEST(Tensor, IsEmptyWithoutData) { EXPECT_TRUE(Tensor{}.empty()); }

TEST(Tensor, ElementsAndSlicesAreViewsOfTheSameElements) {
  std::vector<Real> numbers(24);
  const Tensor x{numbers.data(), {4, 3, 2}};
  EXPECT_FALSE(x.empty());
  const Tensor row = x.at(2);
  EXPECT_EQ(row.data, numbers.data() + 12);
  EXPECT_EQ(row.shape, (Shape{3, 2}));
  EXPECT_EQ(row.at(1).at(1).shape, Shape{});
  EXPECT_EQ(row.at(1).at(1).data, numbers.data() + 15);
  const Tensor part = x.slice(1, 3);
  EXPECT_EQ(part.data, numbers.data() + 6);
  EXPECT_EQ(part.shape, (Shape{2, 3, 2}));
  EXPECT_EQ(x.slice(4, 4).size(), 0);
  EXPECT_EQ((Tensor{numbers.data(), {2, 3, 2, 2}}).slice(1, 2).shape, (Shape{1, 3, 2, 2}));
}

TEST(Tensor, IsReshapedToAnEqualSizeOnly) {
  std::vector<Real> numbers(24);
  const Tensor x{numbers.data(), {4, 3, 2}};
  EXPECT_EQ(x.reshaped({12, 2}).shape, (Shape{12, 2}));
  EXPECT_EQ(x.reshaped({12, 2}).data, numbers.data());
  EXPECT_THROW(x.reshaped({5, 5}), InternalError);
}

TEST(Tensor, RefusesIndicesOutsideItsFirstAxis) {
  std::vector<Real> numbers(6);
  const Tensor x{numbers.data(), {3, 2}};
  EXPECT_THROW(x.at(3), InternalError);
  EXPECT_THROW(x.at(-1), InternalError);
  EXPECT_THROW(x.slice(2, 1), InternalError);
  EXPECT_THROW(x.slice(0, 4), InternalError);
  EXPECT_THROW(x.at(0).at(0).at(0), InternalError);
}

}  // namespace
}  // namespace heed
