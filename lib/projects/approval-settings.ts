import { z } from 'zod';
import { tierSchema } from '@/lib/protocol/spec';
import { choice, seconds, setting, whole } from './setting';

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

/** The agent's own shell waits two minutes for a command. */
const MAX_HOLD_SECONDS = 90;

/** Who decides about what waits for approval, and for how long it waits. Part of a project's configuration. */
export const approvalSettingsSchema = z.object({
  operatorsUpToTier: setting(tierSchema, {
    label: 'Operators up to',
    name: 'operators decide up to tier',
    doc: 'Operators decide up to this tier; admins and owners about every tier.',
    comment: 'admins and owners decide about every tier',
    control: {
      kind: 'choice',
      choices: [
        {
          value: 1,
          label: 'Tier 1',
          meaning: 'Operators decide in tier 1, admins and owners in every tier.',
        },
        {
          value: 2,
          label: 'Tier 2',
          meaning: 'Operators decide in tiers 1 and 2, admins and owners in every tier.',
        },
        {
          value: 3,
          label: 'Tier 3',
          meaning: 'Operators, admins and owners decide in every tier.',
        },
      ],
    },
  }).default(2),
  people: setting(whole(1, 2, 'Choose 1 or 2 people.'), {
    label: 'People needed',
    doc: 'How many people have to approve: 1 or 2. One refusal is enough.',
    comment: '1 or 2; one refusal is enough',
    control: {
      kind: 'choice',
      choices: [
        {
          value: 1,
          label: 'One',
          meaning: 'One person approves. The person who started the chain can’t.',
        },
        {
          value: 2,
          label: 'Two',
          meaning:
            'Two people approve; one refusal is enough. The person who started the chain can’t decide.',
        },
      ],
    },
  }).default(1),
  holdSeconds: seconds(0, MAX_HOLD_SECONDS, {
    label: 'Hold a command for',
    hint: '0s to 1m 30s. Then the process ends until the decision.',
    doc: 'Seconds for which a command is held. Then its process ends, and the conversation continues after the decision.',
    comment: 'seconds; then the process ends until the decision',
  }).default(60),
  expiresSeconds: seconds(300, 7 * 86_400, {
    label: 'Requests expire after',
    hint: '5m to 7d. Then the chain ends and needs a human.',
    doc: 'Seconds after which a request that nobody has decided expires. Its chain then needs a human.',
    comment: 'seconds; then the chain needs a human',
  }).default(4 * 3_600),
  onRefusal: choice(
    [
      {
        value: 'resume',
        label: 'Continue',
        meaning: 'The agent continues without the command, and reads the reason.',
      },
      { value: 'end', label: 'End', meaning: 'The chain ends and needs a human.' },
    ],
    {
      label: 'Refused command',
      doc: 'After a command was refused: `resume` continues the agent with the reason, `end` ends the chain, which then needs a human. Either way the command stays refused in the whole incident.',
      comment: 'resume: the agent continues with the reason; end: the chain needs a human',
    },
  ).default('end'),
});
export type ApprovalSettings = z.infer<typeof approvalSettingsSchema>;

export const DEFAULT_APPROVALS = approvalSettingsSchema.parse({});
