// A vector of fixed capacity, stored in place: no heap, trivially copyable.
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace deckatlas {

template <class T, std::size_t Capacity>
class FixedVector {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    static constexpr std::size_t kCapacity = Capacity;

    // Items are constructed when they are pushed: for a short-lived vector, constructing all of them would cost the
    // most. Only constant evaluation, which cannot read uninitialized items, constructs all of them.
    constexpr FixedVector() : storage_(std::is_constant_evaluated() ? Storage(All{}) : Storage()) {}

    constexpr void push_back(const T& value) {
        assert(size_ < Capacity);
        std::construct_at(&storage_.items[size_], value);
        ++size_;
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
        return storage_.items[i];
    }
    constexpr T& operator[](std::size_t i) {
        assert(i < size_);
        return storage_.items[i];
    }
    constexpr const T* begin() const { return storage_.items; }
    constexpr const T* end() const { return storage_.items + size_; }
    constexpr T* begin() { return storage_.items; }
    constexpr T* end() { return storage_.items + size_; }

private:
    struct All {};
    union Storage {
        constexpr Storage() {}
        constexpr explicit Storage(All) : items{} {}
        T items[Capacity];
    };

    Storage storage_;
    std::size_t size_ = 0;
};

}  // namespace deckatlas
