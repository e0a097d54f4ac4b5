/** What steps showed, each asked of the server once: by way of the kernel, pictures would take the room of outputs. */

import type { Host } from '../host';
import type { Figure } from '../picture';
import type { Journal } from './journal';

const MOST = 100;

export function figures(journal: Journal, session: () => string | undefined): Required<Host>['figure'] {
  const known = new Map<string, Promise<Figure | null>>();
  return ({ key, attempts, versions }, place) => {
    const name = JSON.stringify([session(), key, attempts, versions, place]);
    const found = known.get(name) ?? journal.figure(key, place);
    known.delete(name); // the one that was wanted last comes last
    known.set(name, found);
    [...known.keys()].slice(0, -MOST).forEach((oldest) => known.delete(oldest));
    found.then((figure) => figure ?? known.delete(name), () => known.delete(name));
    return found;
  };
}
