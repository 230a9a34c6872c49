import type { Places } from '@/lib/insight/search/schema';
import { SECTIONS } from '@/lib/projects/sections';
import type { PaletteEntry } from './entry';

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

/** Sections of the organization's settings and of these projects', by their labels and settings. */
export function settingsEntries(
  organization: Named,
  projects: readonly Named[],
  places: Places | null,
): PaletteEntry[] {
  const ofOrganization = ORGANIZATION_SECTIONS.map(([path, label, words]) => ({
    key: `organization-settings-${path}`,
    label,
    detail: 'Organization settings',
    words: `organization settings ${words}${path === 'notifications' ? ` ${places?.channelWords ?? ''}` : ''}`,
    act: { kind: 'go' as const, href: `/${organization.slug}/settings/${path}` },
  }));
  const ofProjects = projects.flatMap((project) =>
    SECTIONS.map(({ key, label, words }) => ({
      key: `settings-${project.slug}-${key}`,
      label,
      detail: `Settings of ${project.name}`,
      words: `project settings ${project.name} ${words} ${places?.settingWords[key] ?? ''}`,
      act: {
        kind: 'go' as const,
        href: `/${organization.slug}/projects/${project.slug}/settings/${key}`,
      },
    })),
  );
  return [...ofProjects, ...ofOrganization];
}
