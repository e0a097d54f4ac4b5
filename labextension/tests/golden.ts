/** The golden sessions that Python wrote: what they told, and the picture, cards and rows at their end. */

import type { Card, Comparison, RowsPage, RunDetail, Snapshot, News } from '../src/protocol';

export interface Golden {
  about: string;
  told: News[];
  picture: Snapshot;
  page: RowsPage;
  cards: Card[];
  comparison: Comparison;
  runs: Record<string, RunDetail>;
}

declare global {
  interface ImportMeta {
    glob(path: string, options: { eager: true; import: 'default' }): Record<string, unknown>;
  }
}

const files = import.meta.glob('../../tests/golden/*.json', { eager: true, import: 'default' });

export const GOLDEN: { name: string; golden: Golden }[] = Object.entries(files).map(([path, file]) => ({
  name: path.replace(/.*\/|\.json$/g, ''),
  golden: file as Golden,
}));

export function golden(name: string): Golden {
  const found = GOLDEN.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`There is no golden session ${name}.`);
  }
  return found.golden;
}
