/**
 * A project's configuration: what a version stores, what the API accepts, what a chain freezes. Each field
 * is a `setting` with its texts. Money is US dollars here, durations carry their unit in the name.
 */

import { z } from 'zod';
import { COOLDOWN_ACTIONS } from '@/lib/commands/catalog/entry';
import { AGENT_NAMES } from '@/lib/protocol/agent-names';
import { isolationSchema } from '@/lib/protocol/confinement';
import { harnessNameSchema, serviceSchema, tierSchema } from '@/lib/protocol/spec';
import { approvalSettingsSchema, DEFAULT_APPROVALS } from './approval-settings';
import { askAgentsSchema } from './ask-agents';
import { checkpointSettingsSchema, DEFAULT_CHECKPOINTS } from './checkpoint-settings';
import { MAX_ASK_AGENTS } from './limits';
import { maintenanceSchema } from './maintenance/schema';
import {
  DEFAULT_INCIDENTS,
  DEFAULT_START_ON,
  incidentSettingsSchema,
  monitoringSettingsSchema,
  NO_MONITORING,
  startOnSchema,
} from './monitoring-settings';
import { scheduleSchema } from './schedules/schema';
import { type Choice, choice, count, flag, seconds, setting, text, usd } from './setting';

const rules = z.array(z.string().min(1).max(300)).max(200);

export const tierPolicySchema = z.object({
  tier: setting(tierSchema, { label: 'Tier', doc: 'Which tier this is about.' }),
  isEnabled: setting(z.boolean(), {
    label: 'Enabled',
    doc: 'Whether chains may escalate to it. Equivalent to `maxTier`.',
  }),
  model: text(z.string().min(1, 'Enter a model.').max(100), {
    label: 'Model',
    doc: 'Model or alias, passed to the CLI.',
    control: { kind: 'text', suggests: 'models' },
  }),
  tools: setting(z.array(z.string().min(1)).max(50), {
    label: 'Tools',
    hint: 'Tools the agent can see. Anything else is unavailable to it.',
  }),
  allowedTools: setting(rules, {
    label: 'Allowed rules',
    hint: 'These run without asking. Everything else is denied.',
    doc: 'Rules for what runs without asking, such as `Bash(docker ps:*)`.',
  }),
  disallowedTools: setting(rules, {
    label: 'Always denied',
    name: 'denied rules',
    hint: 'Never run, even if an allowed rule matches. A safety net: rely on the allowed rules.',
    doc: 'Rules for what is always denied.',
  }),
  askFirstTools: setting(rules, {
    label: 'Ask first',
    name: 'ask-first rules',
    hint: 'Their commands wait for a person’s approval, even if an allowed rule matches.',
    doc: 'Rules whose commands run only once a person has approved them. In an open project nothing can hold a command, so each denies everything that begins with its plain words.',
  }).default([]),
  requiresApproval: flag({
    label: 'A person approves each start of this tier',
    name: 'each start needs approval',
    doc: 'True: a person has to approve each start of this tier.',
  }).default(false),
  prompt: setting(z.string().max(40_000), {
    label: 'Task of this tier',
    name: 'prompt',
    doc: 'Replaces the default prompt of the tier; null: the default.',
    comment: 'null: the default prompt',
  })
    .nullable()
    .default(null),
  timeoutSeconds: seconds(10, 7_200, {
    label: 'Time limit',
    doc: 'Seconds a process may run.',
  }),
  stallSeconds: seconds(10, 3_600, {
    label: 'Stall timeout',
    doc: 'Seconds without an event after which a process is stopped.',
    comment: 'seconds without an event',
  }).default(180),
  maxTurns: count(1, 500, 'turns', {
    label: 'Max turns',
    doc: 'Maximum model requests per process.',
    comment: 'requests to the model, per process',
  }),
  maxBudgetUsd: usd(
    {
      label: 'Max cost',
      doc: 'US dollars one process may spend; null: no limit of its own.',
      comment: 'US dollars per process; null: no limit of its own',
    },
    1_000,
  ),
  contextWindow: count(1_000, 10_000_000, 'tokens', {
    label: 'Context window',
    doc: 'Tokens; null: as the CLI reports it for the model.',
    comment: 'tokens; null is what the CLI reports for the model',
    control: { kind: 'number', placeholder: 'as reported' },
  })
    .nullable()
    .default(null),
});
export type TierPolicy = z.infer<typeof tierPolicySchema>;

const cooldownRuleSchema = z.object({
  action: setting(z.enum(COOLDOWN_ACTIONS), {
    label: 'Action',
    doc: 'The action that is counted.',
    control: {
      kind: 'select',
      choices: [
        { value: 'restart', label: 'restarts' },
        { value: 'redeploy', label: 'redeployments' },
      ],
    },
  }),
  limit: count(0, 100, '', {
    label: 'At most',
    name: 'limit',
    doc: 'Maximum number within the window.',
  }),
  windowSeconds: seconds(60, 30 * 86_400, {
    label: 'Per service, in',
    name: 'window',
    doc: 'Length of the window in seconds.',
  }),
});
export type CooldownRule = z.infer<typeof cooldownRuleSchema>;

export const budgetsSchema = z.object({
  chainUsd: usd({
    label: 'Per chain',
    hint: 'At the limit, the chain stops and needs a human.',
    doc: 'US dollars for one chain; null: no limit.',
    comment: 'US dollars',
  }),
  dayUsd: usd({
    label: 'Per day',
    hint: 'At the limit, no new chain starts until the next day (UTC); running chains continue.',
    doc: 'US dollars for one UTC day; null: no limit.',
    comment: 'US dollars',
  }),
  monthUsd: usd({
    label: 'Per month',
    hint: 'At the limit, no new chain starts until the next month (UTC).',
    doc: 'US dollars for one UTC month; null: no limit.',
    comment: 'US dollars',
  }),
});
export type Budgets = z.infer<typeof budgetsSchema>;

/** How a tier continues from the previous one. */
function edgeMode(meanings: { resume: string; handoff: string }) {
  return [
    { value: 'resume', label: 'Resume', meaning: meanings.resume },
    { value: 'handoff', label: 'Handoff', meaning: meanings.handoff },
  ] as const satisfies readonly Choice[];
}

const EDGES = edgeMode({
  resume:
    'The next tier continues the conversation, and falls back to the handoff when resuming isn’t possible.',
  handoff:
    'The next tier always starts fresh, from a validated handoff file written by the previous tier.',
});

const secretSchema = z.object({
  name: text(z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'Use capitals, digits and underscores.'), {
    label: 'Name',
    doc: 'Name of the file, and of the variable that holds its contents.',
    control: { kind: 'text', placeholder: 'DB_PASSWORD', isCode: true },
  }),
  tiers: setting(z.array(tierSchema), {
    label: 'Tiers',
    doc: 'Tiers in whose output it is redacted, and whose rules can name it.',
    control: { kind: 'tiers' },
  }),
  rules: setting(z.array(z.string().min(1).max(300)).max(50), {
    label: 'Given to commands of',
    hint: 'Rules of these tiers, written exactly as there. Without any, no command gets the secret.',
    doc: 'Rules of these tiers, as written there, whose commands get it as a variable. Only in confined projects; nothing in the sandbox gets it.',
    control: { kind: 'rules', placeholder: 'Bash(docker login {host})' },
  }).default([]),
});

const ENTER_A_SHARE = 'Enter a number above 0 and at most 1.';
const AGENTS = AGENT_NAMES.join(' or ');

export const projectConfigSchema = z.object({
  harness: setting(harnessNameSchema, {
    label: 'Agent',
    comment: `The agent: ${AGENTS}.`,
    control: { kind: 'agent' },
  }),
  services: setting(z.array(serviceSchema).max(100), {
    label: 'Services',
    doc: 'What is watched. At most 100.',
  }),
  monitoring: setting(monitoringSettingsSchema, {
    label: 'Monitoring',
    doc: 'How runners run the checks of the services without an agent.',
  }).default(NO_MONITORING),
  schedule: setting(scheduleSchema, {
    label: 'Schedule',
    doc: 'When chains start automatically.',
    comment:
      'interval (everySeconds), cron (expression with five fields), or manual.\nCron times are in the time zone; intervals are counted from the epoch.',
    control: { kind: 'custom' },
  }),
  startOn: setting(startOnSchema, {
    label: 'Start a chain on',
    doc: 'What starts a chain apart from the schedule and people.',
  }).default(DEFAULT_START_ON),
  incidents: setting(incidentSettingsSchema, {
    label: 'Incidents',
    doc: 'When outages belong together, and when they are over.',
  }).default(DEFAULT_INCIDENTS),
  /** `readConfig` knows it for older configurations. */
  isolation: setting(isolationSchema, {
    label: 'Isolation',
    doc: 'How the agents of all tiers and of Ask run: `confined` to a sandbox, or `open`, with the rights of the runner’s account. A confined project starts nothing on a host that can’t confine. A new project is `confined` if its pool has a runner that can confine agents. After a change, agents start with empty folders.',
    comment:
      'confined (to a sandbox) or open (with the rights of the runner’s account), for every tier and Ask.',
    control: {
      kind: 'select',
      choices: [
        {
          value: 'confined',
          label: 'Confined',
          meaning:
            'Agents of every tier and of Ask run in a sandbox. On a host that can’t confine them, nothing of this project starts.',
        },
        {
          value: 'open',
          label: 'Open',
          meaning:
            'Agents run unconfined, with the rights of the runner’s account. Only the CLI’s own rules limit them.',
        },
      ],
    },
  }),
  tiers: setting(z.tuple([tierPolicySchema, tierPolicySchema, tierPolicySchema]), {
    label: 'Tiers',
    doc: 'The three tiers, identified by `tier`; their fields merge.',
    comment:
      'One policy per tier: 1 observes, 2 remediates safely, 3 remediates fully.\nallowedTools run without asking; everything else is denied.',
  }),
  maxTier: setting(tierSchema, {
    label: 'Maximum tier',
    doc: 'The highest tier that chains may reach.',
    comment: 'The highest tier that may start: 1, 2 or 3.',
  }),
  dryRun: flag({
    label: 'Observe only',
    name: 'dry run',
    hint: 'Tier 1 keeps running, and each suppressed escalation is recorded as an event. Running chains are affected from their next tier on.',
    doc: 'Observe only: nothing escalates.',
    comment: 'true: tier 1 observes, nothing escalates.',
  }),
  contextThreshold: setting(z.number(ENTER_A_SHARE).gt(0, ENTER_A_SHARE).lte(1, ENTER_A_SHARE), {
    label: 'Resume up to',
    name: 'context threshold',
    hint: 'Share of the continuing model’s window. A conversation that uses more isn’t resumed: the next tier starts from the handoff.',
    doc: 'Share of the context window, above which a tier starts from the handoff instead of resuming.',
    comment:
      'Share of the model’s context window above which the next tier starts from the handoff; 0.8 is 80%.',
    control: { kind: 'custom' },
  }),
  maxRereadTokens: count(1_000, 10_000_000, 'tokens', {
    label: 'Re-read limit (tokens)',
    hint: 'Resuming with another model re-reads the whole conversation at full price. Above this many tokens the next tier starts from the handoff. Leave it empty for no limit.',
    doc: 'Tokens that resuming may read again, above which a tier starts from the handoff; null: no limit.',
  })
    .nullable()
    .default(null),
  continuation: setting(
    z.object({
      tier1To2: choice(EDGES, { label: 'Tier 1 to tier 2', doc: 'From tier 1 to tier 2.' }),
      tier2To3: choice(EDGES, { label: 'Tier 2 to tier 3', doc: 'From tier 2 to tier 3.' }),
    }),
    {
      label: 'Continuation',
      doc: 'How a tier continues from the previous one.',
      comment: 'How the next tier starts: resume, or handoff.',
    },
  ),
  unprovenModels: choice(
    edgeMode({
      resume: 'A conversation also continues between models that have not been tested together.',
      handoff:
        'Between models that have not been tested together, the next tier starts from the handoff.',
    }),
    {
      label: 'Unproven models',
      doc: 'Where one model has not been shown to continue what another said.',
      comment:
        'resume, or handoff, where one model has not been shown to continue what another said.',
    },
  ).default('resume'),
  taintedConversation: choice(
    edgeMode({
      resume: 'A higher tier also continues a conversation that holds alerts of other systems.',
      handoff:
        'Where a conversation holds alerts of other systems, the next tier starts from the handoff and doesn’t read them.',
    }),
    {
      label: 'Text of other systems',
      doc: 'Whether a higher tier resumes a conversation that holds text of other systems, such as alerts: `resume`, or `handoff` (default), so that this text ends with the tier that read it.',
      comment:
        'resume, or handoff, where the conversation holds text of other systems, such as alerts.',
    },
  ).default('handoff'),
  cooldowns: setting(z.array(cooldownRuleSchema).max(20), {
    label: 'Cooldowns',
    doc: 'How often an action is allowed per service.',
    comment: 'How often one service may be restarted or redeployed within a time.',
    control: { kind: 'list', add: 'Add a cooldown', row: 'this cooldown' },
  }),
  budgets: setting(budgetsSchema, {
    label: 'Budgets',
    doc: 'Nothing starts once a budget is used up.',
    comment: 'US dollars; null: no limit. Days and months are UTC.',
  }),
  maintenance: setting(maintenanceSchema, {
    label: 'Maintenance windows',
    doc: 'Maintenance windows: periods when problems are expected.',
    comment:
      'Periods when problems are expected. effect: no_cycles, or observe_only.\nOnce: when {kind: once, startsAt, endsAt}, in the local time of the time zone.\nRepeatedly: when {kind: recurring, expression (cron), durationSeconds}.',
    control: { kind: 'custom' },
  }),
  approvals: setting(approvalSettingsSchema, {
    label: 'Approvals',
    doc: 'Who decides about commands and tiers that need approval, and for how long they wait.',
  }).default(DEFAULT_APPROVALS),
  checkpoints: setting(checkpointSettingsSchema, {
    label: 'Checkpoints',
    doc: 'Keeps what a session knows when its context or process is lost.',
    comment:
      'Saves what a session knows, so that the next start can read it.\nWritten after this many prompts and tool results, and at a time interval.',
  }).default(DEFAULT_CHECKPOINTS),
  askAgents: setting(askAgentsSchema, {
    label: 'Agents for conversations',
    doc: 'Agents available in Ask. If none is listed, the agent of the chains, with the model of tier 1.',
    comment: `Agents available in Ask: name, harness (${AGENTS}) and model.\nNone: the agent of the chains, with the model of tier 1.`,
    control: { kind: 'list', add: 'Add an agent', row: 'this agent', most: MAX_ASK_AGENTS },
  }).default([]),
  instructions: setting(z.string().max(4_000), {
    label: 'Instructions for the agent',
    hint: 'Sent to the agent at every start: what the system is and what to leave alone.',
    doc: 'Instructions for the agent, added before every prompt.',
    comment: 'Passed to the agent as operator instructions.',
    control: { kind: 'long-text', maxLength: 4_000 },
  }).default(''),
  runnerPool: text(z.string().min(1, 'Choose a runner pool.').max(60), {
    label: 'Runner pool',
    hint: 'Runners in this pool run this project’s chains.',
    doc: 'Runners in this pool run its chains. A new project without one gets a pool that has a runner.',
    comment: 'The pool whose runners run this project’s chains.',
    control: { kind: 'text', suggests: 'pools' },
  }),
  secrets: setting(z.array(secretSchema).max(50), {
    label: 'Secrets',
    doc: 'Files in the runner’s secrets folder: redacted in what their tiers send, and given to commands of some rules.',
    comment:
      'Names of files on the runner, the tiers in which they are redacted, and the rules whose commands get them.\nNever their contents.',
    control: { kind: 'list', add: 'Add a secret', row: 'this secret' },
  }).default([]),
});
export type ProjectConfig = z.infer<typeof projectConfigSchema>;
