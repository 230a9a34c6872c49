/** The gauges of rows for a scrape: read at most every few seconds, and never for longer than it waits. */

import { Gauge, Registry } from 'prom-client';
import { logger } from '@/lib/platform/logger';
import { within } from '@/lib/platform/within';
import { readStateInTransaction, type Sample, STATE_GAUGES } from './state-data';

/** Several Prometheus servers, and someone who looks, cost one read. */
const FRESH_MS = 5_000;

interface Kept {
  /** When it was begun, in milliseconds since 1970. */
  at: number;
  samples: Promise<Sample[][]>;
}

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchStateGauges?: Kept | undefined };

/**
 * Returns the gauges that describe rows, with `tierwatch_state_read_success` 1. If they can't be read
 * within `timeoutMs`, it is 0 and the others are missing, since an old value would look like a current one.
 */
export async function readState(
  timeoutMs: number,
  now = new Date(),
  read: typeof readStateInTransaction = readStateInTransaction,
): Promise<Registry> {
  const registry = new Registry();
  const success = new Gauge({
    name: 'tierwatch_state_read_success',
    help: '1 if the gauges that describe rows could be read from PostgreSQL, otherwise 0 and they are missing.',
    registers: [registry],
  });
  try {
    const samples = await within(timeoutMs, kept(timeoutMs, now, read));
    for (const [index, { name, help, labels }] of STATE_GAUGES.entries()) {
      const gauge = new Gauge({
        name,
        help,
        labelNames: Object.keys(labels),
        registers: [registry],
      });
      for (const sample of samples[index] ?? []) gauge.set(sample.labels, sample.value);
    }
    success.set(1);
  } catch (error) {
    logger.warn({ error: String(error) }, 'metrics of rows not read');
    success.set(0);
  }
  return registry;
}

/** What is being read, or was read a moment ago. A failure isn't kept. */
function kept(timeoutMs: number, now: Date, read: typeof readStateInTransaction) {
  const known = held.tierwatchStateGauges;
  if (known && now.getTime() - known.at < FRESH_MS) return known.samples;
  const samples = read(timeoutMs, now);
  const entry = { at: now.getTime(), samples };
  held.tierwatchStateGauges = entry;
  samples.catch(() => {
    if (held.tierwatchStateGauges === entry) held.tierwatchStateGauges = undefined;
  });
  return samples;
}

/** For tests, which begin with other rows. */
export function forgetState(): void {
  held.tierwatchStateGauges = undefined;
}
