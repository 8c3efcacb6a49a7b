// Operator new, counting: in a unit of its own, where no compiler can look through it.
#include "counting_new.hpp"

#include <cstdlib>
#include <new>

thread_local long allocations = 0;

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
