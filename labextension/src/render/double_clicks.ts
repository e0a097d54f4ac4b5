/** One gesture is one deed: where a click changes what can be clicked, its second half would do another thing. */

/** The second click of a double one, and Enter that is held, do nothing to the buttons and forms of `place`; nor does
 *  the second press take back the focus that the first click gave to something.
 */
export function deliberate(place: HTMLElement): void {
  place.addEventListener(
    'click',
    (event) => {
      if (second(event)) {
        nothing(event);
      }
    },
    true,
  );
  place.addEventListener('mousedown', (event) => second(event) && event.preventDefault());
  place.addEventListener('keydown', (event) => event.repeat && event.key === 'Enter' && nothing(event), true);
}

function second(event: MouseEvent): boolean {
  return event.detail > 1 && (event.target as Element).closest('button') !== null;
}

function nothing(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
