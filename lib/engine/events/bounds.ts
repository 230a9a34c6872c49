/** What is stored of the events that a runner sends: bounded in size, in time, and after the end. */
import type { RunnerEvent } from '@/lib/protocol/events';

/** Larger than any event that a runner sends, which cuts them at 500,000 bytes of JSON. */
const MAX_EVENT_BYTES = 600_000;

/** Returns the event, or a notice in the place of one that no runner of ours can have sent. */
export function boundedEvent(event: RunnerEvent): { event: RunnerEvent; bytes: number } {
  const bytes = Buffer.byteLength(JSON.stringify(event));
  if (bytes <= MAX_EVENT_BYTES) return { event, bytes };
  const message = `The runner sent an event of ${bytes} bytes. An event may have ${MAX_EVENT_BYTES}, so it was not stored.`;
  return { event: { kind: 'notice', level: 'warning', code: 'EVENT_LEFT_OUT', message }, bytes: 0 };
}

/** Clocks differ by this much without anyone minding, in milliseconds. */
const TOLERANCE_MS = 60_000;
/** 63 years, so that it fits its column. */
const MAX_OFF_SECONDS = 2_000_000_000;

/**
 * Moves the time of an event into its attempt's: not before the claim and not after now.
 *
 * @returns `offSeconds`: by how much the runner's clock was off; null within a minute
 */
export function boundedTime(
  at: Date,
  claimedAt: Date,
  now: Date,
): { at: Date; offSeconds: number | null } {
  const moved = new Date(Math.min(now.getTime(), Math.max(claimedAt.getTime(), at.getTime())));
  const offMs = at.getTime() - moved.getTime();
  if (Math.abs(offMs) <= TOLERANCE_MS) return { at, offSeconds: null };
  const seconds = Math.round(offMs / 1_000);
  return {
    at: moved,
    offSeconds: Math.max(-MAX_OFF_SECONDS, Math.min(MAX_OFF_SECONDS, seconds)),
  };
}

/** How long, and how much, is accepted of an attempt after its end. */
const LATE_HOURS = 72;
const MAX_LATE_EVENTS = 100_000;
const MAX_LATE_BYTES = 64_000_000;

interface LateAttempt {
  endedAt: Date | null;
  lateEvents: number;
  lateBytes: number;
}

/** Returns why events are refused that arrive after the attempt's end; null if they are accepted. */
export function lateRefusal(
  { endedAt, lateEvents, lateBytes }: LateAttempt,
  more: { events: number; bytes: number },
  now: Date,
): string | null {
  if (endedAt === null) return null;
  if (now.getTime() - endedAt.getTime() > LATE_HOURS * 3_600_000) {
    return `they arrived more than ${LATE_HOURS} hours after the end`;
  }
  if (lateEvents + more.events > MAX_LATE_EVENTS || lateBytes + more.bytes > MAX_LATE_BYTES) {
    return `more than ${MAX_LATE_EVENTS} events or ${MAX_LATE_BYTES} bytes arrived after the end`;
  }
  return null;
}

/** `1 h 2 min ahead`, of seconds. */
export function clockText(offSeconds: number): string {
  const seconds = Math.abs(offSeconds);
  const direction = offSeconds > 0 ? 'ahead' : 'behind';
  if (seconds < 120) return `${seconds} s ${direction}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min ${direction}`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${direction}` : `${Math.floor(hours / 24)} days ${direction}`;
}
