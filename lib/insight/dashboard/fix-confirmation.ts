interface EndedChain {
  number: number;
  outcome: string | null;
}

/** Outcomes that say nothing about whether an earlier fix held. */
const SILENT = ['skipped', 'stopped', 'lost', 'failed'];

/**
 * Whether the fix of a chain held, by the next chain that checked: `confirmed by Chain #13`, `came
 * back in Chain #15`; null while none has. `newer` are the chains after it, in any order.
 */
export function fixConfirmation(fixed: EndedChain, newer: readonly EndedChain[]): string | null {
  const next = newer
    .filter(({ number, outcome }) => number > fixed.number && outcome && !SILENT.includes(outcome))
    .toSorted((one, other) => one.number - other.number)[0];
  if (!next) return null;
  return next.outcome === 'healthy'
    ? `confirmed by Chain #${next.number}`
    : `came back in Chain #${next.number}`;
}
