/** Work that is done one after the other, so that a burst of it leaves the database to what matters. */
export interface ExportQueue<Item> {
  /** @returns false if too much waits already: it is dropped */
  add(item: Item): boolean;
  /** Resolves once nothing waits and nothing is under way. */
  idle(): Promise<void>;
}

/**
 * @param work for one item; a rejection counts as done
 * @param whenEmpty called after the last item that waits
 */
export function exportQueue<Item>(
  work: (item: Item) => Promise<void>,
  whenEmpty: () => Promise<void>,
  maxWaiting: number,
): ExportQueue<Item> {
  const waiting: Item[] = [];
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        await work(item).catch(() => undefined);
      }
      await whenEmpty().catch(() => undefined);
    }
    running = null;
  }

  return {
    add(item) {
      if (waiting.length >= maxWaiting) return false;
      waiting.push(item);
      running ??= run();
      return true;
    },
    idle: async () => {
      while (running) await running;
    },
  };
}
