/** The row of the step that new ones follow, where it is here and among the last ones. */

import type { Row } from '../picture';
import type { State } from '../store';

const NEAR = 200;

export function current({ count, head, row }: State): Row | null {
  for (let place = count - 1; place >= Math.max(0, count - NEAR); place--) {
    const found = row(place);
    if (found !== undefined && found.key === head.current) {
      return found;
    }
  }
  return null;
}
