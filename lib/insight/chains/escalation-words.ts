import { formatCost } from '@/lib/platform/format/cost';
import { formatCount } from '@/lib/platform/format/count';
import type { EscalationValue, UnknownReason } from './escalation-value';

/** Why a figure of an escalation is unknown, after "—". */
export const UNKNOWN_WORDS: Record<UnknownReason, string> = {
  not_resumed: 'it started from the handoff, so nothing was resumed',
  log_deleted: 'the log was deleted',
  no_usage: 'no usage was reported',
  no_price: 'the model has no known price',
  no_handoff: 'no handoff was built to compare with',
  compacted: 'the conversation was compacted',
  log_too_long: 'the log is too long to compare',
};

/** Several escalations together. */
export interface EscalationTotals {
  /** Those whose saving and premium are both known. */
  valued: number;
  savingMicros: number;
  premiumMicros: number;
  resumed: CallCount;
  handedOff: CallCount;
  /** Resumed, and not valued, by the reason. */
  unknown: { reason: UnknownReason; count: number }[];
  /** Escalations beyond those that were compared. */
  left: boolean;
}

interface CallCount {
  calls: number;
  repeated: number;
}

/** Sums up escalations; `isCut` where there were more than these. */
export function totalEscalations(
  hops: readonly { mechanism: string | null; value: EscalationValue }[],
  isCut: boolean,
): EscalationTotals {
  const totals: EscalationTotals = {
    valued: 0,
    savingMicros: 0,
    premiumMicros: 0,
    resumed: { calls: 0, repeated: 0 },
    handedOff: { calls: 0, repeated: 0 },
    unknown: [],
    left: isCut,
  };
  for (const { mechanism, value } of hops) {
    const count = mechanism === 'resume' ? totals.resumed : totals.handedOff;
    count.calls += value.calls ?? 0;
    count.repeated += value.repeated.length;
    const { premium, saving } = value;
    if (premium.micros !== null && saving.micros !== null) {
      totals.valued += 1;
      totals.savingMicros += saving.micros;
      totals.premiumMicros += premium.micros;
      continue;
    }
    const reason = premium.unknown ?? saving.unknown;
    if (reason === null || reason === 'not_resumed') continue;
    const known = totals.unknown.find((each) => each.reason === reason);
    if (known) known.count += 1;
    else totals.unknown.push({ reason, count: 1 });
  }
  return totals;
}

/** `Resuming saved est. $1.20 in 12 escalations; 9 of 41 tool calls were repeated.` */
export function totalsSentence(totals: EscalationTotals): string {
  const calls = totals.resumed.calls + totals.handedOff.calls;
  const repeated = totals.resumed.repeated + totals.handedOff.repeated;
  const among = totals.left
    ? ` Counted over the newest ${MAX_COMPARED_CHAINS} chains that escalated.`
    : '';
  const again =
    calls === 0
      ? ''
      : `${formatCount(repeated)} of ${formatCount(calls)} tool calls ${repeated === 1 ? 'was' : 'were'} repeated`;
  if (totals.valued === 0) return again === '' ? '' : `${again}.${among}`;
  const net = totals.savingMicros - totals.premiumMicros;
  const escalations =
    totals.valued === 1 ? '1 escalation' : `${formatCount(totals.valued)} escalations`;
  const worth =
    net >= 0
      ? `Resuming saved est. ${formatCost(net)} in ${escalations}`
      : `Resuming cost est. ${formatCost(-net)} more than handing off would have in ${escalations}`;
  return `${worth}${again === '' ? '' : `; ${again}`}.${among}`;
}

/** More chains than these aren't compared on one page. */
export const MAX_COMPARED_CHAINS = 100;

/** The same in parts. */
export function totalsLines(totals: EscalationTotals): { label: string; detail: string }[] {
  const { valued, savingMicros, premiumMicros, resumed, handedOff, unknown } = totals;
  return [
    ...(valued > 0
      ? [
          { label: 'Saved by not looking again', detail: `est. ${formatCost(savingMicros)}` },
          {
            label: premiumLabel(premiumMicros),
            detail: `est. ${formatCost(Math.abs(premiumMicros))}`,
          },
        ]
      : []),
    ...countLine('Tool calls repeated after resuming', resumed),
    ...countLine('Tool calls repeated after a handoff', handedOff),
    ...unknown.map(({ reason, count }) => ({
      label: `Not compared: ${UNKNOWN_WORDS[reason]}`,
      detail: count === 1 ? '1 escalation' : `${formatCount(count)} escalations`,
    })),
  ];
}

/** `Premium for reading the conversation again`, or what it saved where that was cheaper. */
export function premiumLabel(micros: number): string {
  return micros >= 0
    ? 'Premium for reading the conversation again'
    : 'Saved by reading the conversation from the cache';
}

function countLine(label: string, { calls, repeated }: CallCount) {
  if (calls === 0) return [];
  return [{ label, detail: `${formatCount(repeated)} of ${formatCount(calls)}` }];
}
