import { z } from 'zod';
import { tierSchema } from '@/lib/protocol/spec';

/** Roles that can be asked for. An owner may do what an admin may. */
export const APPROVER_ROLES = ['operator', 'admin'] as const;
export const approverRoleSchema = z.enum(APPROVER_ROLES);
export type ApproverRole = z.infer<typeof approverRoleSchema>;

/**
 * What the refusal of a command leads to. `resume`: the agent continues without it and is given the
 * reason. `end`: its chain ends and needs a human.
 */
export const REFUSAL_EFFECTS = ['resume', 'end'] as const;
export const refusalEffectSchema = z.enum(REFUSAL_EFFECTS);
export type RefusalEffect = z.infer<typeof refusalEffectSchema>;

/** The agent's own shell waits two minutes for a command. */
const MAX_HOLD_SECONDS = 90;

const whole = (wanted: string, least: number, most: number) =>
  z.number(wanted).int(wanted).min(least, wanted).max(most, wanted);

/** Who decides about what waits for approval, and for how long it waits. Part of a project's configuration. */
export const approvalSettingsSchema = z.object({
  /** Operators decide up to this tier, admins and owners about every one. */
  operatorsUpToTier: tierSchema,
  /** How many people have to approve. One refusal is enough. */
  people: whole('Choose 1 or 2 people.', 1, 2),
  /** How long a command is held before its process ends. */
  holdSeconds: whole('Enter a time of 0s to 1m 30s.', 0, MAX_HOLD_SECONDS),
  expiresSeconds: whole('Enter a time of 5m to 7d.', 300, 7 * 86_400),
  onRefusal: refusalEffectSchema,
});
export type ApprovalSettings = z.infer<typeof approvalSettingsSchema>;

export const DEFAULT_APPROVALS: ApprovalSettings = {
  operatorsUpToTier: 2,
  people: 1,
  holdSeconds: 60,
  expiresSeconds: 4 * 3_600,
  onRefusal: 'end',
};
