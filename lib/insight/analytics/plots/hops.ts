import { RESUME_REASONS, type ResumeReason } from '@/lib/engine/continuation/reasons';
import { formatCount } from '@/lib/platform/format/count';
import type { HopRow } from '../data';
import { countCell, type PlotFrame, type PlotResult, plotOf, sumOf } from '../frame';

interface HopsPoint {
  resumed: number;
  handoff: number;
  /** Handed off after a resume was tried and failed. */
  fallback: number;
}

interface HandoffReason {
  code: string;
  words: string;
  count: number;
}

export interface HopsPlot extends PlotResult<HopsPoint> {
  /** Why it was handed off instead of resumed, most often first. */
  reasons: HandoffReason[];
}

/** Escalations by how the next tier started, in the bucket of that session. */
export function hopsPlot(frame: PlotFrame, rows: readonly HopRow[]): HopsPlot {
  const headers = ['Resumed', 'Handed off', 'Handed off after a failed resume', 'All'];
  const plot = plotOf(frame, rows, {
    caption: captionOf(pointOf(rows), frame),
    pointOf,
    columns: headers.map((header) => ({ header, isNumber: true })),
    cellsOf: (point) => [point.resumed, point.handoff, point.fallback, allOf(point)].map(countCell),
    nothing: 'no escalations',
    isEmpty: rows.length === 0,
  });
  return { ...plot, reasons: reasonsOf(rows) };
}

function pointOf(rows: readonly HopRow[]): HopsPoint {
  const hops = (found: readonly HopRow[]) => sumOf(found, (row) => row.hops);
  const handoffs = rows.filter((row) => row.mechanism === 'handoff');
  return {
    resumed: hops(rows.filter((row) => row.mechanism === 'resume')),
    handoff: hops(handoffs.filter((row) => !row.isFallback)),
    fallback: hops(handoffs.filter((row) => row.isFallback)),
  };
}

export function allOf({ resumed, handoff, fallback }: HopsPoint): number {
  return resumed + handoff + fallback;
}

function reasonsOf(rows: readonly HopRow[]): HandoffReason[] {
  const handoffs = rows.filter((row) => row.mechanism === 'handoff');
  return [...new Set(handoffs.map((row) => row.reason))]
    .map((code) => ({
      code,
      words: reasonWords(code),
      count: sumOf(
        handoffs.filter((row) => row.reason === code),
        (row) => row.hops,
      ),
    }))
    .toSorted((one, other) => other.count - one.count || one.code.localeCompare(other.code));
}

function captionOf(all: HopsPoint, { rangeWords }: PlotFrame): string {
  const total = allOf(all);
  if (total === 0) return `No chain escalated in ${rangeWords}.`;
  const handedOff = all.handoff + all.fallback;
  const first = `${formatCount(all.resumed)} of ${formatCount(total)} ${total === 1 ? 'escalation' : 'escalations'} resumed the conversation`;
  const rest = handedOff === 0 ? 'none' : handedOff === total ? 'all' : formatCount(handedOff);
  const failed =
    all.fallback > 0 ? `, ${formatCount(all.fallback)} of them after a failed resume` : '';
  return `${first}; ${rest} started from the handoff${failed}.`;
}

/** A reason in a few words, for counting: its sentence names one escalation's numbers. */
const WORDS: Partial<Record<ResumeReason, string>> = {
  OK_RESUME: 'The conversation continued',
  OK_CONTINUE: 'It was continued once after it went silent',
  FORCE_FRESH: 'A fresh conversation was asked for',
  RESUME_DISABLED: 'The project hands off at this step',
  CONTEXT_PRESSURE: 'The context was above its limit',
  CONTEXT_UNKNOWN: 'How full the context was is not known',
  CONTEXT_EXHAUSTED: 'The conversation was full',
  RESUME_REJECTED: 'The runner had no such conversation',
  NO_POINTER: 'No conversation id was recorded',
  POINTER_UNCONFIRMED: 'The conversation was never confirmed',
  POINTER_RETIRED: 'The conversation had been given up',
  HISTORY_UNREPLAYABLE: "The history couldn't be replayed",
  FALLBACK_KEPT: 'It had started from the handoff before',
  UNREACHABLE: "The runner that held it didn't answer",
  SEAL_REFUSED: 'The runner that held it sent no copy',
  SEAL_EXPIRED: 'Its sealed copy had expired',
  SEAL_DIFFERS: 'Its sealed copy was another conversation',
  SEAL_UNUSABLE: 'Its sealed copy was damaged or missing',
  SEAL_UNAVAILABLE: "Its sealed copy couldn't be opened",
  SEAL_UNSUPPORTED: 'The runner was too old for sealed copies',
  WORKDIR_CHANGED: 'Its work directory was another one',
  TAMPERED: 'The stored conversation had been changed',
  RUNTIME_CHANGED: "The agent's CLI had changed",
  CLI_DOWNGRADE: 'The host had an older CLI',
  AUTH_CHANGED: 'The account of the provider had changed',
  EPOCH_BASE: 'The configuration had changed',
  EXPIRED: 'The conversation had expired',
  FAILURE_CAP: 'Resuming it had failed repeatedly',
  DEPTH_CAP: 'It had been continued too many times',
  MODEL_EDGE_UNPROVEN: 'Resuming with this model is not proven',
  OWNER_CLI_DENYLISTED: 'The CLI of the host that held it is on a denylist',
  OWNER_UNCONFINED: 'The host that held it can’t confine agents',
  OWNER_UNPROVEN: 'The canary failed on the host that held it',
  TOO_LARGE: 'The conversation was too large',
  UNECONOMIC: 'Reading it again would cost too much',
};

/** The code itself in words where it is rare: `CLOCK_SKEW` is `Clock skew`. */
export function reasonWords(code: string): string {
  if (code === '') return 'No reason was recorded';
  const known = RESUME_REASONS.find((reason) => reason === code);
  const words = known && WORDS[known];
  if (words) return words;
  const plain = code.toLowerCase().replaceAll('_', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
