import { cutValue } from '@/lib/agents/event-size';
import { type RunnerEvent, runnerEventSchema } from '@/lib/protocol/events';

/** Far below the largest body, so that a batch can always carry the next event. */
const MAX_EVENT_BYTES = 500_000;

/**
 * An event the control plane will take. One it would refuse would hold up every later one of its
 * attempt, so a notice goes in its place.
 */
export function sendableEvent(event: unknown): RunnerEvent {
  const parsed = runnerEventSchema.safeParse(event);
  if (!parsed.success) return leftOut(parsed.error.issues[0]?.path.join('.') ?? 'its form');
  if (sizeOf(parsed.data) <= MAX_EVENT_BYTES) return parsed.data;
  const cut = runnerEventSchema.safeParse(cutValue(parsed.data, MAX_EVENT_BYTES / 2));
  if (cut.success && sizeOf(cut.data) <= MAX_EVENT_BYTES) return cut.data;
  return leftOut('its length');
}

function leftOut(why: string): RunnerEvent {
  const message = `An event of the agent could not be sent because of ${why}.`;
  return { kind: 'notice', level: 'warning', code: 'EVENT_LEFT_OUT', message };
}

function sizeOf(event: RunnerEvent): number {
  return Buffer.byteLength(JSON.stringify(event));
}
