/** What had the focus is taken away → the focus stays near: at the part of the view in which it was. */

/** Change what is in `root`, which can have the focus itself (tabindex -1). */
export function keeping(root: HTMLElement, change: () => void): void {
  const before = document.activeElement;
  const inside = before !== null && before !== root && root.contains(before);
  change();
  if (inside && !seen(before, root)) {
    root.focus({ preventScroll: true });
  }
}

function seen(element: Element, root: HTMLElement): boolean {
  return root.contains(element) && element.closest('[hidden]') === null;
}
