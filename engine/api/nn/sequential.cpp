#include "fusescope/nn/layers.hpp"

namespace fusescope::nn {

SequentialCell::SequentialCell(std::vector<std::unique_ptr<Cell>> cells) : Cell("SequentialCell") {
    for (auto& cell : cells) append(std::move(cell));
}

void SequentialCell::append(std::unique_ptr<Cell> cell) {
    add(std::to_string(owned_.size()), *cell);
    owned_.push_back(std::move(cell));
}

Tensor SequentialCell::construct(const Tensor& x) {
    Tensor y = x;
    for (auto& cell : owned_) y = (*cell)(y);
    return y;
}

}  // namespace fusescope::nn
