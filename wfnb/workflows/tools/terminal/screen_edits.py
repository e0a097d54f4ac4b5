"""control sequence -> the cells it changes: moves, erases, inserts, deletes, scrolls."""

from __future__ import annotations

from .screen_cells import Cells


def edit(cells: Cells, final: str, numbers: list[int]) -> None:
    """Perform a sequence by its last character and numbers; one that is not known does nothing."""
    first = numbers[0]
    # 0 and nothing mean 1. The limit is for programs that say 999999999.
    count = min(first or 1, 10_000)
    second = numbers[1] if len(numbers) > 1 else 0
    match final:
        case "H" | "f":
            cells.place((second or 1) - 1, count - 1)
        case "A":
            cells.move_up(count)
        case "B" | "e":
            cells.move_down(count)
        case "C" | "a":
            cells.move(cells.x + count, cells.y)
        case "D":
            cells.move(cells.x - count, cells.y)
        case "E":
            cells.move_down(count)
            cells.move(0, cells.y)
        case "F":
            cells.move_up(count)
            cells.move(0, cells.y)
        case "G" | "`":
            cells.move(count - 1, cells.y)
        case "d":
            cells.place(cells.x, count - 1)
        case "I" | "Z":
            cells.tab(count if final == "I" else -count)
        case "g":
            cells.tabs -= {cells.x} if first == 0 else cells.tabs if first == 3 else set()
        case "J":
            _erase_screen(cells, first)
        case "K":
            _erase_line(cells, first)
        case "X":
            cells.erase(cells.x, cells.x + count)
        case "@":
            cells.insert_blanks(count)
        case "P":
            cells.take_out(count)
        case "L":
            cells.insert_lines(count)
        case "M":
            cells.insert_lines(-count)
        case "S":
            cells.scroll(count)
        case "T" if len(numbers) == 1:
            cells.scroll(-count)
        case "r":
            top, bottom = count - 1, min(second or cells.rows, cells.rows) - 1
            if top < bottom:
                cells.top, cells.bottom = top, bottom
                cells.place(0, 0)


def _erase_line(cells: Cells, which: int) -> None:
    match which:
        case 0:
            if not cells.full:  # else the cursor is past the last character, which stays
                cells.erase(cells.x, cells.columns)
        case 1:
            cells.erase(0, cells.x + 1)
        case 2:
            cells.erase(0, cells.columns)


def _erase_screen(cells: Cells, which: int) -> None:
    match which:
        case 0:
            _erase_line(cells, 0)
            cells.erase_lines(cells.y + 1, cells.rows)
        case 1:
            _erase_line(cells, 1)
            cells.erase_lines(0, cells.y)
        case 2:
            cells.erase_lines(0, cells.rows)
        case 3 if cells.left is not None and cells.left.maxlen:  # a history, which may be lost
            cells.left.clear()
