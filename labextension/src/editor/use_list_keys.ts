/** A list below a field → which of it is meant, and the keys that go through it while the field has the keyboard. */

import * as React from 'react';

export interface ListKeys {
  /** The item that is meant; -1 where there is none. */
  place: number;
  /** Another list: its first is meant. */
  again(): void;
  onKeyDown(event: React.KeyboardEvent): void;
}

/** `id`: an item has this, a dash and its place. `take` has the place; no other key is taken while the list is closed. */
export function useListKeys(id: string, count: number, isOpen: boolean, deeds: Record<string, (place: number) => void>): ListKeys {
  const [at, setAt] = React.useState(0);
  const place = Math.min(at, count - 1);
  React.useEffect(() => {
    if (isOpen) {
      document.getElementById(`${id}-${place}`)?.scrollIntoView({ block: 'nearest' }); // some browsers give a promise
    }
  }, [id, isOpen, place]);
  return {
    place,
    again: () => setAt(0),
    onKeyDown(event) {
      const move = count > 0 ? { ArrowDown: place + 1, ArrowUp: place + count - 1 }[event.key] : undefined;
      const deed = deeds[event.key];
      if (!isOpen || (move === undefined && !deed)) {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      if (move !== undefined) {
        setAt(move % count);
      } else {
        deed?.(place);
      }
    },
  };
}
