/** One gesture is one deed: where a click changes what can be clicked, its second half would do another thing. */

/** The second click of a double one, and Enter that is held, do nothing to the buttons and forms of `place`. */
export function deliberate(place: HTMLElement): void {
  place.addEventListener(
    'click',
    (event) => {
      if (event.detail > 1 && (event.target as Element).closest('button') !== null) {
        nothing(event);
      }
    },
    true,
  );
  place.addEventListener('keydown', (event) => event.repeat && event.key === 'Enter' && nothing(event), true);
}

function nothing(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
