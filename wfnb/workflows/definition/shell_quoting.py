"""a shell command with placeholders -> those whose values would be read as part of the program.

A value that is put into a command is read by the shell as if it had been written there: a space
parts it, `$(…)` in it runs. `{x!q}` quotes it, but only where the shell reads words: within quotes
its own quotes end them, and in a here-document they are letters like any other.

    echo {x}            →  echo {x!q}
    echo 'to {x!q}'     →  echo 'to '{x!q}
    cat <<END … {x}     →  cat, with `input: "… {x}"`
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .template import placeholders

_WITHIN = {"(": "bare", "((": "arithmetic"}
"""What parentheses make of what is in them."""
_HEREDOC = re.compile(
    r"<<(?P<tabs>-?)[ \t]*(?P<word>(?:\\.|'[^'\n]*'|\"[^\"\n]*\"|[^\s;&|<>()'\"\\])+)"
)
_COMMENT = re.compile(r"(?:^|[\s;&|()`])#")
_QUOTES = re.compile(r"[\\'\"]")


def quoting_problems(command: str) -> Iterator[tuple[str, str]]:
    """The placeholders that are not quoted as their place needs, each with what to write."""
    places = {each.start: each for each in placeholders(command)}
    if [each.text for each in places.values()] == [command]:
        return  # the value is the command, and is meant to be
    for start, where in contexts(command, frozenset(places)):
        _, text, name, quoted = places[start]
        where = _WITHIN.get(where, where)
        if where == "heredoc":
            how = "a here-document quotes nothing: give its text by `input` instead"
            yield name, f"{text} stands in a here-document: {how}"
        elif where == "comment":
            how = "the first line break in its value ends that: leave it out"
            yield name, f"{text} stands in a comment: {how}"
        elif where == "arithmetic":
            how = "which quotes nothing: declare it as a number"
            yield name, f"{text} stands in $((…)), {how}"
        elif where == "escaped":
            how = rf"which undoes its quotes: write '\'{{{name}!q}}"
            yield name, f"{text} stands behind a backslash, {how}"
        elif quoted and where != "bare":
            mark = "'" if where == "single" else '"'
            how = f"end them before it, as in {mark}… {mark}{text}{mark} …{mark}"
            yield name, f"{text} stands within quotes, which undo its own: {how}"
        elif not quoted:
            outside = "" if where == "bare" else ", outside of other quotes"
            what = f"{text} is read by the shell as part of the command"
            yield name, f"{what}: write {{{name}!q}}{outside}"


def contexts(command: str, starts: frozenset[int]) -> Iterator[tuple[int, str]]:
    """How the shell reads what stands at these places, of two answers the last: `bare`, within
    `single` or `double` quotes, `(` or `((`, as a `heredoc` or a `comment`, or `escaped`. `$(…)`
    within double quotes is a command again; here-documents begin on the line after the one that
    names their ends."""
    stack: list[str] = ["bare"]
    ends: list[tuple[str, bool]] = []
    place = 0
    while place < len(command):
        last = stack[-1]
        where = _WITHIN.get(last, last)
        if place in starts:
            yield place, last
        letter = command[place]
        # Nothing but its end means anything within single quotes.
        if where == "single":
            if letter == "'":
                stack.pop()
        elif letter == "\\":
            place += 1
            if place in starts:
                yield place, "escaped"
        elif where == "bare" and _COMMENT.match(command, max(place - 1, 0), place + 1):
            end = (command + "\n").index("\n", place)
            yield from ((n, "comment") for n in range(place, end) if n in starts)
            place = end - 1
        elif command.startswith("$((", place):
            stack.append("arithmetic")
            place += 2
        elif command.startswith("$(", place):
            stack.append("(")
            place += 1
        elif where == "arithmetic":
            if letter == "(":
                stack.append("((")
            elif letter == ")":
                stack.pop()
                if last != "((" and command.startswith("))", place):
                    place += 1
                elif last != "((":  # it was a command in parentheses
                    stack.append("(")
        elif letter == '"':
            if where == "double":
                stack.pop()
            else:
                stack.append("double")
        elif where == "bare" and letter == "'":
            stack.append("single")
        elif where == "bare" and letter == "(":
            stack.append("(")
        elif last == "(" and letter == ")":
            stack.pop()
        elif where == "bare" and (opened := _heredoc(command, place)):
            ends.append((_QUOTES.sub("", opened["word"]), bool(opened["tabs"])))
            place = opened.end() - 1
        elif where == "bare" and letter == "\n" and ends:
            after = _end_of_heredocs(command, place + 1, ends)
            yield from ((n, "heredoc") for n in range(place + 1, after) if n in starts)
            ends, place = [], after - 1
        place += 1


def _heredoc(command: str, place: int) -> re.Match[str] | None:
    # `<<<` begins a word, and no document.
    begins = command.startswith("<<", place) and not command.startswith("<<<", place)
    if not begins or command[max(place - 1, 0) : place] == "<":
        return None
    return _HEREDOC.match(command, place)


def _end_of_heredocs(command: str, place: int, ends: list[tuple[str, bool]]) -> int:
    """Where the here-documents that begin at a place are over."""
    for word, tabs in ends:
        while place < len(command):
            line, newline, _ = command[place:].partition("\n")
            place += len(line) + len(newline)
            if (line.lstrip("\t") if tabs else line) == word:
                break
    return place
