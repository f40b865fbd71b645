// Where exports and reports are written: a buffered sink that never loses an error, onto a file that appears whole or
// not at all.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace fusescope {

/// A file could not be written; what() says which and why.
class WriteError : public std::runtime_error {
 public:
    WriteError(const std::string& message, int error) : std::runtime_error(message), error_number(error) {}
    int error_number;  ///< errno; EPIPE means that the reader has gone, which needs no words
};

/// Takes text in pieces. Not for use from several threads.
class Sink {
 public:
    virtual ~Sink() = default;
    void write(std::string_view text) {
        buffer_.append(text);
        if (buffer_.size() >= kFlushAt) flush();
    }
    Sink& operator<<(std::string_view text) {
        write(text);
        return *this;
    }
    /// Hands everything on; throws WriteError.
    void flush() {
        put(buffer_);
        buffer_.clear();
    }

 protected:
    virtual void put(std::string_view text) = 0;

 private:
    static constexpr std::size_t kFlushAt = 1 << 18;
    std::string buffer_;
};

class StringSink : public Sink {
 public:
    std::string take() {
        flush();
        return std::move(text_);
    }

 protected:
    void put(std::string_view text) override { text_.append(text); }

 private:
    std::string text_;
};

/// A file descriptor owned by somebody else, such as standard output.
class DescriptorSink : public Sink {
 public:
    DescriptorSink(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

 protected:
    void put(std::string_view text) override;

 private:
    int descriptor_;
    std::string name_;
};

/// Writes beside `path` under a temporary name; commit() renames it into place. Without commit the temporary file goes
/// and whatever was at `path` stays as it was. A path that is no regular file (/dev/stdout, a pipe) is written
/// directly.
class FileSink : public Sink {
 public:
    explicit FileSink(std::string path);
    ~FileSink() override;
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    void commit();

 protected:
    void put(std::string_view text) override;

 private:
    [[noreturn]] void fail(int error) const;
    std::string path_;
    std::string target_;     ///< path_ with symbolic links followed
    std::string temporary_;  ///< empty when written directly
    int descriptor_ = -1;
};

}  // namespace fusescope
