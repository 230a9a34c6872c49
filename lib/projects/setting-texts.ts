/**
 * What each project setting means, once: in the API's documentation, and as a comment of an exported
 * file. Not on the fields of `projectConfigSchema`, which the browser loads to check a draft.
 */

import { AGENT_NAMES } from '@/lib/protocol/agent-names';
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

const TEXTS: Record<SettingPath, SettingTexts> = {
  harness: { doc: null, comment: `The agent: ${AGENTS}.` },
  services: {
    doc: 'What is watched. At most 100.',
    comment:
      'What is watched. Types of checks: http (URL), dns (host name), tcp (host:port),\ncontainer, process and service (a name), database (URL; a password is never sent).',
  },
  'services.name': { doc: 'Unique in the project; the agent and the health strip use it.' },
  'services.checks': { doc: 'How one sees whether the service is well.' },
  'services.checks.type': {
    doc: 'What is done: a request, a connection, a lookup, a container, a database, a service, a process.',
  },
  'services.checks.target': { doc: 'What it is done to: a URL, `host:port`, a name, a container.' },
  'services.checks.expectStatus': {
    doc: 'HTTP status that counts as healthy; 200 to 399 without it.',
    comment: 'HTTP status; without it 200 to 399',
  },
  'services.checks.expectText': { doc: 'Text that the answer has to contain.' },
  'services.checks.timeoutSeconds': {
    doc: 'Seconds after which the check has failed.',
    comment: 'seconds',
  },
  schedule: {
    doc: 'When chains start by themselves.',
    comment:
      'interval (everySeconds), cron (expression with five fields), or manual.\nTimes of cron lines are of the time zone; intervals are counted from the epoch.',
  },
  'schedule.kind': { doc: 'A fixed interval, a cron expression, or only manual starts.' },
  'schedule.everySeconds': {
    doc: 'Seconds between two starts, counted from the epoch.',
    comment: 'seconds',
  },
  'schedule.expression': {
    doc: 'Five cron fields: minute, hour, day of the month, month, day of the week.',
  },
  'schedule.timeZone': { doc: 'IANA time zone in which cron is read, such as `Europe/Berlin`.' },
  tiers: {
    doc: 'The three tiers; named by `tier`, the rest of each merges.',
    comment:
      'One policy per tier: 1 observes, 2 remediates safely, 3 remediates fully.\nallowedTools is what runs without asking; all else is denied.',
  },
  'tiers.tier': { doc: 'Which tier this is about.' },
  'tiers.isEnabled': { doc: 'Whether chains may escalate to it. Says the same as `maxTier`.' },
  'tiers.model': { doc: 'Model or alias, handed to the CLI.' },
  'tiers.tools': { doc: 'Tools that are offered to the agent at all.' },
  'tiers.allowedTools': { doc: 'Rules for what may run, such as `Bash(docker ps:*)`.' },
  'tiers.disallowedTools': { doc: 'Rules for what is refused in any case.' },
  'tiers.prompt': {
    doc: 'Replaces the shipped prompt of the tier; null: the shipped one.',
    comment: 'null is the prompt that ships with Tierwatch',
  },
  'tiers.timeoutSeconds': { doc: 'Seconds a process may run.', comment: 'seconds' },
  'tiers.stallSeconds': {
    doc: 'Seconds without an event after which a process is stopped.',
    comment: 'seconds without any sign of life',
  },
  'tiers.maxTurns': {
    doc: 'Model requests of one process.',
    comment: 'requests to the model, per process',
  },
  'tiers.maxBudgetUsd': {
    doc: 'US dollars one process may spend; null: no limit of its own.',
    comment: 'US dollars per process; null is no limit of its own',
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
    comment: 'Share of the model’s context window above which a hop hands off; 0.8 is 80%.',
  },
  maxRereadTokens: {
    doc: 'Tokens that resuming may read again, above which a tier starts from the handoff; null: no limit.',
    comment: 'Tokens that resuming may read again, above which a hop hands off. null is no limit.',
  },
  continuation: {
    doc: 'How a tier continues the one before it.',
    comment: 'How the next tier begins: resume, or handoff.',
  },
  'continuation.tier1To2': { doc: 'From tier 1 to tier 2.' },
  'continuation.tier2To3': { doc: 'From tier 2 to tier 3.' },
  unprovenModels: {
    doc: 'Where one model has not been shown to continue what another said.',
    comment:
      'resume, or handoff, where one model has not been shown to continue what another said.',
  },
  cooldowns: {
    doc: 'How often an action may be taken on one service.',
    comment: 'How often one service may be restarted or redeployed within a time.',
  },
  'cooldowns.action': { doc: 'What is counted.' },
  'cooldowns.limit': { doc: 'Times within the window.' },
  'cooldowns.windowSeconds': { doc: 'Seconds over which is counted.', comment: 'seconds' },
  budgets: {
    doc: 'Nothing further starts on a budget that is used up.',
    comment: 'US dollars; null is no limit. A day and a month are of UTC.',
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
      'Periods when problems are expected. effect: no_cycles, or observe_only.\nOnce: when {kind: once, startsAt, endsAt}, as clocks of the time zone show them.\nRepeatedly: when {kind: recurring, expression (cron), durationSeconds}.',
  },
  'maintenance.name': { doc: 'What people read; the reason why nothing starts names it.' },
  'maintenance.effect': {
    doc: '`no_cycles`: nothing starts. `observe_only`: tier 1 looks, nothing above it starts.',
  },
  'maintenance.timeZone': { doc: 'IANA time zone in which cron is read, such as `Europe/Berlin`.' },
  'maintenance.when': { doc: 'Once, or again and again by a cron line.' },
  'maintenance.when.kind': { doc: 'A single window, or one that comes again.' },
  'maintenance.when.startsAt': {
    doc: 'Date and time of the window’s own zone, such as `2026-12-01T22:00`.',
  },
  'maintenance.when.endsAt': { doc: 'As `startsAt`; the window ends just before it.' },
  'maintenance.when.expression': {
    doc: 'Five cron fields: minute, hour, day of the month, month, day of the week.',
  },
  'maintenance.when.durationSeconds': {
    doc: 'Seconds from the beginning of each window to its end.',
    comment: 'seconds',
  },
  checkpoints: {
    doc: 'What keeps a session’s knowledge when its context or process is gone.',
    comment:
      'What a session knows is written down, so that the next start can read it.\nWritten after so many prompts and tool results, and by the clock.',
  },
  'checkpoints.enabled': { doc: 'False: none are written, and no start recovers from one.' },
  'checkpoints.promptInterval': {
    doc: 'Prompts and tool results after which one is written.',
    comment: 'prompts and tool results',
  },
  'checkpoints.timeIntervalMs': {
    doc: 'Milliseconds after which one is written, also while nothing happens.',
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
  'askAgents.name': { doc: 'People and the API name it so.' },
  'askAgents.harness': { doc: null },
  'askAgents.model': { doc: 'Model, as its CLI takes it.' },
  instructions: {
    doc: 'Your own words to the agent, before every prompt.',
    comment: 'Goes to the agent as the operators’ own words.',
  },
  runnerPool: {
    doc: 'Runners of this pool take its work.',
    comment: 'The pool of runners that works for this project.',
  },
  secrets: {
    doc: 'Files below the runner’s secrets folder that the tiers are given.',
    comment: 'Names of files on the runner, and the tiers that get them. Never their contents.',
  },
  'secrets.name': { doc: 'Name of the file, and of the variable that holds its path.' },
  'secrets.tiers': { doc: 'Tiers that get it.' },
};

/** Of the fields of a project in the API, by path. */
export const PROJECT_DOCS: Readonly<Record<string, string>> = {
  name: 'What people read.',
  slug: 'Its part of addresses; made from the name when it is left out.',
  ...textsOf('doc'),
};

/** Comments of an exported file, by path. */
export const SETTING_COMMENTS: Readonly<Record<string, string>> = textsOf('comment');

function textsOf(use: keyof SettingTexts): Record<string, string> {
  const texts = Object.entries(TEXTS).map(([path, each]) => [path, each[use]] as const);
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => Boolean(entry[1])));
}
