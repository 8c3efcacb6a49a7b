# The games that are built in, one line a game: the name of its folder in cpp/include/kibitz/games.
kibitz_game(connect_four)
kibitz_game(goofspiel)
kibitz_game(hearts)
kibitz_game(kami)
kibitz_game(kuhn_poker)
kibitz_game(leduc_poker)
kibitz_game(thecrew)
kibitz_game(tic_tac_toe)
