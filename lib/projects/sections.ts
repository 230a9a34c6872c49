/** Where each setting appears. To move one to another section or card, move its path. */

import type { ProjectConfig } from './schema';

type PathsOf<Value> = Value extends readonly (infer Item)[]
  ? PathsOf<Item>
  : Value extends object
    ? {
        [Name in keyof Value & string]-?: Name | `${Name}.${PathsOf<NonNullable<Value[Name]>>}`;
      }[keyof Value & string]
    : never;

/** `tiers.maxTurns`: an array takes no part of the path. */
type SettingPath = PathsOf<ProjectConfig>;

export interface SettingsCard {
  title: string;
  intro?: string;
  doc?: { to: string; text: string };
  /** To link to it. */
  id?: string;
  /** Controls beside one another; 1 if absent. */
  columns?: 2 | 3;
  /** A path with settings below it stands for all of them. */
  settings: readonly (SettingPath | 'name' | 'slug')[];
}

export interface SettingsSection {
  key: string;
  label: string;
  /** What else the palette finds it by. */
  words: string;
  /** Absent: it holds no settings. */
  cards?: readonly SettingsCard[];
}

export const SECTIONS = [
  {
    key: 'general',
    label: 'General',
    words: 'slug harness',
    cards: [
      { title: 'Project', columns: 2, settings: ['name', 'slug', 'harness', 'runnerPool'] },
      { title: 'Dry run', settings: ['dryRun'] },
      { title: 'Instructions', settings: ['instructions'] },
      {
        title: 'Secrets',
        intro:
          'Names of files in the runner’s secrets folder. Their contents are taken out of everything that the tiers you choose send. In a confined project, commands of the rules you name get them as a variable; the agent itself never does.',
        settings: ['secrets'],
      },
    ],
  },
  {
    key: 'services',
    label: 'Services',
    words: 'checks http tcp dns docker container process port target url expected status text',
    cards: [{ title: 'Services', settings: ['services'] }],
  },
  {
    key: 'schedule',
    label: 'Schedule',
    words: 'cron every minutes manual',
    cards: [
      { title: 'Checks without an agent', columns: 3, settings: ['monitoring', 'startOn'] },
      { title: 'Schedule', settings: ['schedule'] },
      { title: 'Incidents', columns: 3, settings: ['incidents'] },
      {
        title: 'Maintenance windows',
        intro:
          'Periods when problems are expected. Missed chains don’t run afterwards; the schedule continues with its next slot.',
        settings: ['maintenance'],
      },
    ],
  },
  {
    key: 'tiers',
    label: 'Tiers and tools',
    words: 'refused bash permissions try a command pause approval sandbox confined open',
    cards: [{ title: 'Tiers', settings: ['isolation', 'maxTier', 'tiers'] }],
  },
  {
    key: 'ask',
    label: 'Ask',
    words: 'questions conversations',
    cards: [
      {
        title: 'Agents for conversations',
        intro:
          'Agents that operators can ask about this project and its chains. Each has the tools and rules of tier 1, so it can’t change anything. If none is listed, the project’s default agent answers, with the model of tier 1.',
        settings: ['askAgents'],
      },
    ],
  },
  {
    key: 'thresholds',
    label: 'Thresholds',
    words: 'resume handoff continuation restarts recovery retention roles expire',
    cards: [
      { title: 'Context threshold', settings: ['contextThreshold', 'maxRereadTokens'] },
      {
        title: 'Continuity',
        settings: ['continuation', 'unprovenModels', 'taintedConversation'],
      },
      { title: 'Checkpoints', columns: 3, settings: ['checkpoints'] },
      {
        title: 'Cooldowns',
        intro:
          'How often one service may be restarted or redeployed. A start gets no rules for actions that are used up, and exceeding a limit stops the attempt.',
        settings: ['cooldowns'],
      },
      {
        title: 'Approvals',
        id: 'approvals',
        intro:
          'For commands that ask first, and for tiers whose starts need approval. Both are set for each tier, under Tiers and tools.',
        doc: { to: 'tiers-and-policies#approvals', text: 'How approvals work' },
        columns: 2,
        settings: ['approvals'],
      },
    ],
  },
  {
    key: 'budgets',
    label: 'Budgets',
    words: 'limit cost money usd spend',
    cards: [
      {
        title: 'Budgets',
        intro:
          'Each tier’s process also has its own maximum cost, under Tiers and tools. The lowest remaining budget applies.',
        settings: ['budgets'],
      },
    ],
  },
  {
    key: 'alerts',
    label: 'Alerts',
    words: 'alertmanager prometheus grafana pagerduty sources token mapping inbound',
  },
  { key: 'webhooks', label: 'Webhooks', words: 'endpoints events' },
  { key: 'versions', label: 'Versions', words: 'history difference compare restore' },
  {
    key: 'file',
    label: 'Import and export',
    words: 'yaml import export apply configuration file',
  },
  { key: 'danger', label: 'Danger', words: 'pause resume delete project' },
] as const satisfies readonly SettingsSection[];

export type SectionKey = (typeof SECTIONS)[number]['key'];

export function findSection(key: string) {
  return SECTIONS.find((section) => section.key === key) ?? null;
}

export function cardsOf(key: SectionKey): readonly SettingsCard[] {
  const section: SettingsSection | null = findSection(key);
  return section?.cards ?? [];
}

/** Whether a path is that of a setting or below it. */
export function isBelow(path: string, setting: string): boolean {
  return path === setting || path.startsWith(`${setting}.`);
}
