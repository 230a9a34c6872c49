/** Merges pings of one URL that arrive while an earlier one is being stored. Pure but for its promises. */

/** Stores pings of a token’s hash, oldest first. @returns what became of them */
type StorePings<One, Outcome> = (tokenHash: string, pings: readonly One[]) => Promise<Outcome>;

interface Gathering<One, Outcome> {
  pings: One[];
  stored: Promise<Outcome>;
}

/**
 * Returns a function that stores a ping, one after the other for each token: however many arrive, the
 * database sees one write at a time. Each call resolves once its own ping is stored.
 *
 * @param merge what is kept of the pings that wait, after one more: as few as say the same
 */
export function createPingLine<One, Outcome>(
  store: StorePings<One, Outcome>,
  merge: (waiting: readonly One[], next: One) => One[],
): (tokenHash: string, ping: One) => Promise<Outcome> {
  const gathering = new Map<string, Gathering<One, Outcome>>();
  const last = new Map<string, Promise<unknown>>();

  return (tokenHash, ping) => {
    const open = gathering.get(tokenHash);
    if (open) {
      open.pings = merge(open.pings, ping);
      return open.stored;
    }
    const batch = { pings: merge([], ping) };
    const before = last.get(tokenHash) ?? Promise.resolve();
    const stored = before
      .catch(() => undefined)
      .then(() => {
        gathering.delete(tokenHash);
        return store(tokenHash, batch.pings);
      });
    gathering.set(tokenHash, Object.assign(batch, { stored }));
    last.set(tokenHash, stored);
    const forget = () => {
      if (last.get(tokenHash) === stored) last.delete(tokenHash);
    };
    stored.then(forget, forget);
    return stored;
  };
}
