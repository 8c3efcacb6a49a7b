// Searches: the request checked, the work off the GIL, the result as a dict.
#include "boundary.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <kibitz/search/analysis.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/tree.hpp>

namespace kibitz::boundary {

namespace {

bool on_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

std::vector<std::uint64_t> iterations_from(const py::object& given, int threads) {
  std::vector<std::uint64_t> out;
  if (given.is_none()) return out;
  const auto count = static_cast<std::uint64_t>(threads);
  if (py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given)) {
    for (const py::handle item : given)
      out.push_back(number_from(item, "iterations", 0, max_iterations));
    if (out.size() != count)
      throw Failure({FaultKind::invalid_option,
                     "iterations lists " + std::to_string(out.size()) + " numbers for " +
                         std::to_string(count) + " threads.",
                     {},
                     {},
                     {}});
    return out;
  }
  const std::uint64_t all = number_from(given, "iterations", 1, max_iterations);
  for (std::uint64_t t = 0; t < count; ++t) out.push_back(all / count + (t < all % count ? 1 : 0));
  return out;
}

double positive_from(const py::object& given, const char* what, double most) {
  const double number = double_from(given);
  if (number > 0 && number <= most) return number;
  throw Failure({FaultKind::invalid_option,
                 std::string(what) + " is " + shown(given) +
                     "; it must be a number above 0 and at most " +
                     std::to_string(static_cast<long long>(most)) + ".",
                 shown(given),
                 {},
                 {}});
}

py::list line_list(const std::vector<LineStep>& line) {
  py::list out;
  for (const LineStep& step : line) out.append(py::make_tuple(step.turn.value(), step.seen.code));
  return out;
}

py::dict result_dict(const AnyView& view, const Analysis& analysis, const Request& request) {
  py::dict out;
  py::list rows;
  for (const Row& row : analysis.rows) {
    py::dict entry;
    entry["move"] = row.move.code;
    entry["visits"] = row.visits;
    entry["mean"] = row.mean();
    if (row.fresh() >= 2)
      entry["se"] = row.se();
    else
      entry["se"] = py::none();
    entry["line"] = line_list(row.line);
    entry["exact"] = py::none();
    if (row.proven) entry["exact"] = static_cast<double>(row.exact) / utility_unit;
    rows.append(entry);
  }
  std::uint64_t iterations = 0;
  for (const std::uint64_t n : analysis.iterations) iterations += n;
  std::uint64_t reused = 0;
  for (const Row& row : analysis.rows) reused += row.reused;
  const Row& best = analysis.rows[analysis.best];
  out["search"] = method_names[static_cast<std::size_t>(request.method)];
  out["move"] = best.move.code;
  out["moves"] = rows;
  out["line"] = line_list(best.line);
  out["iterations"] = iterations;
  out["iterations_by_thread"] = analysis.iterations;
  out["reused"] = reused;
  out["worlds"] = analysis.worlds;
  out["nodes"] = analysis.nodes;
  out["bytes"] = analysis.bytes;
  out["depth"] = analysis.depth;
  out["full"] = analysis.full;
  out["pruned"] = analysis.pruned;
  out["stake"] = py::none();
  if (analysis.stake.known())
    out["stake"] = py::make_tuple(analysis.stake.mean(0), analysis.stake.mean(1));
  out["seconds"] = analysis.seconds;
  out["reason"] = reason_names[static_cast<std::size_t>(analysis.reason)];
  out["forced"] = view.game()->moves(view).size() == 1;
  out["seed"] = request.seed;
  out["threads"] = request.threads;
  out["playout"] = policy_names[static_cast<std::size_t>(request.playout)];
  out["utility"] = utility_names[static_cast<std::size_t>(request.utility)];
  return out;
}

// How long to search. A deadline counts from `start`.
void limit(Request& request, Clock::time_point start, const py::object& iterations,
           const py::object& ms, const py::object& nodes) {
  request.iterations = iterations_from(iterations, request.threads);
  if (!nodes.is_none()) request.nodes = number_from(nodes, "nodes", 1);
  if (!ms.is_none()) {
    // A little is kept back for the way home: reading the tree, the GIL, the dict.
    const double given = positive_from(ms, "ms", 1e10);
    const double kept = given < 10 ? given / 20 : 0.5 + given / 200;
    request.timed = true;
    request.deadline = start + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double, std::milli>(given - kept));
  }
}

// How to search; for how long, `limit` says.
Request request_from(const AnyView& view, const Text& method, const py::object& max_bytes,
                     const py::object& seed, const py::object& threads, const Text& playout,
                     const Text& utility, const py::object& exploration) {
  Request request;
  request.method =
      static_cast<Method>(word_from(method, "search", method_names, std::size(method_names)));
  request.playout = static_cast<PlayoutPolicy>(
      word_from(playout, "playout", policy_names, std::size(policy_names)));
  request.utility = static_cast<UtilityKind>(
      word_from(utility, "utility", utility_names, std::size(utility_names)));
  request.threads = static_cast<int>(number_from(threads, "threads", 1, 256));
  request.seed = number_from(seed, "seed", 0);
  if (!max_bytes.is_none()) {
    const int trees =
        request.threads * (request.method == Method::moismcts ? view.game()->seats() : 1);
    request.bytes = number_from(
        max_bytes, "max_bytes",
        std::max<std::uint64_t>(1 << 20, static_cast<std::uint64_t>(trees) * least_tree_bytes),
        std::uint64_t{1} << 40);
  }
  if (!exploration.is_none()) request.exploration = positive_from(exploration, "exploration", 1000);
  if (request.method == Method::mcts && !view.game()->facts().open)
    throw Failure({FaultKind::invalid_option,
                   "mcts is for games in which nothing is hidden, and in " +
                       view.game()->facts().slug +
                       " something is; ismcts and moismcts are for both.",
                   {},
                   {"ismcts", "moismcts", "flat"},
                   {}});
  return request;
}

using Codes = std::optional<std::vector<Code>>;

// The root moves to choose between; none for all legal ones.
std::vector<Move> allowed_from(const Codes& allow) {
  if (allow && allow->empty())
    throw Failure({FaultKind::invalid_option,
                   "allow lists no move; leave it out to choose from all legal moves.",
                   {},
                   {},
                   {}});
  std::vector<Move> moves;
  if (allow)
    for (const Code move : *allow) moves.push_back({move.value});
  return moves;
}

py::dict search(const AnyView& view, const Text& method, const py::object& iterations,
                const py::object& ms, const py::object& nodes, const py::object& max_bytes,
                const py::object& seed, const py::object& threads, const Text& playout,
                const Text& utility, const py::object& exploration,
                const std::shared_ptr<Control>& stop, const Codes& allow,
                const std::optional<py::dict>& tuning, const py::object& evaluator,
                const py::object& batch) {
  const auto start = Clock::now();
  Request request =
      request_from(view, method, max_bytes, seed, threads, playout, utility, exploration);
  limit(request, start, iterations, ms, nodes);
  if (tuning) request.tuning = tuning_from(*tuning, request);
  request.allow = allowed_from(allow);
  const bool policy = request.method == Method::random || request.method == Method::greedy;
  const bool limited = !request.iterations.empty() || request.timed || request.nodes != 0;
  request.stop_when_full = !limited;
  if (!policy && !limited && max_bytes.is_none())
    throw Failure({FaultKind::invalid_option,
                   "no budget: give iterations, ms, nodes or max_bytes, so that the search knows "
                   "when to end.",
                   {},
                   {"iterations", "ms", "nodes", "max_bytes"},
                   {}});
  if (request.method == Method::flat && !policy && request.iterations.empty() && !request.timed)
    throw Failure({FaultKind::invalid_option,
                   "flat search builds no tree: give it iterations or ms.",
                   {},
                   {"iterations", "ms"},
                   {}});

  Calls calls;
  std::unique_ptr<Evaluator> judge;
  if (request.method == Method::puct && evaluator.is_none())
    throw Failure({FaultKind::invalid_option,
                   "puct needs an evaluator, a Python function that judges positions.",
                   {},
                   {"evaluator"},
                   {}});
  if (request.method == Method::puct) {
    judge = evaluator_from(view.game(), evaluator, calls);
    request.evaluator = judge.get();
    request.batch = static_cast<std::uint32_t>(number_from(batch, "batch", 1, max_batch));
  } else if (!evaluator.is_none()) {
    throw Failure(
        {FaultKind::invalid_option, method + " takes no evaluator; puct does.", {}, {"puct"}, {}});
  }

  Analysis analysis;
  const auto work = [&](const Control& control) {
    analysis = view.game()->analyse(view, request, control);
  };
  // Advice and forced moves take less time than starting a thread. An evaluator is called by this
  // one while another searches.
  const bool forced = request.allow.empty() && view.game()->moves(view).size() <= 1;
  if (policy || (forced && !judge))
    work(Control{});
  else
    run_interruptible(stop.get(), work, calls);
  analysis.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result_dict(view, analysis, request);
}

template <class Work>
auto without_gil(Work&& work) {
  const py::gil_scoped_release release;
  return work();
}

// A search that lives on, as Python holds it.
class Search {
 public:
  Search(const AnyView& view, const Text& method, const py::object& max_bytes,
         const py::object& seed, const py::object& threads, const Text& playout,
         const Text& utility, const py::object& exploration, const std::optional<py::dict>& tuning,
         const Codes& allow)
      : request_(
            request_from(view, method, max_bytes, seed, threads, playout, utility, exploration)) {
    if (request_.method == Method::random || request_.method == Method::greedy)
      throw Failure({FaultKind::invalid_option,
                     std::string(method) + " plays without searching: there is nothing to look at.",
                     std::string(method),
                     {"ismcts", "moismcts", "mcts", "pimc", "flat"},
                     {}});
    if (request_.method == Method::puct)
      throw Failure(
          {FaultKind::invalid_option,
           "puct asks Python as it goes and does not run in the background; use best_move "
           "or a Bot.",
           "puct",
           {"ismcts", "moismcts", "mcts", "pimc", "flat"},
           {}});
    if (tuning) request_.tuning = tuning_from(*tuning, request_);
    request_.allow = allowed_from(allow);
    search_ = view.game()->search(view, request_);
  }

  void run(const py::object& iterations, const py::object& ms, const py::object& nodes,
           const std::shared_ptr<Control>& stop) {
    Request limits = request_;
    limit(limits, Clock::now(), iterations, ms, nodes);
    run_interruptible(stop.get(), [&](const Control& control) { search_->run(limits, control); });
  }

  py::dict snapshot() {
    const AnyView view = without_gil([&] { return search_->view(); });
    const Analysis found = without_gil([&] { return search_->snapshot(); });
    return result_dict(view, found, request_);
  }

  void advance(const py::object& actor, Code seen) {
    const AnyView view = without_gil([&] { return search_->view(); });
    const Turn turn = actor_from(*view.game(), actor);
    without_gil([&] { search_->advance(turn, {seen.value}); });
  }

  std::uint64_t reused() const {
    return without_gil([&] { return search_->reused(); });
  }

 private:
  Request request_;
  std::unique_ptr<AnySearch> search_;
};

}  // namespace

void Calls::make(const std::function<void()>& function) {
  Call call{function};
  std::unique_lock lock(mutex_);
  if (refused_) throw Refused{};
  waiting_.push_back(&call);
  wake_.notify_one();
  answered_.wait(lock, [&] { return call.made || refused_; });
  if (!call.made) throw Refused{};
}

void run_interruptible(const Control* outer, const std::function<void(const Control&)>& work,
                       Calls& calls) {
  Control control;
  control.outer = outer;
  std::exception_ptr failure;  // of the work
  std::exception_ptr broken;   // of a call, or Ctrl-C
  const bool watches = on_main_thread();
  {
    py::gil_scoped_release release;
    std::jthread worker([&] {
      try {
        work(control);
      } catch (...) {
        failure = std::current_exception();
      }
      {
        const std::lock_guard lock(calls.mutex_);
        calls.done_ = true;
      }
      calls.wake_.notify_one();
    });
    std::unique_lock lock(calls.mutex_);
    while (!calls.done_) {
      calls.wake_.wait_for(lock, std::chrono::milliseconds(20),
                           [&] { return calls.done_ || !calls.waiting_.empty(); });
      if (calls.done_ || broken) continue;
      Calls::Call* call = nullptr;
      if (!calls.waiting_.empty()) {
        call = calls.waiting_.front();
        calls.waiting_.pop_front();
      }
      if (call == nullptr && !watches) continue;
      lock.unlock();
      {
        py::gil_scoped_acquire acquire;
        try {
          if (watches && PyErr_CheckSignals() != 0) throw py::error_already_set();
          if (call) call->function();
        } catch (...) {
          broken = std::current_exception();
          control.stop = true;
        }
      }
      lock.lock();
      if (broken) {
        calls.refused_ = true;
        calls.waiting_.clear();
      } else if (call) {
        call->made = true;
      }
      calls.answered_.notify_all();
    }
  }
  if (broken) std::rethrow_exception(broken);
  if (failure) std::rethrow_exception(failure);
}

void run_interruptible(const Control* outer, const std::function<void(const Control&)>& work) {
  Calls calls;
  run_interruptible(outer, work, calls);
}

void bind_search(py::module_& m) {
  m.def(
      "searches",
      [] { return std::vector<std::string>(std::begin(method_names), std::end(method_names)); },
      "searches() -> list[str]\n\nThe names of the searches.");
  m.def(
      "search", &search, py::arg("view"), py::kw_only(), py::arg("search"),
      py::arg("iterations") = py::none(), py::arg("ms") = py::none(), py::arg("nodes") = py::none(),
      py::arg("max_bytes") = py::none(), py::arg("seed") = 0, py::arg("threads") = 1,
      py::arg("playout") = "uniform", py::arg("utility") = "win+margin",
      py::arg("exploration") = py::none(), py::arg("stop") = py::none(),
      py::arg("allow") = py::none(), py::arg("tuning") = py::none(),
      py::arg("evaluator") = py::none(), py::arg("batch") = default_batch,
      R"doc(search(view: View, *, search: str, iterations: int | collections.abc.Sequence[int] | None = None, ms: float | None = None, nodes: int | None = None, max_bytes: int | None = None, seed: int = 0, threads: int = 1, playout: str = 'uniform', utility: str = 'win+margin', exploration: float | None = None, stop: Stop | None = None, allow: collections.abc.Sequence[int] | None = None, tuning: dict[str, float | bool] | None = None, evaluator: collections.abc.Callable[..., tuple[typing.Any, typing.Any]] | None = None, batch: int = 16) -> dict[str, typing.Any]

The strongest move from a view. Releases the GIL; Ctrl-C raises KeyboardInterrupt.

A list of iterations gives each thread's number; `allow` are the root moves to choose between. Keys of
the result: search, move, moves (in legal order: {move, visits, mean, se (None below two visits), line:
[(actor, move)]}), line, iterations, iterations_by_thread, worlds, nodes, pruned (of them given up at
max_bytes), bytes, depth, full (max_bytes was reached), seconds, reason ("iterations", "ms", "nodes",
"bytes", "stop", "single", "policy", "proven"), forced, stake (mean utility of the outcomes met that
were below and above the average, or None), seed, threads, playout, utility. `tuning` has first_play,
bias, rave, widening, halving, proofs, each where the search knows it. Raises InvalidOption, and
IllegalMove when it is not this seat's turn.

puct calls its evaluator, on the calling thread, with at most `batch` leaves: the view of each one's seat to
move, the codes of its legal moves (a row a leaf, 0 past the end), and those seats. It answers with priors (a
row a leaf, a column a move) and values (a row a leaf, a column a seat). What it raises, the search raises.)doc");

  py::class_<Search> live(m, "Search",
                          "A search that lives on: run again, looked at meanwhile, moved along.");
  refuse_bare_new(live);
  live.def(
          py::init<const AnyView&, const Text&, const py::object&, const py::object&,
                   const py::object&, const Text&, const Text&, const py::object&,
                   const std::optional<py::dict>&, const Codes&>(),
          py::arg("view"), py::kw_only(), py::arg("search"), py::arg("max_bytes") = py::none(),
          py::arg("seed") = 0, py::arg("threads") = 1, py::arg("playout") = "uniform",
          py::arg("utility") = "win+margin", py::arg("exploration") = py::none(),
          py::arg("tuning") = py::none(), py::arg("allow") = py::none(),
          "__init__(self, view: View, *, search: str, max_bytes: int | None = None, seed: int = 0, "
          "threads: int = 1, playout: str = 'uniform', utility: str = 'win+margin', exploration: "
          "float | None = None, tuning: dict[str, float | bool] | None = None, allow: "
          "collections.abc.Sequence[int] | None = None) -> None\n\nNothing runs yet; `allow` holds "
          "until `advance`. Raises InvalidOption, IllegalMove.")
      .def(
          "run", &Search::run, py::kw_only(), py::arg("iterations") = py::none(),
          py::arg("ms") = py::none(), py::arg("nodes") = py::none(), py::arg("stop") = py::none(),
          "run(self, *, iterations: int | collections.abc.Sequence[int] | None = None, ms: float | "
          "None = None, nodes: int | None = None, stop: Stop | None = None) -> None\n\nSearches "
          "until a limit is met, or without one until it is stopped. Releases the GIL; Ctrl-C "
          "raises KeyboardInterrupt. Raises IllegalMove when it is not the seat's turn, "
          "InvalidOption when it runs already.")
      .def(
          "snapshot", &Search::snapshot,
          "snapshot(self) -> dict[str, typing.Any]\n\nWhat was found so far, as `search` gives it, "
          "from any thread. The reason is \"running\" during a run and \"waiting\" before the "
          "first one at this view. Raises IllegalMove when it is not the seat's turn.")
      .def("advance", &Search::advance, py::arg("actor"), py::arg("seen"),
           "advance(self, actor: int, seen: int) -> None\n\nOn to the view after an event as the "
           "seat saw it, with what the tree knows of it. Raises as View.observe, and InvalidOption "
           "during a run.");
  property(
      live, "reused", [](const Search& s) { return s.reused(); }, "int",
      "Visits that came along to this view.");
}

}  // namespace kibitz::boundary
