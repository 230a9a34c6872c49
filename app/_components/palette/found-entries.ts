import type { NumberedHit, Places, TextHit, TextHits } from '@/lib/insight/search/schema';
import type { PaletteEntry, PaletteGroup } from './entry';

/** A part of the documentation: a page, or a heading on it. */
export interface DocPlace {
  page: string;
  /** Null: the beginning of the page. */
  heading: string | null;
  href: string;
}

/** Groups of what is found by its name; empty before it was loaded. */
export function placeGroups(
  organization: string,
  places: Places | null,
  docs: readonly DocPlace[],
): PaletteGroup[] {
  const root = `/${organization}`;
  return [
    {
      heading: 'Services',
      entries: (places?.services ?? []).map(({ name, status, project }) => ({
        key: `service-${project.slug}-${name}`,
        label: name,
        detail: `${project.name}, ${status === 'unknown' ? 'not checked' : status}`,
        words: `service ${project.name}`,
        act: go(`${root}/projects/${project.slug}/services/${encodeURIComponent(name)}`),
      })),
    },
    {
      heading: 'Runners',
      entries: (places?.runners ?? []).map(({ id, name, pool }) => ({
        key: id,
        label: name,
        detail: `pool ${pool}`,
        words: `runner host ${pool}`,
        act: go(`${root}/runners/${id}`),
      })),
    },
    {
      heading: 'People',
      entries: (places?.people ?? []).map(({ id, name, role }) => ({
        key: id,
        label: name,
        detail: role,
        words: `member person ${role}`,
        act: go(`${root}/settings/members`),
      })),
    },
    {
      heading: 'Documentation',
      entries: docs.map(({ page, heading, href }) => ({
        key: href,
        label: heading ?? page,
        ...(heading === null ? {} : { detail: page }),
        words: heading === null ? 'docs help manual' : page,
        act: go(href),
      })),
    },
  ];
}

/** Groups of what a search over stored text found. `own`: the project that is open, or null. */
export function textGroups(
  organization: string,
  hits: TextHits,
  own: string | null,
): PaletteGroup[] {
  const root = `/${organization}/projects`;
  return [
    {
      heading: 'By number',
      // The open project's are offered at once, before any search.
      entries: hits.numbers
        .filter(({ project }) => project.slug !== own)
        .map((hit) => numberEntry(root, hit)),
    },
    { heading: 'In reports', entries: hits.reports.map((hit) => hitEntry(root, hit)) },
    { heading: 'In commands', entries: hits.commands.map((hit) => hitEntry(root, hit)) },
  ];
}

function numberEntry(root: string, { kind, number, project }: NumberedHit): PaletteEntry {
  return {
    key: `${kind}-${project.slug}-${number}`,
    label: `${kind === 'chains' ? 'Chain' : 'Session'} #${number}`,
    detail: project.name,
    act: go(`${root}/${project.slug}/${kind}/${number}`),
  };
}

function hitEntry(root: string, hit: TextHit): PaletteEntry {
  const { project, session, chain, conversationId, seq } = hit;
  const path = `${root}/${project.slug}`;
  const href = conversationId
    ? `${path}/ask/${conversationId}`
    : seq === null
      ? `${path}/sessions/${session.number}/report`
      : `${path}/sessions/${session.number}?event=${seq}`;
  return {
    key: `${seq === null ? 'report' : 'command'}-${project.slug}-${session.number}-${seq}`,
    label: hit.snippet.map(({ text }) => text).join(''),
    snippet: hit.snippet,
    detail: [
      chain ? `Chain #${chain.number}` : 'Ask',
      `Session #${session.number}`,
      `Tier ${session.tier}`,
      project.name,
    ].join(' · '),
    act: go(href),
  };
}

function go(href: string) {
  return { kind: 'go' as const, href };
}
