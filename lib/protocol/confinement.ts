/** Whether attempts are confined on a host, and why not. */
import { z } from 'zod';

/**
 * How a project's agents run: `confined` to a sandbox, or `open`, with the rights of the runner's
 * account. A confined project starts nothing on a host that can't confine.
 */
export const ISOLATIONS = ['confined', 'open'] as const;
export const isolationSchema = z.enum(ISOLATIONS);
export type Isolation = z.infer<typeof isolationSchema>;

/**
 * The same in a start, in words that every version of the runner knows. A word of another version
 * never starts an unconfined agent.
 */
export const startIsolationSchema = z.enum(['required', 'off']).catch('required');
export type StartIsolation = z.infer<typeof startIsolationSchema>;

const IN_STARTS: Record<Isolation, StartIsolation> = { confined: 'required', open: 'off' };

export function startIsolation(isolation: Isolation): StartIsolation {
  return IN_STARTS[isolation];
}

/**
 * `process_list_visible`: confined, but process IDs and command lines of the host can be seen.
 */
export const CONFINEMENT_STATES = ['confined', 'process_list_visible', 'none'] as const;
export const confinementStateSchema = z.enum(CONFINEMENT_STATES);
export type ConfinementState = z.infer<typeof confinementStateSchema>;

/** Whether something ran in a sandbox; false if its runner doesn't report it. */
export function isConfined({ confinement }: { confinement?: string | null | undefined }): boolean {
  return confinement !== undefined && confinement !== null && confinement !== 'none';
}

/** Why a host can't confine, or can't hide its process list. */
export const CONFINEMENT_CAUSES = [
  'not_linux',
  'not_installed',
  'too_old',
  'apparmor',
  'namespaces_filtered',
  'namespaces_exhausted',
  'proc_masked',
  /** The sandbox started, and something was reachable in it. */
  'leaks',
  'unknown',
] as const;
export const confinementCauseSchema = z.enum(CONFINEMENT_CAUSES);
export type ConfinementCause = z.infer<typeof confinementCauseSchema>;

export const confinementSchema = z.object({
  state: confinementStateSchema,
  /** Null if it is `confined`. */
  cause: confinementCauseSchema.nullable(),
  /** What bubblewrap or the probe said, at most 500 characters; null if nothing. */
  detail: z.string().max(500).nullable(),
});
export type Confinement = z.infer<typeof confinementSchema>;
