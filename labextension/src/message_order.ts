/** What a link tells → the same, one after the other: where a message is missing, or was for another picture, the whole
 *  picture is asked for again. A server drops messages of a kernel that prints much.
 */

import { Refused, writable } from './link';
import type { Dispose, Link } from './link';
import type { Delta, News } from './protocol';

export function inOrder(link: Link, hear: (told: News) => void): Dispose {
  /** The number of what was heard last. */
  let seq = NaN;
  /** News that came while the whole picture was under way; null when it is not. */
  let later: Delta[] | null = null;

  function take(told: News): void {
    if (told.kind === 'delta') {
      return follow(told);
    }
    const missed = later;
    later = null;
    seq = told.kind === 'snapshot' ? told.seq : NaN;
    hear(told);
    if (told.kind === 'snapshot') {
      missed?.forEach(follow);
    }
  }

  function follow(delta: Delta): void {
    if (later !== null) {
      later.push(delta);
    } else if (delta.seq === seq + 1) {
      seq = delta.seq;
      hear(delta);
    } else if (!(delta.seq <= seq)) {
      again([delta]);
    }
  }

  function again(missed: Delta[]): void {
    later = missed;
    link.ask('snapshot', {}).then(
      (snapshot) => later === missed && take(snapshot),
      (reason) => {
        if (later === missed) {
          later = null;
          if (writable(link.state) && !(reason instanceof Refused)) {
            again(missed); // the answer was lost, too
          }
        }
      },
    );
  }

  const deaf = link.on(take);
  if (writable(link.state)) {
    again([]);
  }
  return () => {
    deaf();
    later = null;
  };
}
