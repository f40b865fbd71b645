#include "engine/core/broadcast.hpp"
#include "engine/ops/matmul_shape.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

std::string axis_words(const char* side, int rank, bool transposed, bool left) {
    // The inner axis is the last on the left and the one before it on the right, swapped by transposition.
    if (rank == 1) return std::string("the length of ") + side;
    const bool last = left != transposed;
    return "axis " + std::to_string(last ? rank - 1 : rank - 2) + " of " + side;
}

[[noreturn]] void inner_mismatch(std::string_view op, const Shape& a, const Shape& b, bool ta, bool tb, std::int64_t ka,
                                 std::int64_t kb) {
    std::string text = std::string(op) + ": " + axis_words("the left operand", a.rank(), ta, true) + " is " +
                       std::to_string(ka) + ", but " + axis_words("the right operand", b.rank(), tb, false) + " is " +
                       std::to_string(kb) + "; they must be equal (left " + to_string(a) +
                       (ta && a.rank() > 1 ? " transposed" : "") + ", right " + to_string(b) +
                       (tb && b.rank() > 1 ? " transposed" : "") + ")";
    const auto last = [](const Shape& s) { return s[s.size() - 1]; };
    const auto before = [](const Shape& s) { return s[s.size() - 2]; };
    std::string advice = "the last extent of the left operand must equal the second last of the right one";
    if (b.rank() > 1 && (tb ? before(b) : last(b)) == ka) {
        advice =
            tb ? "the right operand fits as it is: leave out transpose_b"
               : "the right operand fits transposed, as a weight of shape (out, in) does: pass transpose_b=True or "
                 "swap its last two axes";
    } else if (a.rank() > 1 && (ta ? last(a) : before(a)) == kb) {
        advice = ta ? "the left operand fits as it is: leave out transpose_a"
                    : "the left operand fits transposed: pass transpose_a=True or swap its last two axes";
    } else if (a.rank() > 2 && a.count() > 0 && a[0] != 0 && a.count() / a[0] == kb) {
        advice = "flatten the left operand to (" + std::to_string(a[0]) + ", " + std::to_string(kb) + ") first";
    }
    throw UserError(ErrorKind::shape, std::string(op), text, {to_string(a), to_string(b)}, advice);
}

}  // namespace

MatMulPlan plan_matmul(std::string_view op, const Shape& a, const Shape& b, bool transpose_a, bool transpose_b) {
    if (a.rank() == 0 || b.rank() == 0) {
        throw UserError(ErrorKind::shape, std::string(op),
                        std::string(op) + ": both operands need at least one axis, but their shapes are " +
                            to_string(a) + " and " + to_string(b),
                        {to_string(a), to_string(b)}, "use ops.mul to multiply by a number");
    }
    MatMulPlan out;
    cpu::MatMulShape& p = out.shape;
    p.transpose_a = transpose_a && a.rank() > 1;
    p.transpose_b = transpose_b && b.rank() > 1;
    const auto extent = [](const Shape& s, int from_end) { return s[s.size() - static_cast<std::size_t>(from_end)]; };
    const std::int64_t rows_a = a.rank() == 1 ? 1 : extent(a, 2), columns_a = extent(a, 1);
    const std::int64_t rows_b = b.rank() == 1 ? b[0] : extent(b, 2), columns_b = b.rank() == 1 ? 1 : extent(b, 1);
    p.m = p.transpose_a ? columns_a : rows_a;
    p.k = p.transpose_a ? rows_a : columns_a;
    p.n = p.transpose_b ? rows_b : columns_b;
    const std::int64_t kb = p.transpose_b ? columns_b : rows_b;
    if (p.k != kb) inner_mismatch(op, a, b, transpose_a, transpose_b, p.k, kb);
    for (int i = 0; i + 2 < a.rank(); ++i) p.batch_a.push_back(a[static_cast<std::size_t>(i)]);
    for (int i = 0; i + 2 < b.rank(); ++i) p.batch_b.push_back(b[static_cast<std::size_t>(i)]);
    if (p.batch_a != p.batch_b && !broadcast(p.batch_a, p.batch_b)) {
        throw UserError(
            ErrorKind::shape, std::string(op),
            std::string(op) + ": the leading axes " + to_string(p.batch_a) + " and " + to_string(p.batch_b) +
                " do not broadcast (shapes " + to_string(a) + " and " + to_string(b) + ")",
            {to_string(a), to_string(b)},
            "all axes but the last two are aligned from the right; each pair must be equal or one of them 1");
    }
    p.batch = p.batch_a == p.batch_b ? p.batch_a : *broadcast(p.batch_a, p.batch_b);
    out.result = p.batch;
    if (a.rank() > 1) out.result.push_back(p.m);
    if (b.rank() > 1) out.result.push_back(p.n);
    return out;
}

}  // namespace fusescope
