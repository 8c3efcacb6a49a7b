# The games that are built in, one line a game: the name of its folder in cpp/include/kibitz/games.
kibitz_game(kami)
kibitz_game(tic_tac_toe)
kibitz_game(connect_four)
