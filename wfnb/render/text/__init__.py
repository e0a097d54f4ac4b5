"""any text -> the same text in one output's notation, measured, cut, tabled."""
