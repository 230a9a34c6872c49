/** Tells a page on screen that the one that was asked for couldn't be opened. */

/** `status`: of Tierwatch's own error; null when it can't be reached. */
type Listener = (status: number | null) => void;
let listener: Listener | null = null;

/**
 * Registers the listener that shows a message; the last one registered wins. Returns a function
 * that unregisters it.
 */
export function onUnopenedPage(next: Listener): () => void {
  listener = next;
  return () => {
    if (listener === next) listener = null;
  };
}

/**
 * Before a page is interactive there is no listener; the page then stays as it is, without a
 * message.
 */
export function reportUnopenedPage(status: number | null): void {
  listener?.(status);
}
