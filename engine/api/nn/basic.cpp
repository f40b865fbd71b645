// Dropout, Flatten and Embedding.
#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"
#include "fusescope/nn/layers.hpp"
#include "fusescope/op_call.hpp"

namespace fusescope::nn {

Dropout::Dropout(double p) : Cell("Dropout"), p_(p) {
    if (!(p >= 0 && p < 1)) {
        throw UserError(ErrorKind::value, "Dropout", "Dropout: p must be in [0, 1), but it is " + std::to_string(p));
    }
}

Tensor Dropout::construct(const Tensor& x) {
    static const Op dropout("Dropout");
    return training() && p_ > 0 ? dropout.many({x}, {p_, true})[0] : x;
}

Tensor Flatten::construct(const Tensor& x) {
    static const Op flatten("Flatten");
    return flatten.one({x});
}

Embedding::Embedding(std::int64_t vocab_size, std::int64_t embedding_size)
    : Cell("Embedding"), embedding_size_(embedding_size) {
    static const Op normal("Normal");
    table_ = add("embedding_table", normal.one({}, {Ints{vocab_size, embedding_size}, 0.0, 0.01}));
}

Tensor Embedding::construct(const Tensor& x) {
    const Tensor rows = lang::gather(table_, lang::reshape(x, {x.count()}), 0);
    Shape shape = x.shape();
    shape.push_back(embedding_size_);
    return lang::reshape(rows, shape);
}

}  // namespace fusescope::nn
