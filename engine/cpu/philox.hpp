// Random numbers by counter (Philox-4x32-10, Salmon and others 2011): block i of a stream is a function of the key and
// i alone, so that any thread can make any part and all make the same.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "engine/ir/op_def.hpp"

namespace fusescope::cpu {

/// The stream of one execution of one op. Block b has elements 4b … 4b+3.
class Philox {
 public:
    explicit Philox(const RandomState& state) noexcept : seed_(state.seed), op_(state.op_number) {}

    std::array<std::uint32_t, 4> block(std::uint64_t b) const noexcept {
        std::uint32_t x[4] = {static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32),
                              static_cast<std::uint32_t>(op_), static_cast<std::uint32_t>(op_ >> 32)};
        std::uint32_t key[2] = {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)};
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t p = std::uint64_t{0xD2511F53u} * x[0];
            const std::uint64_t q = std::uint64_t{0xCD9E8D57u} * x[2];
            const std::uint32_t next[4] = {
                static_cast<std::uint32_t>(q >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(q),
                static_cast<std::uint32_t>(p >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(p)};
            for (int k = 0; k < 4; ++k) x[k] = next[k];
            key[0] += 0x9E3779B9u;
            key[1] += 0xBB67AE85u;
        }
        return {x[0], x[1], x[2], x[3]};
    }

    /// In [0, 1), 24 bits.
    static float unit(std::uint32_t bits) noexcept { return static_cast<float>(bits >> 8) * 0x1p-24f; }

    /// Two independent standard normals of two draws (Box and Muller).
    static std::array<double, 2> normals(std::uint32_t a, std::uint32_t b) noexcept {
        // In (0, 1], so that the logarithm is finite.
        const double u = (static_cast<double>(a) + 1.0) * 0x1p-32;
        const double v = static_cast<double>(b) * 0x1p-32;
        const double radius = std::sqrt(-2.0 * std::log(u));
        return {radius * std::cos(6.283185307179586 * v), radius * std::sin(6.283185307179586 * v)};
    }

 private:
    std::uint64_t seed_, op_;
};

}  // namespace fusescope::cpu
