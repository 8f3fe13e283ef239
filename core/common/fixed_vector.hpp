// A vector of fixed capacity, kept where it is declared: no heap, trivially copyable.
#pragma once

#include <cassert>
#include <cstddef>

namespace deckatlas {

template <class T, std::size_t Capacity>
class FixedVector {
public:
    static constexpr std::size_t kCapacity = Capacity;

    constexpr void push_back(const T& value) {
        assert(size_ < Capacity);
        items_[size_++] = value;
    }
    constexpr void pop_back() {
        assert(size_ > 0);
        --size_;
    }
    constexpr void clear() { size_ = 0; }
    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr const T& operator[](std::size_t i) const {
        assert(i < size_);
        return items_[i];
    }
    constexpr T& operator[](std::size_t i) {
        assert(i < size_);
        return items_[i];
    }
    constexpr const T* begin() const { return items_; }
    constexpr const T* end() const { return items_ + size_; }
    constexpr T* begin() { return items_; }
    constexpr T* end() { return items_ + size_; }

private:
    T items_[Capacity];
    std::size_t size_ = 0;
};

}  // namespace deckatlas
