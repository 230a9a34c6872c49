/**
 * A project's configuration: what a version stores, what the API accepts, what a chain freezes.
 * Money is US dollars here, durations carry their unit in the name.
 */

import { z } from 'zod';
import { COOLDOWN_ACTIONS } from '@/lib/commands/catalog/entry';
import { isolationSchema } from '@/lib/protocol/confinement';
import { harnessNameSchema, serviceSchema, tierSchema } from '@/lib/protocol/spec';
import { approvalSettingsSchema, DEFAULT_APPROVALS } from './approval-settings';
import { askAgentsSchema } from './ask-agents';
import { checkpointSettingsSchema, DEFAULT_CHECKPOINTS } from './checkpoint-settings';
import { maintenanceSchema } from './maintenance/schema';
import {
  DEFAULT_INCIDENTS,
  DEFAULT_START_ON,
  incidentSettingsSchema,
  monitoringSettingsSchema,
  NO_MONITORING,
  startOnSchema,
} from './monitoring-settings';
import { ENTER_A_SPAN, scheduleSchema } from './schedules/schema';

export const tierPolicySchema = z.object({
  tier: tierSchema,
  isEnabled: z.boolean(),
  model: z.string().min(1, 'Enter a model.').max(100),
  /** Tools the agent can see. */
  tools: z.array(z.string().min(1)).max(50),
  allowedTools: z.array(z.string().min(1).max(300)).max(200),
  disallowedTools: z.array(z.string().min(1).max(300)).max(200),
  /** Rules whose commands run only once a person has approved them; only of confined agents. */
  askFirstTools: z.array(z.string().min(1).max(300)).max(200).default([]),
  /** Whether a person has to approve each start of this tier. */
  requiresApproval: z.boolean().default(false),
  /** Replaces the shipped prompt of this tier; null: the shipped one. */
  prompt: z.string().max(40_000).nullable().default(null),
  timeoutSeconds: z
    .number(ENTER_A_SPAN)
    .int()
    .min(10, 'The time limit must be 10s to 2h.')
    .max(7_200, 'The time limit must be 10s to 2h.'),
  stallSeconds: z
    .number(ENTER_A_SPAN)
    .int()
    .min(10, 'The stall timeout must be 10s to 1h.')
    .max(3_600, 'The stall timeout must be 10s to 1h.')
    .default(180),
  maxTurns: z
    .number('Enter a number.')
    .int()
    .min(1, 'The turn limit must be 1 to 500.')
    .max(500, 'The turn limit must be 1 to 500.'),
  /** Per process; null: no limit of its own. */
  maxBudgetUsd: z
    .number('Enter an amount in dollars.')
    .positive('A budget must be more than $0. Leave it empty for no limit.')
    .max(1_000, 'A process may spend at most $1,000.')
    .nullable(),
  /** Tokens; null: as the CLI reports it for the model. */
  contextWindow: z
    .number('Enter a number of tokens.')
    .int('Enter a whole number of tokens.')
    .min(1_000, 'The context window must be 1,000 to 10,000,000 tokens.')
    .max(10_000_000, 'The context window must be 1,000 to 10,000,000 tokens.')
    .nullable()
    .default(null),
});
export type TierPolicy = z.infer<typeof tierPolicySchema>;

const cooldownRuleSchema = z.object({
  action: z.enum(COOLDOWN_ACTIONS),
  limit: z
    .number('Enter a number.')
    .int('Enter a whole number.')
    .min(0, 'A cooldown can allow 0 to 100.')
    .max(100, 'A cooldown can allow 0 to 100.'),
  windowSeconds: z
    .number(ENTER_A_SPAN)
    .int()
    .min(60, 'The period of a cooldown must be 1m to 30d.')
    .max(30 * 86_400, 'The period of a cooldown must be 1m to 30d.'),
});
export type CooldownRule = z.infer<typeof cooldownRuleSchema>;

const usdLimitSchema = z
  .number('Enter an amount in dollars.')
  .positive('A budget must be more than $0. Leave it empty for no limit.')
  .nullable();

export const budgetsSchema = z.object({
  chainUsd: usdLimitSchema,
  dayUsd: usdLimitSchema,
  monthUsd: usdLimitSchema,
});
export type Budgets = z.infer<typeof budgetsSchema>;

const edgeModeSchema = z.enum(['resume', 'handoff']);

export const projectConfigSchema = z.object({
  harness: harnessNameSchema,
  services: z.array(serviceSchema).max(100),
  /** Checks without an agent. */
  monitoring: monitoringSettingsSchema.default(NO_MONITORING),
  schedule: scheduleSchema,
  /** What starts a chain apart from the schedule. */
  startOn: startOnSchema.default(DEFAULT_START_ON),
  incidents: incidentSettingsSchema.default(DEFAULT_INCIDENTS),
  /** How the agents of every tier and of Ask run. `readConfig` knows it for older configurations. */
  isolation: isolationSchema,
  tiers: z.tuple([tierPolicySchema, tierPolicySchema, tierPolicySchema]),
  maxTier: tierSchema,
  dryRun: z.boolean(),
  /** Share of the continuing model's window above which a hop hands off instead of resuming. */
  contextThreshold: z
    .number('Enter a number above 0 and at most 1.')
    .gt(0, 'Enter a number above 0 and at most 1.')
    .lte(1, 'Enter a number above 0 and at most 1.'),
  /** Tokens that resuming may read again; above it a hop hands off. Null: no limit. */
  maxRereadTokens: z
    .number('Enter a number of tokens.')
    .int('Enter a whole number of tokens.')
    .min(
      1_000,
      'The re-read limit must be 1,000 to 10,000,000 tokens. Leave it empty for no limit.',
    )
    .max(
      10_000_000,
      'The re-read limit must be 1,000 to 10,000,000 tokens. Leave it empty for no limit.',
    )
    .nullable()
    .default(null),
  continuation: z.object({ tier1To2: edgeModeSchema, tier2To3: edgeModeSchema }),
  /** Where one model has not been shown to continue what another said. */
  unprovenModels: edgeModeSchema.default('resume'),
  /** Where a conversation holds text of other systems, such as alerts, and a higher tier follows. */
  taintedConversation: edgeModeSchema.default('handoff'),
  cooldowns: z.array(cooldownRuleSchema).max(20),
  budgets: budgetsSchema,
  maintenance: maintenanceSchema,
  /** Who decides about what waits for approval. */
  approvals: approvalSettingsSchema.default(DEFAULT_APPROVALS),
  /** What keeps a session's knowledge when its context or its process is gone. */
  checkpoints: checkpointSettingsSchema.default(DEFAULT_CHECKPOINTS),
  /** Agents available in Ask; if none is listed, the agent of the chains. */
  askAgents: askAgentsSchema.default([]),
  /** Sent to the agent as the operator's own words; free text. */
  instructions: z.string().max(4_000).default(''),
  runnerPool: z.string().min(1, 'Choose a runner pool.').max(60),
  /** Names of files below the runner's secrets folder, redacted in everything of these tiers. */
  secrets: z
    .array(
      z.object({
        name: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
        tiers: z.array(tierSchema),
        /** Rules of these tiers whose commands get it as a variable; only of confined agents. */
        rules: z.array(z.string().min(1).max(300)).max(50).default([]),
      }),
    )
    .max(50)
    .default([]),
});
export type ProjectConfig = z.infer<typeof projectConfigSchema>;
