// What a check leaves for somebody to look at: the answer, which is written anew whenever there is news, the tensors
// that differ as .npy files, and the profiles of the two runs.
#pragma once

#include <cstdint>
#include <string>

#include "profiler/check/log.hpp"
#include "profiler/check/result.hpp"

namespace fusescope::check {

class KeptFolder {
 public:
    static constexpr const char* kAnswer = "check.json";
    static constexpr const char* kEagerProfile = "eager.fscope";
    static constexpr const char* kGraphProfile = "graph.fscope";

    /// Makes the folder unless it is there; throws WriteError. `budget`: bytes of tensors.
    KeptFolder(std::string path, std::uint64_t budget);

    std::string path_of(const std::string& name) const { return path_ + "/" + name; }
    bool has(const std::string& name) const;
    /// Gives the file's name; empty when the bytes are not there or are too many. BFloat16 is written as its bits, a
    /// type that numpy knows ('<u2').
    std::string keep(const std::string& name, const Value& value);
    void write(const CheckResult& result) const;

 private:
    std::string path_;
    std::uint64_t left_;
};

}  // namespace fusescope::check
