// A vector of trivially copyable elements that keeps the first N inline.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>

namespace fusescope {

template <class T, std::size_t N>
class SmallVector {
    static_assert(std::is_trivially_copyable_v<T>);

 public:
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;

    SmallVector() noexcept = default;
    explicit SmallVector(std::size_t n, T fill = T{}) { resize(n, fill); }
    SmallVector(std::initializer_list<T> init) { assign(init.begin(), init.end()); }
    explicit SmallVector(std::span<const T> from) { assign(from.data(), from.data() + from.size()); }
    template <class It>
    requires(!std::is_integral_v<It>) SmallVector(It first, It last) { assign(first, last); }
    SmallVector(const SmallVector& o) { assign(o.begin(), o.end()); }
    SmallVector(SmallVector&& o) noexcept { steal(o); }
    SmallVector& operator=(const SmallVector& o) {
        if (this != &o) assign(o.begin(), o.end());
        return *this;
    }
    SmallVector& operator=(SmallVector&& o) noexcept {
        if (this != &o) {
            release();
            steal(o);
        }
        return *this;
    }
    ~SmallVector() { release(); }

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    T* data() noexcept { return heap_ ? heap_ : inline_; }
    const T* data() const noexcept { return heap_ ? heap_ : inline_; }
    T* begin() noexcept { return data(); }
    T* end() noexcept { return data() + size_; }
    const T* begin() const noexcept { return data(); }
    const T* end() const noexcept { return data() + size_; }
    T& operator[](std::size_t i) noexcept { return data()[i]; }
    const T& operator[](std::size_t i) const noexcept { return data()[i]; }
    T& back() noexcept { return data()[size_ - 1]; }
    const T& back() const noexcept { return data()[size_ - 1]; }
    T& front() noexcept { return *data(); }
    const T& front() const noexcept { return *data(); }
    operator std::span<const T>() const noexcept { return {data(), size_}; }

    void clear() noexcept { size_ = 0; }
    void push_back(T v) {
        reserve(size_ + 1);
        data()[size_++] = v;
    }
    void pop_back() noexcept { --size_; }
    void resize(std::size_t n, T fill = T{}) {
        reserve(n);
        for (std::size_t i = size_; i < n; ++i) data()[i] = fill;
        size_ = static_cast<std::uint32_t>(n);
    }
    void reserve(std::size_t n) {
        if (n <= capacity_) return;
        std::size_t grown = std::max<std::size_t>(n, capacity_ * 2);
        T* bigger = new T[grown];
        std::copy(begin(), end(), bigger);
        release();
        heap_ = bigger;
        capacity_ = static_cast<std::uint32_t>(grown);
    }
    template <class It>
    void assign(It first, It last) {
        size_ = 0;
        reserve(static_cast<std::size_t>(last - first));
        T* out = data();
        for (; first != last; ++first) out[size_++] = static_cast<T>(*first);
    }
    iterator insert(const_iterator at, T v) {
        std::size_t i = static_cast<std::size_t>(at - begin());
        push_back(v);
        std::rotate(begin() + i, end() - 1, end());
        return begin() + i;
    }
    iterator erase(const_iterator at) {
        std::size_t i = static_cast<std::size_t>(at - begin());
        std::copy(begin() + i + 1, end(), begin() + i);
        --size_;
        return begin() + i;
    }

    friend bool operator==(const SmallVector& a, const SmallVector& b) noexcept {
        return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
    }

 private:
    void release() noexcept {
        delete[] heap_;
        heap_ = nullptr;
        capacity_ = N;
    }
    void steal(SmallVector& o) noexcept {
        size_ = o.size_;
        capacity_ = o.capacity_;
        heap_ = o.heap_;
        if (!heap_) std::copy(o.inline_, o.inline_ + size_, inline_);
        o.heap_ = nullptr;
        o.capacity_ = N;
        o.size_ = 0;
    }

    T* heap_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = N;
    T inline_[N];
};

}  // namespace fusescope
