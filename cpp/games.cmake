# The games that are built in, one line a game: the name of its folder in cpp/include/kibitz/games.
kibitz_game(hearts)
kibitz_game(kami)
