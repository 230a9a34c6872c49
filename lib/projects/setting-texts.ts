/**
 * What each project setting means, once: in the API's documentation, and as a comment of an exported
 * file. Not on the fields of `projectConfigSchema`, which the browser loads to check a draft.
 */

import { AGENT_NAMES } from '@/lib/protocol/agent-names';
import type { FieldTexts, SHARED_FIELDS } from '@/lib/protocol/checks/check-kind';
import {
  CHECK_KINDS,
  CHECK_RULES,
  CHECK_TYPES,
  type CheckField,
} from '@/lib/protocol/checks/kinds';
import type { ProjectConfig } from './schema';

type FieldsOf<Value> = Value extends readonly (infer Item)[]
  ? FieldsOf<Item>
  : Value extends object
    ? {
        [Name in keyof Value & string]-?: Name | `${Name}.${FieldsOf<NonNullable<Value[Name]>>}`;
      }[keyof Value & string]
    : never;
type LastOf<Path> = Path extends `${string}.${infer Rest}` ? LastOf<Rest> : Path;

/** `tiers.maxTurns`: an array takes no part of the path. */
type SettingPath = FieldsOf<ProjectConfig>;
/** `maxTurns` */
export type SettingName = LastOf<SettingPath>;

interface SettingTexts {
  /** In the API's documentation. Null: a field of that name means the same in the whole API. */
  doc: string | null;
  /** In an exported file: above a key of the top level, behind the value of any other. */
  comment?: string;
}

const AGENTS = AGENT_NAMES.join(' or ');

type CheckPath = `services.checks.${CheckField | `${CheckField}.${string}`}`;

const TEXTS: Record<Exclude<SettingPath, CheckPath>, SettingTexts> = {
  harness: { doc: null, comment: `The agent: ${AGENTS}.` },
  services: {
    doc: 'What is watched. At most 100.',
    comment: wrapped(`What is watched. Targets of checks: ${checkTargets()}.`),
  },
  'services.name': { doc: 'Unique in the project; the agent and the health strip use it.' },
  'services.checks': { doc: 'Checks that decide whether the service is healthy.' },
  'services.checks.type': {
    doc: 'Type of check. The other fields belong to the types that they name.',
  },
  'services.checks.target': { doc: `Target of the check: ${checkTargets()}.` },
  'services.checks.everySeconds': {
    doc: 'Seconds between two executions without an agent, 30 to 86,400; `monitoring.everySeconds` by default.',
    comment: 'seconds',
  },
  'services.checks.timeoutSeconds': {
    doc: 'Timeout of the check in seconds. It must be below the interval.',
    comment: 'seconds',
  },
  monitoring: {
    doc: 'How runners run the checks of the services without an agent.',
    comment: 'How runners run the checks without an agent.',
  },
  'monitoring.everySeconds': {
    doc: 'Seconds between two runs of a check; null: checks run in chains only.',
    comment: 'seconds; null: checks run in chains only',
  },
  'monitoring.failures': {
    doc: 'How many of the last results have to fail before a check is failing, and how many in a row have to pass before it isn’t.',
    comment: 'of the last results have to fail',
  },
  'monitoring.lastResults': {
    doc: 'How many of the last results of a check count.',
    comment: 'results that count',
  },
  schedule: {
    doc: 'When chains start automatically.',
    comment:
      'interval (everySeconds), cron (expression with five fields), or manual.\nCron times are in the time zone; intervals are counted from the epoch.',
  },
  'schedule.kind': { doc: 'A fixed interval, a cron expression, or manual starts only.' },
  'schedule.everySeconds': {
    doc: 'Seconds between two starts, counted from the epoch.',
    comment: 'seconds',
  },
  'schedule.expression': {
    doc: 'Five cron fields: minute, hour, day of the month, month, day of the week.',
  },
  'schedule.timeZone': { doc: 'IANA time zone in which cron is read, such as `Europe/Berlin`.' },
  startOn: {
    doc: 'What starts a chain apart from the schedule and people.',
    comment: 'What starts a chain apart from the schedule.',
  },
  'startOn.checkChange': {
    doc: 'True: a chain starts when a service begins to fail, and when it fails again.',
  },
  'startOn.alert': {
    doc: 'True: a chain starts when an alert of another system opens or reopens an incident, or brings in another service.',
  },
  incidents: {
    doc: 'When outages belong together, and when they are over.',
    comment: 'When outages belong together, and when they are over.',
  },
  'incidents.verifySeconds': {
    doc: 'Seconds for which all checks have to pass before an incident is resolved.',
    comment: 'seconds',
  },
  'incidents.reopenSeconds': {
    doc: 'Seconds after the resolution in which the same fault reopens the incident. Later it is a new incident.',
    comment: 'seconds',
  },
  'incidents.groupSeconds': {
    doc: 'Seconds after the opening in which other services that begin to fail join the incident.',
    comment: 'seconds',
  },
  isolation: {
    doc: 'How the agents of all tiers and of Ask run: `confined` to a sandbox, or `open`, with the rights of the runner’s account. A confined project starts nothing on a host that can’t confine. A new project is `confined` if its pool has a runner that can confine agents. After a change, agents start with empty folders.',
    comment:
      'confined (to a sandbox) or open (with the rights of the runner’s account), for every tier and Ask.',
  },
  tiers: {
    doc: 'The three tiers, identified by `tier`; their fields merge.',
    comment:
      'One policy per tier: 1 observes, 2 remediates safely, 3 remediates fully.\nallowedTools run without asking; everything else is denied.',
  },
  'tiers.tier': { doc: 'Which tier this is about.' },
  'tiers.isEnabled': { doc: 'Whether chains may escalate to it. Equivalent to `maxTier`.' },
  'tiers.model': { doc: 'Model or alias, passed to the CLI.' },
  'tiers.tools': { doc: 'Tools the agent can see.' },
  'tiers.allowedTools': { doc: 'Rules for what runs without asking, such as `Bash(docker ps:*)`.' },
  'tiers.disallowedTools': { doc: 'Rules for what is always denied.' },
  'tiers.askFirstTools': {
    doc: 'Rules whose commands run only once a person has approved them. In an open project nothing can hold a command, so each denies everything that begins with its plain words.',
  },
  'tiers.requiresApproval': {
    doc: 'True: a person has to approve each start of this tier.',
  },
  'tiers.prompt': {
    doc: 'Replaces the default prompt of the tier; null: the default.',
    comment: 'null: the default prompt',
  },
  'tiers.timeoutSeconds': { doc: 'Seconds a process may run.', comment: 'seconds' },
  'tiers.stallSeconds': {
    doc: 'Seconds without an event after which a process is stopped.',
    comment: 'seconds without an event',
  },
  'tiers.maxTurns': {
    doc: 'Maximum model requests per process.',
    comment: 'requests to the model, per process',
  },
  'tiers.maxBudgetUsd': {
    doc: 'US dollars one process may spend; null: no limit of its own.',
    comment: 'US dollars per process; null: no limit of its own',
  },
  'tiers.contextWindow': {
    doc: 'Tokens; null: as the CLI reports it for the model.',
    comment: 'tokens; null is what the CLI reports for the model',
  },
  maxTier: {
    doc: 'The highest tier that chains may reach.',
    comment: 'The highest tier that may start: 1, 2 or 3.',
  },
  dryRun: {
    doc: 'Observe only: nothing escalates.',
    comment: 'true: tier 1 observes, nothing escalates.',
  },
  contextThreshold: {
    doc: 'Share of the context window, above which a tier starts from the handoff instead of resuming.',
    comment:
      'Share of the model’s context window above which the next tier starts from the handoff; 0.8 is 80%.',
  },
  maxRereadTokens: {
    doc: 'Tokens that resuming may read again, above which a tier starts from the handoff; null: no limit.',
    comment:
      'Tokens that resuming may read again, above which the next tier starts from the handoff. null: no limit.',
  },
  continuation: {
    doc: 'How a tier continues from the previous one.',
    comment: 'How the next tier starts: resume, or handoff.',
  },
  'continuation.tier1To2': { doc: 'From tier 1 to tier 2.' },
  'continuation.tier2To3': { doc: 'From tier 2 to tier 3.' },
  unprovenModels: {
    doc: 'Where one model has not been shown to continue what another said.',
    comment:
      'resume, or handoff, where one model has not been shown to continue what another said.',
  },
  taintedConversation: {
    doc: 'Whether a higher tier resumes a conversation that holds text of other systems, such as alerts: `resume`, or `handoff` (default), so that this text ends with the tier that read it.',
    comment:
      'resume, or handoff, where the conversation holds text of other systems, such as alerts.',
  },
  cooldowns: {
    doc: 'How often an action is allowed per service.',
    comment: 'How often one service may be restarted or redeployed within a time.',
  },
  'cooldowns.action': { doc: 'The action that is counted.' },
  'cooldowns.limit': { doc: 'Maximum number within the window.' },
  'cooldowns.windowSeconds': { doc: 'Length of the window in seconds.', comment: 'seconds' },
  budgets: {
    doc: 'Nothing starts once a budget is used up.',
    comment: 'US dollars; null: no limit. Days and months are UTC.',
  },
  'budgets.chainUsd': { doc: 'US dollars for one chain; null: no limit.', comment: 'US dollars' },
  'budgets.dayUsd': { doc: 'US dollars for one UTC day; null: no limit.', comment: 'US dollars' },
  'budgets.monthUsd': {
    doc: 'US dollars for one UTC month; null: no limit.',
    comment: 'US dollars',
  },
  maintenance: {
    doc: 'Maintenance windows: periods when problems are expected.',
    comment:
      'Periods when problems are expected. effect: no_cycles, or observe_only.\nOnce: when {kind: once, startsAt, endsAt}, in the local time of the time zone.\nRepeatedly: when {kind: recurring, expression (cron), durationSeconds}.',
  },
  'maintenance.name': { doc: 'Display name; shown as the reason when nothing starts.' },
  'maintenance.effect': {
    doc: '`no_cycles`: nothing starts. `observe_only`: tier 1 observes, no higher tier starts.',
  },
  'maintenance.timeZone': { doc: 'IANA time zone in which cron is read, such as `Europe/Berlin`.' },
  'maintenance.when': { doc: 'Once, or repeatedly by a cron expression.' },
  'maintenance.when.kind': { doc: 'A single or a recurring window.' },
  'maintenance.when.startsAt': {
    doc: 'Date and time in the window’s time zone, such as `2026-12-01T22:00`.',
  },
  'maintenance.when.endsAt': { doc: 'As `startsAt`; the window ends just before it.' },
  'maintenance.when.expression': {
    doc: 'Five cron fields: minute, hour, day of the month, month, day of the week.',
  },
  'maintenance.when.durationSeconds': {
    doc: 'Length of each window in seconds.',
    comment: 'seconds',
  },
  approvals: {
    doc: 'Who decides about commands and tiers that need approval, and for how long they wait.',
    comment: 'Who decides about what needs approval, and for how long it waits.',
  },
  'approvals.operatorsUpToTier': {
    doc: 'Operators decide up to this tier; admins and owners about every tier.',
    comment: 'admins and owners decide about every tier',
  },
  'approvals.people': {
    doc: 'How many people have to approve: 1 or 2. One refusal is enough.',
    comment: '1 or 2; one refusal is enough',
  },
  'approvals.holdSeconds': {
    doc: 'Seconds for which a command is held. Then its process ends, and the conversation continues after the decision.',
    comment: 'seconds; then the process ends until the decision',
  },
  'approvals.expiresSeconds': {
    doc: 'Seconds after which a request that nobody has decided expires. Its chain then needs a human.',
    comment: 'seconds; then the chain needs a human',
  },
  'approvals.onRefusal': {
    doc: 'After a command was refused: `resume` continues the agent with the reason, `end` ends the chain, which then needs a human. Either way the command stays refused in the whole incident.',
    comment: 'resume: the agent continues with the reason; end: the chain needs a human',
  },
  checkpoints: {
    doc: 'Keeps what a session knows when its context or process is lost.',
    comment:
      'Saves what a session knows, so that the next start can read it.\nWritten after this many prompts and tool results, and at a time interval.',
  },
  'checkpoints.enabled': { doc: 'False: none are written, and no start recovers from one.' },
  'checkpoints.promptInterval': {
    doc: 'Prompts and tool results after which one is written.',
    comment: 'prompts and tool results',
  },
  'checkpoints.timeIntervalMs': {
    doc: 'Milliseconds after which one is written, even when idle.',
    comment: 'milliseconds',
  },
  'checkpoints.maxCheckpointsPerSession': { doc: 'The oldest are removed first.' },
  'checkpoints.retentionDays': { doc: 'Days after which they are deleted.', comment: 'days' },
  'checkpoints.recoveryBudgetChars': {
    doc: 'Maximum characters of a checkpoint that are read at the start of a session.',
    comment: 'maximum characters read at start',
  },
  askAgents: {
    doc: 'Agents available in Ask. If none is listed, the agent of the chains, with the model of tier 1.',
    comment: `Agents available in Ask: name, harness (${AGENTS}) and model.\nNone: the agent of the chains, with the model of tier 1.`,
  },
  'askAgents.name': { doc: 'Name used in the interface and the API.' },
  'askAgents.harness': { doc: null },
  'askAgents.model': { doc: 'Model, as its CLI takes it.' },
  instructions: {
    doc: 'Instructions for the agent, added before every prompt.',
    comment: 'Passed to the agent as operator instructions.',
  },
  runnerPool: {
    doc: 'Runners in this pool run its chains. A new project without one gets a pool that has a runner.',
    comment: 'The pool whose runners run this project’s chains.',
  },
  secrets: {
    doc: 'Files in the runner’s secrets folder: redacted in what their tiers send, and given to commands of some rules.',
    comment:
      'Names of files on the runner, the tiers in which they are redacted, and the rules whose commands get them.\nNever their contents.',
  },
  'secrets.name': { doc: 'Name of the file, and of the variable that holds its contents.' },
  'secrets.tiers': { doc: 'Tiers in whose output it is redacted, and whose rules can name it.' },
  'secrets.rules': {
    doc: 'Rules of these tiers, as written there, whose commands get it as a variable. Only in confined projects; nothing in the sandbox gets it.',
  },
};

/** Returns what the target of each type of check is: ``a URL (`http`, `prometheus`)``, and so on. */
function checkTargets(): string {
  const targets = [...new Set(CHECK_TYPES.map((type) => CHECK_RULES[type].target))];
  const typesOf = (target: string) =>
    CHECK_TYPES.filter((type) => CHECK_RULES[type].target === target)
      .map(code)
      .join(', ');
  return listed(targets.map((target) => `${target} (${typesOf(target)})`));
}

/** Of the fields of checks, by path. */
function checkTexts(): Record<string, SettingTexts> {
  const own = CHECK_TYPES.flatMap((type) => Object.entries(CHECK_RULES[type].texts));
  const ofOneType = own.filter(
    (entry): entry is [string, FieldTexts] => typeof entry[1] !== 'string',
  );
  const texts = Object.entries({ ...sharedTexts(), ...Object.fromEntries(ofOneType) });
  return Object.fromEntries(texts.map(([field, text]) => [`services.checks.${field}`, text]));
}

function sharedTexts(): Record<keyof typeof SHARED_FIELDS, SettingTexts> {
  const holders = CHECK_TYPES.flatMap((type) => {
    const { texts } = CHECK_RULES[type];
    return 'expectText' in texts ? [`${texts.expectText} (${code(type)})`] : [];
  });
  const ofFamily = CHECK_TYPES.filter((type) => 'family' in CHECK_KINDS[type].fields).map(code);
  return {
    expectText: { doc: `Text that ${listed(holders)} must contain.` },
    family: { doc: `${ofFamily.join(', ')}: IP version of the connection; \`auto\` by default.` },
    maxResponseMs: {
      doc: 'Milliseconds above which a healthy response is degraded; no limit by default.',
      comment: 'milliseconds',
    },
  };
}

function wrapped(text: string): string {
  const plain = text.replaceAll('`', '');
  return plain.replaceAll(/(.{1,100})(?: |$)/g, '$1\n').trim();
}

function code(text: string): string {
  return `\`${text}\``;
}

function listed(texts: readonly string[]): string {
  return `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
}

/** Of the fields of a project in the API, by path. */
export const PROJECT_DOCS: Readonly<Record<string, string>> = {
  name: 'Display name.',
  slug: 'Its part of URLs; derived from the name if omitted.',
  ...textsOf('doc'),
  'tiers.isolation':
    'Of earlier versions: accepted and ignored. `isolation` belongs to the project.',
};

/** Comments of an exported file, by path. */
export const SETTING_COMMENTS: Readonly<Record<string, string>> = textsOf('comment');

function textsOf(use: keyof SettingTexts): Record<string, string> {
  const texts = Object.entries({ ...TEXTS, ...checkTexts() }).map(
    ([path, each]) => [path, each[use]] as const,
  );
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => Boolean(entry[1])));
}
