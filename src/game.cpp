// Games: the list of them, their facts, and one with its options fixed.
#include "boundary.hpp"

#include <functional>

#include <kibitz/build_info.hpp>
#include <kibitz/core/digest.hpp>

namespace kibitz::boundary {

namespace {

py::dict option_dict(const Option& option) {
  py::dict out;
  out["name"] = option.name;
  switch (option.kind) {
    case Option::Kind::integer:
      out["kind"] = "int";
      out["default"] = option.initial;
      out["minimum"] = option.minimum;
      out["maximum"] = option.maximum;
      break;
    case Option::Kind::flag:
      out["kind"] = "bool";
      out["default"] = option.initial != 0;
      break;
    case Option::Kind::choice:
      out["kind"] = "choice";
      out["default"] = option.choices[static_cast<std::size_t>(option.initial)];
      out["choices"] = option.choices;
      break;
    case Option::Kind::data:
      out["kind"] = "data";
      out["default"] = py::none();
      break;
  }
  out["doc"] = option.meaning;
  return out;
}

py::dict info_dict(const GameFactsheet& facts) {
  py::dict out;
  out["slug"] = facts.slug;
  out["name"] = facts.title;
  out["summary"] = facts.summary;
  out["rules"] = facts.rules;
  const Option& players = facts.options.front();
  std::vector<int> counts;
  for (int n = players.minimum; n <= players.maximum; ++n) counts.push_back(n);
  out["players"] = counts;
  out["default_players"] = players.initial;
  py::list options;
  for (const Option& option : facts.options) options.append(option_dict(option));
  out["options"] = options;
  out["cooperative"] = facts.cooperative;
  out["grammar"] = facts.grammar;
  out["start"] = to_python(Value(facts.start));
  out["setup"] = to_python(Value(facts.setup));
  out["open"] = facts.open;
  out["solves"] = facts.solves.empty() ? py::object(py::none()) : py::str(facts.solves);
  out["playout"] = policy_names[static_cast<std::size_t>(facts.playout)];
  out["utility"] = utility_names[static_cast<std::size_t>(facts.utility)];
  return out;
}

std::string options_text(const Game& game) {
  std::string out;
  for (const auto& [name, value] : game.ptr->options())
    out += name + "=" + detail::describe(value) + ";";
  return out;
}

}  // namespace

bool operator==(const Game& a, const Game& b) {
  return a.ptr == b.ptr ||
         (a.ptr->facts().slug == b.ptr->facts().slug && a.ptr->options() == b.ptr->options());
}

std::size_t hash_of(const Game& game) {
  return std::hash<std::string>{}(game.ptr->facts().slug + options_text(game));
}

void bind_game(py::module_& m, py::class_<Game>& game) {
  m.def(
      "games",
      [] {
        std::vector<std::string> out;
        for (const GameEntry* entry : game_entries()) out.push_back(entry->facts().slug);
        return out;
      },
      "games() -> list[str]\n\nThe slugs of the games that are built in.");
  m.def(
      "info", [](const Text& slug) { return info_dict(find_game(slug).facts()); }, py::arg("slug"),
      R"doc(info(slug: str) -> dict[str, typing.Any]

Facts of a game. Raises UnknownGame.

Keys: slug, name, summary, rules (such as "kami/1"), players (the counts allowed), default_players,
options (list of {name, kind: "int" | "bool" | "choice", default, doc, minimum and maximum or choices};
"players" is the first), cooperative, grammar (the texts of moves), start and setup (the fields of a
view and of a state: list of {name, type, meaning}), open (nothing is hidden), solves (the unit of `solve`, or None), playout (the policy of playouts that measured better), utility (what
a search maximises unless told otherwise).)doc");
  m.def(
      "build",
      [] {
        py::dict out;
        out["version"] = build_info.version;
        out["compiler"] = build_info.compiler;
        out["flags"] = build_info.flags;
        out["arch"] = build_info.arch;
        out["build_type"] = build_info.build_type;
        return out;
      },
      "build() -> dict[str, str]\n\nversion, compiler, flags, arch, build_type.");

  property(game, "slug", [](const Game& g) { return g.ptr->facts().slug; }, "str");
  property(
      game, "options", [](const Game& g) { return to_python(g.ptr->options()); },
      "dict[str, int | bool | str]", "All options with their values.");
  property(game, "seats", [](const Game& g) { return g.ptr->seats(); }, "int");
  property(
      game, "teams",
      [](const Game& g) {
        std::vector<int> out;
        for (int s = 0; s < g.ptr->seats(); ++s) out.push_back(g.ptr->team(static_cast<Seat>(s)));
        return out;
      },
      "list[int]", "Team of each seat.");
  property(
      game, "max_moves", [](const Game& g) { return g.ptr->facts().max_moves; }, "int",
      "Length of the longest legal list.");
  property(
      game, "max_plies", [](const Game& g) { return g.ptr->max_plies(); }, "int",
      "Decisions of the longest game.");
  game.def(py::init([](const Text& slug, const py::object& options) {
             return Game{
                 find_game(slug).load(map_from(options, FaultKind::invalid_option, "options"))};
           }),
           py::arg("slug"), py::arg("options"),
           "__init__(self, slug: str, options: dict[str, typing.Any]) -> None\n\nRaises "
           "UnknownGame, "
           "InvalidOption.")
      .def(
          "deal",
          [](const Game& g, const py::object& seed) {
            return g.ptr->deal(number_from(seed, "seed", 0));
          },
          py::arg("seed"),
          "deal(self, seed: int) -> State\n\nA fresh start, ready for the first decision.")
      .def(
          "blank", [](const Game& g) { return g.ptr->blank(); },
          "blank(self) -> State\n\nBefore any chance: the deal is still to be rolled.")
      .def(
          "state",
          [](const Game& g, const py::object& fields) {
            return g.ptr->state(map_from(fields, FaultKind::invalid_position, "a position"));
          },
          py::arg("fields"),
          "state(self, fields: dict[str, typing.Any]) -> State\n\nFrom State.to_dict() or a part "
          "of "
          "it. Raises InvalidPosition.")
      .def(
          "view",
          [](const Game& g, const py::object& seat, const py::object& fields) {
            return g.ptr->view(seat_from(*g.ptr, seat),
                               map_from(fields, FaultKind::invalid_position, "a view"));
          },
          py::arg("seat"), py::arg("fields"),
          "view(self, seat: int, fields: dict[str, typing.Any]) -> View\n\nFrom View.to_dict() or "
          "a "
          "start. Raises InvalidPosition.")
      .def(
          "move_text", [](const Game& g, Code move) { return g.ptr->move_text({move.value}); },
          py::arg("move"), "move_text(self, move: int) -> str")
      .def(
          "parse_move",
          [](const Game& g, const Text& text) { return g.ptr->parse_move(text).code; },
          py::arg("text"),
          "parse_move(self, text: str) -> int\n\nBy form alone. Raises IllegalMove.")
      .def(
          "__eq__", [](const Game& a, const Game& b) { return a == b; }, py::is_operator(),
          "__eq__(self, other: object) -> bool")
      .def("__hash__", &hash_of, "__hash__(self) -> int");
}

}  // namespace kibitz::boundary
