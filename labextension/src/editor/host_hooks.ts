/** What the editor follows beside the text: its room, and where a person moved nodes to. */

import * as React from 'react';

import type { EditorHost, Places } from './host';

/** As wide as the form is. */
const FORM = 260;

export function useText(host: EditorHost): string {
  const [text, setText] = React.useState(() => host.text());
  React.useEffect(() => {
    setText(host.text());
    return host.changed(() => setText(host.text()));
  }, [host]);
  return text;
}

/** Whether there is more room from top to bottom, beside a form; null until it has been seen, which is only where it is
 *  `wanted`: to look makes the browser lay out the page.
 */
export function useNarrow(of: React.RefObject<HTMLElement>, wanted: boolean): boolean | null {
  const [narrow, setNarrow] = React.useState<boolean | null>(null);
  React.useLayoutEffect(() => {
    if (!wanted) {
      return undefined;
    }
    const room = of.current as HTMLElement;
    const look = (): void => {
      const { clientWidth: width, clientHeight: height } = room;
      if (width > 0) { // a tab that is hidden has no size
        setNarrow(width - FORM < height);
      }
    };
    look(); // before the first picture, which would be laid out and drawn twice
    const observer = new ResizeObserver(look);
    observer.observe(room);
    return () => observer.disconnect();
  }, [of, wanted]);
  return narrow;
}

/** What a person moved, and how more is moved; `arrange` forgets it, or one of it. */
export function usePlaces(host: EditorHost): [Places, (more: Places) => void, (name?: string) => void] {
  const [places, setPlaces] = React.useState<Places>({});
  React.useEffect(() => {
    let wanted = true;
    void host.moved().then((found) => wanted && setPlaces(found));
    return () => {
      wanted = false;
    };
  }, [host]);
  const keep = (next: Places): void => {
    setPlaces(next);
    host.keepMoved(next);
  };
  return [places, (more) => keep({ ...places, ...more }), (name) => keep(name === undefined ? {} : Object.fromEntries(Object.entries(places).filter(([each]) => each !== name)))];
}
