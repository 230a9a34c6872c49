/**
 * The handoff, version 1: the JSON that passes between tiers. Built by the control plane at
 * every escalation, and written by the agent as `handoff.json` in handoff mode.
 *
 * Fields that came after the first release are optional, and a value of the wrong shape counts
 * as absent: stored handoffs stay readable, and an agent's slip in a field that no decision
 * depends on never blocks an escalation.
 */

import { z } from 'zod';
import { levelSchema } from '@/lib/protocol/events';
import { checkStatusSchema } from '@/lib/protocol/spec';

export const HANDOFF_VERSION = 1;
export const MAX_SERVICES = 200;
export const MAX_CHECK_RESULTS = 2_000;
export const HANDOFF_CHECK_TYPES = ['http', 'dns', 'container', 'database', 'service'] as const;

const name = z.string().trim().min(1).max(100);
const text = z.string().trim().min(1);
const extraText = text.optional().catch(undefined);

const handoffCheckSchema = z.object({
  service: name,
  check_type: z.enum(HANDOFF_CHECK_TYPES),
  status: checkStatusSchema,
  /** May be empty. */
  error: z.string(),
  response_time_ms: z.number().int().nonnegative().optional(),
  /** What the tier reported about the service, in addition to the check's error. */
  detail: extraText,
});
export type HandoffCheck = z.infer<typeof handoffCheckSchema>;

const handoffFindingSchema = z.object({
  service: name.optional().catch(undefined),
  severity: levelSchema.catch('warning'),
  message: text,
});
export type HandoffFinding = z.infer<typeof handoffFindingSchema>;

const findings = z.array(handoffFindingSchema).optional().catch(undefined);

export const handoffSchema = z.object({
  schema_version: z.literal(HANDOFF_VERSION),
  /** A request: the next tier is always the current one plus 1. */
  recommended_tier: z.union([z.literal(2), z.literal(3)]),
  services_affected: z.array(name).min(1).max(MAX_SERVICES),
  /** Summary and reason of the report's escalation request. */
  summary: extraText,
  escalation_reason: extraText,
  findings,
  check_results: z.array(handoffCheckSchema).min(1).max(MAX_CHECK_RESULTS),
  /** Used and remaining actions as the sender knew them, in the sender's own shape. */
  cooldown_state: z.record(z.string(), z.unknown()),
  /** Both texts are required when tier 2 hands over to tier 3. */
  investigation_findings: text.optional(),
  remediation_attempted: text.optional(),
  /** Reports of the tiers before the sender, oldest first. Filled in by the control plane. */
  earlier_reports: z
    .array(
      z.object({
        tier: z.number().int(),
        summary: extraText,
        escalation_reason: extraText,
        findings,
      }),
    )
    .optional()
    .catch(undefined),
});
export type Handoff = z.infer<typeof handoffSchema>;
export type EarlierReport = NonNullable<Handoff['earlier_reports']>[number];
