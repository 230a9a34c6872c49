/** Tells a page on screen that the one that was asked for couldn't be opened. */

/** `status`: of Tierwatch's own error; null when it can't be reached. */
type Listener = (status: number | null) => void;
let listener: Listener | null = null;

/** Registers what tells people; the last one registered is used. Returns how to end it. */
export function onUnopenedPage(next: Listener): () => void {
  listener = next;
  return () => {
    if (listener === next) listener = null;
  };
}

/** Before a page is interactive nobody listens; then it stays as it is, without a message. */
export function reportUnopenedPage(status: number | null): void {
  listener?.(status);
}
