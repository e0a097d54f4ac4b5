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

/** Whether there is more room from top to bottom, beside a form. */
export function useNarrow(of: React.RefObject<HTMLElement>): boolean {
  const [narrow, setNarrow] = React.useState(false);
  React.useEffect(() => {
    const look = ([seen]: ResizeObserverEntry[]): void => {
      const { width, height } = seen?.contentRect ?? { width: 0, height: 0 };
      setNarrow(width - FORM < height);
    };
    const observer = new ResizeObserver(look);
    if (of.current) {
      observer.observe(of.current);
    }
    return () => observer.disconnect();
  }, [of]);
  return narrow;
}

/** What a person moved; `arrange` forgets it, or one of it. */
export function usePlaces(host: EditorHost): [Places, (name: string, x: number, y: number) => void, (name?: string) => void] {
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
  return [places, (name, x, y) => keep({ ...places, [name]: [x, y] }), (name) => keep(name === undefined ? {} : Object.fromEntries(Object.entries(places).filter(([each]) => each !== name)))];
}
