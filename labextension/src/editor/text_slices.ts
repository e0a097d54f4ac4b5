/** Slices of a text and new strings, in order → the splices that make the text of them. */

/** A part of the text, by characters, and what it is replaced by. */
export interface Splice {
  from: number;
  to: number;
  insert: string;
}

type Piece = string | readonly [from: number, to: number];

export class Rope {
  private pieces: Piece[] = [];

  constructor(readonly text: string) {}

  keep(from: number, to: number): void {
    if (from < to) {
      this.pieces.push([from, to]);
    }
  }

  put(text: string): void {
    if (text !== '') {
      this.pieces.push(text);
    }
  }

  /** What is put while something is done, as a text. */
  written(work: () => void): string {
    const before = this.pieces;
    this.pieces = [];
    work();
    const text = this.pieces.map((piece) => (typeof piece === 'string' ? piece : this.text.slice(...piece))).join('');
    this.pieces = before;
    return text;
  }

  splices(): Splice[] {
    return spliced(this.pieces, this.text);
  }
}

/** Pieces of a text in order, and new ones → the splices, as small as they can be. */
function spliced(pieces: readonly Piece[], text: string): Splice[] {
  const found: Splice[] = [];
  let [at, insert] = [0, ''];
  const close = (to: number): void => {
    if (insert !== '' || at < to) {
      found.push(...smallest({ from: at, to, insert }, text));
    }
    insert = '';
  };
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      insert += piece;
    } else {
      close(piece[0]);
      at = piece[1];
    }
  }
  close(text.length);
  return found;
}

function smallest({ from, to, insert }: Splice, text: string): Splice[] {
  const old = text.slice(from, to);
  const most = Math.min(old.length, insert.length);
  let before = 0;
  while (before < most && old[before] === insert[before]) {
    before += 1;
  }
  before -= isInner(old, before) || isInner(insert, before) ? 1 : 0;
  let after = 0;
  while (after < most - before && old.at(-1 - after) === insert.at(-1 - after)) {
    after += 1;
  }
  after -= after > 0 && (isInner(old, old.length - after) || isInner(insert, insert.length - after)) ? 1 : 0;
  const smaller = { from: from + before, to: to - after, insert: insert.slice(before, insert.length - after) };
  return smaller.from === smaller.to && smaller.insert === '' ? [] : [smaller];
}

/** Whether a place is within a character of two halves, or within the end of a line. */
function isInner(text: string, at: number): boolean {
  return /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(at - 1, at + 1)) && at > 0;
}
