// The processor's clock while it works, in GHz: each addition waits for the one before, one a
// cycle. Turns nanoseconds into cycles where counters are out of reach, as in most virtual
// machines.
#include <algorithm>
#include <cstdio>
#include <ctime>

int main() {
  constexpr long additions = 100'000'000;
  unsigned long x = 0;
  double best = 0;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const std::clock_t start = std::clock();
    for (long i = 0; i < additions; ++i) {
      asm volatile("" : "+r"(x));  // hides the value: the sum can't be worked out ahead
      x += 1;
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::max(best, static_cast<double>(additions) / seconds / 1e9);
  }
  std::printf("%.2f\n", best);
}
