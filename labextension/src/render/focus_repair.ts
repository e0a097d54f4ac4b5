/** What had the focus is taken away → the focus stays near: at the part of the view in which it was. */

/** Change what is in `root`, which can have the focus itself (tabindex -1): it has it then, where there is nothing
 *  `nearer`.
 */
export function keeping(root: HTMLElement, change: () => void, nearer = (): HTMLElement | null => null): void {
  const before = document.activeElement;
  const inside = before !== null && before !== root && root.contains(before);
  change();
  if (inside && !seen(document.activeElement, root)) {
    (nearer() ?? root).focus({ preventScroll: true });
  }
}

function seen(element: Element | null, root: HTMLElement): boolean {
  return element !== null && root.contains(element) && element.closest('[hidden]') === null;
}
