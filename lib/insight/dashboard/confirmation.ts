interface EndedChain {
  number: number;
  outcome: string | null;
}

/** Ends that say nothing about whether an earlier fix held. */
const SILENT = ['skipped', 'stopped', 'lost', 'failed'];

/**
 * Whether the fix of a chain held, by the next cycle that looked: `confirmed by #13`, `came back
 * in #15`; null while none has looked. `newer` are the chains after it, in any order.
 */
export function fixConfirmation(fixed: EndedChain, newer: readonly EndedChain[]): string | null {
  const next = newer
    .filter(({ number, outcome }) => number > fixed.number && outcome && !SILENT.includes(outcome))
    .toSorted((one, other) => one.number - other.number)[0];
  if (!next) return null;
  return next.outcome === 'healthy'
    ? `confirmed by #${next.number}`
    : `came back in #${next.number}`;
}
