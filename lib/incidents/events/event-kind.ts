/** What a kind of event consists of. Pure. */
import { z } from 'zod';
import { formatCounted } from '@/lib/platform/format/count';
import { SIGNAL_SEVERITIES, SIGNAL_STATUSES } from '@/lib/signals/schema';
import type { Incident } from '../incident';
import { quoted } from '../sentences';
import type { Applied } from '../transitions';

/** Names of what an event is about, by UUID. */
export interface EventNames {
  service(id: string): string;
  /** `Chain #5` */
  chain(id: string): string;
}

interface EventKind<Schema extends z.ZodType> {
  /** As it is stored, apart from `kind`. Times are ISO 8601, ids are UUIDs. */
  schema: Schema;
  /** Returns what follows from it if it happens `at` that time, with what others are notified of. */
  apply(incident: Incident, event: z.output<Schema>, at: Date): Applied;
  /** Returns one sentence for the timeline. Text of other systems is quoted as it is. */
  text(event: z.output<Schema>, names: EventNames): string;
  /** A person did it: the text begins with the person. */
  isByPerson?: boolean;
  /** People were kept from acting, so that they are notified of what they knew before. */
  isReminder?: boolean;
}

export function eventKind<Schema extends z.ZodType>(kind: EventKind<Schema>): EventKind<Schema> {
  return kind;
}

/** Returns a note as it follows a sentence. */
export function noted(note: string): string {
  return note ? ` ${note}` : '';
}

/** An alert as an event quotes it. Title and source are text of others. */
const quotedSignalSchema = z.object({
  alertId: z.string(),
  title: z.string(),
  /** Name of its source. */
  source: z.string(),
  status: z.enum(SIGNAL_STATUSES),
  severity: z.enum(SIGNAL_SEVERITIES),
  /** The project's service that it is about; null if it names none. */
  service: z.string().nullable(),
});
export type QuotedSignal = z.infer<typeof quotedSignalSchema>;

/** `more`: alerts that aren't quoted. */
export const quotedSignals = { alerts: z.array(quotedSignalSchema), more: z.number() };

/** `Alert “High latency” of Prometheus for web, and 12 more alerts`. */
export function signalsText({
  alerts,
  more,
}: {
  alerts: readonly QuotedSignal[];
  more: number;
}): string {
  const [first, ...others] = alerts;
  if (!first) return formatCounted(more, 'alert');
  const about = first.service ? ` for ${first.service}` : '';
  const hidden = others.length + more;
  const rest = hidden > 0 ? `, and ${formatCounted(hidden, 'more alert')}` : '';
  return `Alert ${quoted(first.title)} of ${first.source}${about}${rest}`;
}
