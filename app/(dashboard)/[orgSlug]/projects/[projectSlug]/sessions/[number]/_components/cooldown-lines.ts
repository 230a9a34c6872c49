import { z } from 'zod';
import { formatSpan } from '@/lib/platform/format/duration';

/** As Tierwatch writes it: by service, by action. */
const stateSchema = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({
      used: z.number(),
      limit: z.number(),
      window_seconds: z.number(),
      next_allowed_at: z.iso.datetime().nullable(),
    }),
  ),
);

export interface CooldownLine {
  service: string;
  /** `restart: 1 of 2 in 4h` */
  text: string;
  /** When the next one is allowed, where none is left; ISO 8601. */
  nextAllowedAt: string | null;
}

/** A line for each service and action; null for a state in a shape of the agent's own. */
export function cooldownLines(state: Record<string, unknown>): CooldownLine[] | null {
  const parsed = stateSchema.safeParse(state);
  if (!parsed.success) return null;
  return Object.entries(parsed.data).flatMap(([service, actions]) =>
    Object.entries(actions).map(([action, { used, limit, window_seconds, next_allowed_at }]) => ({
      service,
      text: `${action}: ${used} of ${limit} in ${formatSpan(window_seconds)}`,
      nextAllowedAt: next_allowed_at,
    })),
  );
}
