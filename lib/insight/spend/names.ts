/** What the keys of groups are called. */

import { ASK_TIER } from '@/lib/engine/budget/ask-tier';
import type { SpendGroupRow } from './data';
import type { SpendGroup, SpendRow } from './schema';

export interface SpendNames {
  projects: readonly { id: string; slug: string; name: string }[];
  deleted: readonly { projectId: string; name: string; deletedAt: Date }[];
  sessions: readonly {
    id: string;
    number: number;
    tier: number;
    project: { slug: string; name: string };
    /** Null for a tier's. */
    turn: { conversation: { deletedAt: Date | null } } | null;
  }[];
}

type Named = Pick<SpendRow, 'label' | 'project' | 'number'>;

export function toSpendRow(row: SpendGroupRow, by: SpendGroup, names: SpendNames): SpendRow {
  const { key, tokens, micros, estimateMicros } = row;
  const entries = row.entries === 0 ? null : row.entries;
  return { key, ...nameOf(key, by, names), entries, tokens, micros, estimateMicros };
}

function nameOf(key: string, by: SpendGroup, names: SpendNames): Named {
  const plain = { project: null, number: null };
  if (by === 'tier') return { ...plain, label: key === String(ASK_TIER) ? 'Ask' : `Tier ${key}` };
  if (by === 'project') return projectName(key, names);
  if (by !== 'session') return { ...plain, label: key };
  const session = names.sessions.find((each) => each.id === key);
  if (!session) return { ...plain, label: 'Sessions of deleted projects' };
  const { number, project, turn } = session;
  const label = `${project.name} #${number}`;
  // Of a deleted conversation there is nothing to open.
  return { label, project: project.slug, number: turn?.conversation.deletedAt ? null : number };
}

function projectName(id: string, { projects, deleted }: SpendNames): Named {
  const project = projects.find((each) => each.id === id);
  if (project) return { label: project.name, project: project.slug, number: null };
  const gone = deleted.find((each) => each.projectId === id);
  const label = gone ? `${gone.name} (deleted ${dayWords(gone.deletedAt)})` : 'A deleted project';
  return { label, project: null, number: null };
}

/** `22 Nov`, in UTC as all days of money are. */
function dayWords(at: Date): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
    .format(at)
    .replace('Sept', 'Sep');
}
