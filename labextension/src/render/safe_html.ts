/** HTML that Python has sanitised → nodes, sanitised again: a few elements are copied, none with an attribute. Of
 *  others only what they hold is kept, and of some not even that. The parser's own document is inert: nothing in it
 *  runs or is fetched.
 */

import { h } from './dom';

const KEPT = new Set([
  'p', 'br', 'hr', 'em', 'strong', 'b', 'i', 'del', 's', 'sub', 'sup', 'code', 'pre', 'kbd', 'blockquote',
  'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tr', 'th', 'td',
]);
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const DROPPED = new Set([
  'script', 'style', 'template', 'noscript', 'iframe', 'frame', 'object', 'embed', 'applet', 'svg', 'math', 'head',
  'title', 'textarea', 'select', 'option', 'audio', 'video', 'canvas', 'xmp', 'plaintext', 'noembed', 'noframes',
]);
const DEPTH = 60;

export function markup(html: string): DocumentFragment {
  const copied = document.createDocumentFragment();
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  copy(parsed.body, copied, 0);
  return copied;
}

function copy(from: Node, to: Node, depth: number): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) {
      to.appendChild(document.createTextNode(child.nodeValue ?? ''));
    } else if (child.nodeType === Node.ELEMENT_NODE && depth < DEPTH) {
      const name = child.nodeName.toLowerCase();
      if (!DROPPED.has(name)) {
        copy(child, place(name, to), depth + 1);
      }
    }
  }
}

/** Where the children of such an element go. */
function place(name: string, to: Node): Node {
  if (HEADINGS.has(name)) {
    return to.appendChild(h('p', { class: 'wfnb-heading' }));
  }
  return KEPT.has(name) ? to.appendChild(document.createElement(name)) : to;
}
