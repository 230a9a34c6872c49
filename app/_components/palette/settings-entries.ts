import {
  SECTIONS,
  type SectionKey,
} from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/settings/sections';
import type { PaletteEntry } from './entry';

/** What else a section of a project's settings is found by: its fields, and other names for them. */
const PROJECT_WORDS: Record<SectionKey, string> = {
  general: 'name short name slug agent harness runner pool dry run observe only secrets',
  services: 'checks http tcp dns docker container process port target url expected status text',
  schedule: 'cron interval every minutes time zone maintenance windows manual',
  tiers:
    'model prompt rules allowed refused bash permissions maximum tier max turns time limit stall timeout max cost context window try a command pause ask first approval isolation sandbox confined open',
  ask: 'questions conversations agents instructions words for the agent',
  thresholds:
    'resume handoff continuation context threshold re-read limit cooldowns restarts checkpoints recovery unproven models retention approvals people operators hold expire refusal',
  budgets: 'limit cost money day month chain usd spend',
  alerts: 'alertmanager prometheus grafana pagerduty sources token mapping inbound',
  webhooks: 'endpoints events',
  versions: 'history difference compare restore',
  file: 'yaml import export apply configuration file',
  danger: 'pause resume delete project',
};

const ORGANIZATION_SECTIONS: readonly [path: string, label: string, words: string][] = [
  ['general', 'General', 'name address slug delete leave denied cli versions'],
  ['members', 'Members', 'team people roles invite invitation'],
  ['tokens', 'API tokens', 'rest api key scopes expire'],
  ['notifications', 'Notifications', 'channels'],
];

interface Named {
  slug: string;
  name: string;
}

/**
 * Sections of the organization's settings and of these projects', by their labels and fields.
 *
 * @param channelWords names of the kinds of notification channels
 */
export function settingsEntries(
  organization: Named,
  projects: readonly Named[],
  channelWords: string,
): PaletteEntry[] {
  const ofOrganization = ORGANIZATION_SECTIONS.map(([path, label, words]) => ({
    key: `organization-settings-${path}`,
    label,
    detail: 'Organization settings',
    words: `organization settings ${words}${path === 'notifications' ? ` ${channelWords}` : ''}`,
    act: { kind: 'go' as const, href: `/${organization.slug}/settings/${path}` },
  }));
  const ofProjects = projects.flatMap((project) =>
    SECTIONS.map(({ key, label }) => ({
      key: `settings-${project.slug}-${key}`,
      label,
      detail: `Settings of ${project.name}`,
      words: `project settings ${project.name} ${PROJECT_WORDS[key]}`,
      act: {
        kind: 'go' as const,
        href: `/${organization.slug}/projects/${project.slug}/settings/${key}`,
      },
    })),
  );
  return [...ofProjects, ...ofOrganization];
}
