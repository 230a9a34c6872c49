/** `from`: the URL of the page being left. Compared by identity, so two from the same page differ. */
export interface Navigation {
  from: string;
}

/** Knows the navigation that waits for its page, for the sign that something is loading. */
export class PendingNavigation {
  private current: Navigation | null = null;
  private readonly listeners = new Set<() => void>();

  readonly getCurrent = (): Navigation | null => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Returns a function that ends it, which does nothing once another navigation has begun. */
  readonly begin = (from: string): (() => void) => {
    const navigation = { from };
    this.set(navigation);
    return () => {
      if (this.current === navigation) this.set(null);
    };
  };

  private set(navigation: Navigation | null): void {
    this.current = navigation;
    for (const listener of [...this.listeners]) listener();
  }
}

export const pendingNavigation = new PendingNavigation();

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
 * Tells the page on screen that the one that was asked for couldn't be opened. Before a page is
 * interactive there is no listener; it then stays as it is, without a message.
 */
export function reportUnopenedPage(status: number | null): void {
  listener?.(status);
}
