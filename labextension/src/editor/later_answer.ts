/** A question that is asked after a while → its answer, unless nobody wants it any more by then. */

/** Waits that many milliseconds, then asks. What is returned ends it: nothing is asked, and no answer handed on, after that. */
export function askLater<T>(
  delay: number,
  ask: () => Promise<T>,
  take: (answer: T) => void,
  refused: (reason: unknown) => void = () => undefined,
): () => void {
  let wanted = true;
  const timer = setTimeout(() => {
    ask().then((answer) => wanted && take(answer), (reason: unknown) => wanted && refused(reason));
  }, delay);
  return () => {
    wanted = false;
    clearTimeout(timer);
  };
}

/** Milliseconds after the last key: what concerns a text is not asked at each of them. */
export const QUIET = 300;
