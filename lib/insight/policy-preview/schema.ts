/** What a change of a project's tiers makes of the commands that its agents ran lately. */
import { z } from 'zod';
import { tierPolicySchema } from '@/lib/projects/schema';
import { isolationSchema } from '@/lib/protocol/confinement';
import { serviceSchema, tierSchema } from '@/lib/protocol/spec';

export const PREVIEW_DAYS = 30;

/** Different commands of a tier that are compared, the newest ones: shell lines and argvs each. */
export const MAX_COMMANDS = 2_000;

/** Commands that a group lists; its counts cover all of them. */
export const MAX_LISTED = 200;

/** The parts of a configuration that decide about commands; other fields are dropped. */
export const commandPolicySchema = z.object({
  services: z.array(serviceSchema).max(100),
  tiers: z.array(
    tierPolicySchema.pick({
      tier: true,
      isEnabled: true,
      tools: true,
      allowedTools: true,
      disallowedTools: true,
      askFirstTools: true,
    }),
  ),
  maxTier: tierSchema,
  isolation: isolationSchema,
});
export type CommandPolicyVersion = z.infer<typeof commandPolicySchema>;

/** In the order in which they are shown. */
export const CHANGE_KINDS = [
  'newly_allowed',
  'no_longer_asking',
  'newly_asking',
  'newly_refused',
  'newly_inside',
] as const;
export const changeKindSchema = z.enum(CHANGE_KINDS).meta({
  description:
    'newly_asking: it now needs a person’s approval. no_longer_asking: it is allowed without one. newly_inside: it now runs in the sandbox, where it can change nothing outside.',
});
export type ChangeKind = z.infer<typeof changeKindSchema>;

const changedCommandSchema = z.object({
  command: z.string().meta({ description: 'At most 1,000 characters.' }),
  count: z.number().int().meta({ description: 'How often it was called in these days.' }),
  newest: z
    .object({
      sessionNumber: z.number().int(),
      seq: z.number().int().meta({ description: 'Sequence number of the event in its session.' }),
      at: z.iso.datetime(),
    })
    .meta({ description: 'The last call.' }),
  rule: z
    .string()
    .nullable()
    .meta({ description: 'The rule that now decides, as written; null where none does.' }),
  why: z.string().meta({ description: 'A sentence about the new decision.' }),
});
export type ChangedCommand = z.infer<typeof changedCommandSchema>;

const changeGroupSchema = z.object({
  kind: changeKindSchema,
  tier: tierSchema,
  commands: z.number().int().meta({ description: 'Different commands.' }),
  calls: z.number().int().meta({ description: 'How often they were called, together.' }),
  listed: z
    .array(changedCommandSchema)
    .meta({ description: `The most frequent ones, at most ${MAX_LISTED}.` }),
});
export type ChangeGroup = z.infer<typeof changeGroupSchema>;

export const policyPreviewSchema = z.object({
  days: z.number().int().meta({ description: 'How far back commands are compared.' }),
  tiers: z
    .array(
      z.object({
        tier: tierSchema,
        commands: z.number().int().meta({ description: 'Different commands that were compared.' }),
        isCut: z.boolean().meta({
          description: `Older commands were left out: only the newest ${MAX_COMMANDS.toLocaleString('en')} are compared.`,
        }),
      }),
    )
    .meta({ description: 'The tiers whose rules for commands differ.' }),
  groups: z
    .array(changeGroupSchema)
    .meta({ description: 'Empty if nothing is decided differently.' }),
});
export type PolicyPreview = z.infer<typeof policyPreviewSchema>;
