/** Merges pings of one URL that arrive while an earlier one is being stored. Pure but for its promises. */

/** Stores pings of a token’s hash, oldest first. @returns whether the token belongs to a heartbeat */
type StorePings<One> = (tokenHash: string, pings: readonly One[]) => Promise<boolean>;

interface Gathering<One> {
  pings: One[];
  stored: Promise<boolean>;
}

/**
 * Returns a function that stores a ping, one after the other for each token: however many arrive, the
 * database sees one write at a time. Each call resolves once its own ping is stored.
 *
 * @param merge what is kept of the pings that wait, after one more: as few as say the same
 */
export function createPingLine<One>(
  store: StorePings<One>,
  merge: (waiting: readonly One[], next: One) => One[],
): (tokenHash: string, ping: One) => Promise<boolean> {
  const gathering = new Map<string, Gathering<One>>();
  const last = new Map<string, Promise<boolean>>();

  return (tokenHash, ping) => {
    const open = gathering.get(tokenHash);
    if (open) {
      open.pings = merge(open.pings, ping);
      return open.stored;
    }
    const before = last.get(tokenHash) ?? Promise.resolve(true);
    const batch: Gathering<One> = { pings: merge([], ping), stored: Promise.resolve(true) };
    gathering.set(tokenHash, batch);
    batch.stored = before
      .catch(() => true)
      .then(() => {
        gathering.delete(tokenHash);
        return store(tokenHash, batch.pings);
      });
    const { stored } = batch;
    last.set(tokenHash, stored);
    const forget = () => {
      if (last.get(tokenHash) === stored) last.delete(tokenHash);
    };
    stored.then(forget, forget);
    return stored;
  };
}
