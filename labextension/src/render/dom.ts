/** The one way in which elements are made. A text becomes a text node and nothing else; an attribute is one of a
 *  few harmless ones, so that no hostile text ever is a style, an address, or markup.
 */

import type { Dispose } from '../link';

export type Child = Node | string | number | null | undefined | false | readonly Child[];

type Value = string | number | boolean | null | undefined;

type Attributes = {
  [name in
    | 'class' | 'id' | 'role' | 'title' | 'tabindex' | 'type' | 'name' | 'value' | 'placeholder' | 'for' | 'disabled'
    | 'hidden' | 'checked' | 'selected' | 'open' | 'maxlength' | 'min' | 'max' | 'scope' | 'colspan' | 'autocomplete'
    | 'spellcheck' | 'rows' | 'required' | `aria-${string}` | `data-${string}`]?: Value;
};

type Listeners = {
  [name in keyof HTMLElementEventMap as `on${name}`]?: (event: HTMLElementEventMap[name]) => void;
};

export type Props = Attributes & Listeners;

/** `h('button', {class: 'wfnb-button', onclick: f}, 'Cancel')`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') {
      made.addEventListener(name.slice(2), value as EventListener);
    } else {
      attribute(made, name, value as Value);
    }
  }
  append(made, children);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

/** The same for drawings: their attributes come from code and from numbers. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, tag) as SVGElementTagNameMap[K];
  for (const [name, value] of Object.entries(attributes)) {
    attribute(made, name, value);
  }
  append(made, children);
  return made;
}

const FORBIDDEN = /^(on.*|style|href|src|srcdoc|srcset|action|formaction|xlink:href)$/i;

/** Set, or take away (null, undefined, false), only where it differs. */
export function attribute(element: Element, name: string, value: Value): void {
  if (FORBIDDEN.test(name)) {
    throw new Error(`An attribute ${name} is never set.`);
  }
  if (value === null || value === undefined || (value === false && !name.startsWith('aria-'))) {
    if (element.hasAttribute(name)) {
      element.removeAttribute(name);
    }
    return;
  }
  const text = value === true && !name.startsWith('aria-') ? '' : String(value);
  if (element.getAttribute(name) !== text) {
    element.setAttribute(name, text);
  }
}

const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/svg+xml']);

/** The only address that is ever set, of a picture that is in it. In an `img` nothing runs, and nothing is fetched. */
export function image(form: string, base64: string, says: string): HTMLImageElement {
  if (!IMAGES.has(form) || !/^[A-Za-z0-9+/]+=*$/.test(base64)) {
    throw new Error('This is no picture.');
  }
  const made = document.createElement('img');
  made.alt = says;
  made.draggable = false;
  made.src = `data:${form};base64,${base64}`;
  return made;
}

/** The element's text, touched only where it differs. */
export function text(element: Element, value: string | number): void {
  const wanted = String(value);
  if (element.textContent !== wanted) {
    element.textContent = wanted;
  }
}

/** A listener on something that outlives the view. */
export function on<K extends string>(
  target: EventTarget,
  type: K,
  f: (event: K extends keyof HTMLElementEventMap ? HTMLElementEventMap[K] : Event) => void,
  options?: AddEventListenerOptions,
): Dispose {
  target.addEventListener(type, f as EventListener, options);
  return () => target.removeEventListener(type, f as EventListener, options);
}

/** Change what is in `root`; where that takes away what has the focus, `root` itself has it then. */
export function holding(root: HTMLElement, change: () => void): void {
  const had = document.activeElement !== root && root.contains(document.activeElement);
  change();
  const now = document.activeElement;
  if (had && (!root.contains(now) || now?.closest('[hidden]'))) {
    root.focus({ preventScroll: true });
  }
}

/** A list of elements kept equal to a list of values: an element stays with its key, so that what has the focus
 *  keeps it. `make` builds one, `update` fills it (also the first time). */
export function each<T, E extends Element>(
  parent: Element,
  key: (value: T) => string | number,
  make: (value: T) => E,
  update: (element: E, value: T) => void = () => undefined,
): (values: readonly T[]) => void {
  let known = new Map<string | number, E>();
  return (values) => {
    const named = new Map<string | number, T>();
    for (const value of values) {
      const name = key(value);
      named.set(named.has(name) ? `${name} again ${named.size}` : name, value);
    }
    known.forEach((element, name) => named.has(name) || element.remove());
    const next = new Map<string | number, E>();
    let before: Element | null = null;
    for (const [name, value] of named) {
      const element: E = known.get(name) ?? make(value);
      next.set(name, element);
      update(element, value);
      const place: ChildNode | null = before === null ? parent.firstChild : before.nextSibling;
      if (place !== element) {
        parent.insertBefore(element, place);
      }
      before = element;
    }
    known = next;
  };
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(parent, child as readonly Child[]);
    } else if (child instanceof Node) {
      parent.appendChild(child);
    } else if (child !== null && child !== undefined && child !== false) {
      parent.appendChild(document.createTextNode(String(child)));
    }
  }
}
