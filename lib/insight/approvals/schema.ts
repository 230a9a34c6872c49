/** Approvals as they are shown. Ids are typed, times are ISO 8601 in UTC. */
import { z } from 'zod';
import {
  approvalKindSchema,
  approvalStatusSchema,
  approvalVerdictSchema,
  VOTE_DOORS,
} from '@/lib/engine/statuses';
import { pageQuerySchema } from '@/lib/platform/http/cursor';
import { approverRoleSchema, refusalEffectSchema } from '@/lib/projects/approval-settings';
import { projectRefSchema } from '@/lib/projects/view';
import { approvalFileSchema } from '@/lib/protocol/commands';
import { sessionRefSchema } from '../sessions/schema';

const time = z.string();

export const approvalDtoSchema = z.object({
  /** `apr_…` */
  id: z.string(),
  kind: approvalKindSchema.meta({ description: 'A command of an agent, or the start of a tier.' }),
  status: approvalStatusSchema.meta({
    description: '`withdrawn`: nobody waits for it now, because the agent or its chain has ended.',
  }),
  project: projectRefSchema,
  chain: z.object({ id: z.string(), number: z.number().int() }),
  session: sessionRefSchema,
  tier: z.number().int(),
  argv: z.array(z.string()).nullable().meta({
    description: 'Program and arguments, without secrets; null for the start of a tier.',
  }),
  cwd: z.string().nullable().meta({ description: 'The agent’s folder in its sandbox.' }),
  files: z.array(approvalFileSchema).meta({
    description:
      'Files of the work folder that the command gets, as they were when it was asked for.',
  }),
  services: z.array(z.string()).meta({ description: 'Services that it is about.' }),
  rule: z
    .string()
    .nullable()
    .meta({ description: 'The rule that requires the approval; null for the start of a tier.' }),
  reason: z.string().meta({
    description: 'The agent’s own words before the command, or why the tier is due. Not checked.',
  }),
  runner: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .meta({ description: 'The host on which the command would run; no other may.' }),
  digest: z.string().meta({
    description: 'SHA-256 of everything that is decided about. Send it back with the decision.',
  }),
  requester: z.string().nullable().meta({
    description: 'The person who started the chain, who can’t decide; null: nobody did.',
  }),
  minRole: approverRoleSchema.meta({ description: 'The least role that may decide.' }),
  peopleNeeded: z.number().int().meta({ description: 'How many have to approve.' }),
  onRefusal: refusalEffectSchema.meta({ description: 'What a refusal leads to.' }),
  votes: z
    .array(
      z.object({
        /** E-mail. */
        person: z.string(),
        verdict: approvalVerdictSchema,
        note: z.string(),
        via: z.enum(VOTE_DOORS),
        at: time,
      }),
    )
    .meta({ description: 'Who has decided, in order.' }),
  forbidden: z.string().nullable().meta({
    description:
      'Why you can’t decide about it, or take its refusal back, as a sentence; null if you can or nobody can.',
  }),
  requestedAt: time,
  heldUntil: time.nullable().meta({
    description: 'Until then the command is held; afterwards its process ends. Null for a tier.',
  }),
  expiresAt: time.meta({ description: 'Without a decision until then it doesn’t happen.' }),
  decidedAt: time.nullable(),
  usedAt: time.nullable().meta({ description: 'When the command was let run.' }),
  allowedAgain: z.object({ person: z.string(), at: time }).nullable().meta({
    description:
      'Who took the refusal back, and when. Until then it holds for every tier and chain of the incident.',
  }),
});
export type ApprovalDto = z.infer<typeof approvalDtoSchema>;

export const approvalQuerySchema = pageQuerySchema.extend({
  status: approvalStatusSchema.optional().meta({ description: 'Only those of this status.' }),
  /** Id or slug. */
  project: z.string().optional(),
  /** `chn_…` */
  chain: z.string().optional(),
});
