#include "engine/expr/sym.hpp"

#include <bit>

namespace fusescope::expr {
namespace {
thread_local SymBuilder* innermost = nullptr;
}

SymBuilder::SymBuilder(int inputs) : outer_(innermost) {
    program_.inputs = inputs;
    innermost = this;
}

SymBuilder::~SymBuilder() { innermost = outer_; }

SymBuilder& SymBuilder::current() noexcept { return *innermost; }

std::int16_t SymBuilder::append(const Step& s) {
    // Bodies are a few dozen steps, so a linear look-up is the quickest.
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
        const Step& t = program_.steps[i];
        if (t.ins == s.ins && t.type == s.type && t.a == s.a && t.b == s.b && t.c == s.c && t.imm_int == s.imm_int &&
            std::bit_cast<std::uint64_t>(t.imm) == std::bit_cast<std::uint64_t>(s.imm)) {
            return static_cast<std::int16_t>(i);
        }
    }
    program_.steps.push_back(s);
    return static_cast<std::int16_t>(program_.steps.size() - 1);
}

}  // namespace fusescope::expr
