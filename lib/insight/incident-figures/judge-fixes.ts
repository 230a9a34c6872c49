/** What became of fixes that chains reported in incidents, by checks and alerts alone. Pure. */
import type { IncidentFacts, ReportedFix } from './facts';

/**
 * `proven`: the checks passed for the whole verification, and neither they nor an alert reported the same
 * fault again within a day. `recurred`: it was reported again within that day. `failed`: it kept failing, was
 * reported again during the verification, or needed another chain or a person. `pending`: it is still being
 * verified. `unproven`: the incident ended in another way, or the recovery came without the fix being confirmed.
 */
export const FIX_VERDICTS = ['proven', 'recurred', 'failed', 'pending', 'unproven'] as const;
export type FixVerdict = (typeof FIX_VERDICTS)[number];

/** A failure within this time after a recovery is the same fault. */
export const SAME_FAULT_MS = 24 * 3_600_000;

export interface JudgedFix {
  chainId: string;
  verdict: FixVerdict;
  /** Proven, but the day in which the same fault may come back isn't over. */
  isProvisional: boolean;
}

/** Events after a reported fix that say it hasn't worked. */
const FAILURES = [
  'service_failing',
  'alert_firing',
  'chain_started',
  'needs_human',
  'look_refused',
];

/** Returns the verdict on a fix that was reported in an incident. */
export function judgeFix(incident: IncidentFacts, fix: ReportedFix, now: Date): JudgedFix {
  const verdict = verdictOn(incident, fix);
  const { chainId, recoveredAt } = fix;
  const isProvisional =
    verdict === 'proven' &&
    recoveredAt !== null &&
    now.getTime() - recoveredAt.getTime() <= SAME_FAULT_MS;
  return { chainId, verdict, isProvisional };
}

function verdictOn(
  { state, resolution, resolvedAt, fixChainId }: IncidentFacts,
  { chainId, settledBy, settledAt, isBack }: ReportedFix,
): FixVerdict {
  if (settledBy === null) return state === 'resolved' ? 'unproven' : 'pending';
  if (FAILURES.includes(settledBy)) return 'failed';
  if (settledBy !== 'verified') return 'unproven';
  if (isBack) return 'recurred';
  // While that end lasts, the incident's own row says how it ended and which chain it credits.
  const isLast = resolvedAt?.getTime() === settledAt?.getTime();
  const isCredited = resolution === 'fixed' && fixChainId === chainId;
  return isLast && !isCredited ? 'unproven' : 'proven';
}
