/**
 * The handoff, version 1: the JSON that passes between tiers. Built by the control plane at
 * every escalation, and written by the agent as `handoff.json` in handoff mode.
 */
import { z } from 'zod';

export const HANDOFF_VERSION = 1;
export const MAX_SERVICES = 200;
export const MAX_CHECK_RESULTS = 2_000;

const name = z.string().trim().min(1).max(100);

export const handoffCheckSchema = z.object({
  service: name,
  check_type: z.enum(['http', 'dns', 'container', 'database', 'service']),
  status: z.enum(['healthy', 'degraded', 'down']),
  /** May be empty. */
  error: z.string(),
  response_time_ms: z.number().int().nonnegative().optional(),
});
export type HandoffCheck = z.infer<typeof handoffCheckSchema>;

export const handoffSchema = z.object({
  schema_version: z.literal(HANDOFF_VERSION),
  /** A wish: the next tier is always the current one plus 1. */
  recommended_tier: z.union([z.literal(2), z.literal(3)]),
  services_affected: z.array(name).min(1).max(MAX_SERVICES),
  check_results: z.array(handoffCheckSchema).min(1).max(MAX_CHECK_RESULTS),
  /** What the sender knew of used and remaining actions; its shape is the sender's. */
  cooldown_state: z.record(z.string(), z.unknown()),
  /** Both texts are there when tier 2 hands over to tier 3. */
  investigation_findings: z.string().trim().min(1).optional(),
  remediation_attempted: z.string().trim().min(1).optional(),
});
export type Handoff = z.infer<typeof handoffSchema>;
