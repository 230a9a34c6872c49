import type { z } from 'zod';
import { ASK_TIER } from '@/lib/engine/statuses';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { InvalidError } from '@/lib/platform/errors';
import { usdOf } from '@/lib/platform/format/cost';
import { formatCount, formatCounted } from '@/lib/platform/format/count';
import { writeCsv } from '@/lib/platform/format/csv';
import { requireProject } from '@/lib/projects/manage-project';
import {
  countCheckedHours,
  countMissingUsage,
  listDeletedNames,
  listModels,
  listProjectNames,
  listSessionNames,
  listSpendGroups,
  type SpendGroupRow,
  type SpendMatch,
  sumSpend,
} from './data';
import type {
  MissingUsage,
  SpendGroup,
  SpendPage,
  SpendQuery,
  SpendRow,
  SpendSums,
  UsageDto,
  usageQuerySchema,
} from './schema';

/** What was spent in a span, summed by one thing. A fixed number of queries. */
export function getSpend(scope: TenantScope, query: SpendQuery): Promise<SpendPage> {
  const { groupBy } = query;
  return inTransaction(scope, async (db) => {
    const match = await matchOf(db, query);
    const groups = await listSpendGroups(db, match, groupBy);
    const total = await sumSpend(db, match);
    const names = await namesOf(db, groups, query);
    return {
      rows: groups.map((row) => toSpendRow(row, groupBy, names)),
      rest: restOf(groups, total),
      total,
      missing: await countMissingUsage(db, match),
      models: await listModels(db),
    };
  });
}

/** Throws NotFoundError for a project that isn't there. */
export async function matchOf(
  db: TenantDb,
  query: Omit<SpendQuery, 'groupBy'>,
): Promise<SpendMatch> {
  const { project, tier, model, kind, from, to } = query;
  return {
    projectId: project ? (await requireProject(db, project)).id : null,
    tier: tier ?? null,
    model: model ?? null,
    kind: kind ?? null,
    from,
    to,
  };
}

async function namesOf(
  db: TenantDb,
  groups: readonly SpendGroupRow[],
  { groupBy }: SpendQuery,
): Promise<SpendNames> {
  const keys = groups.map((group) => group.key).filter((key) => key !== '');
  return {
    projects: groupBy === 'project' ? await listProjectNames(db, keys) : [],
    deleted: groupBy === 'project' ? await listDeletedNames(db, keys) : [],
    sessions: groupBy === 'session' ? await listSessionNames(db, keys) : [],
  };
}

function restOf(groups: readonly SpendGroupRow[], total: SpendSums): SpendPage['rest'] {
  const rows = (groups[0]?.groups ?? 0) - groups.length;
  if (rows === 0) return null;
  const left = (value: (sums: SpendSums) => number) =>
    value(total) - groups.reduce((sum, group) => sum + value(group), 0);
  return {
    rows,
    entries: left((sums) => sums.entries),
    tokens: left((sums) => sums.tokens),
    micros: left((sums) => sums.micros),
    estimateMicros: left((sums) => sums.estimateMicros),
  };
}

const STANDARD_MS = 30 * 86_400_000;

/** The ledger as the API answers it. Throws InvalidError for a span that ends before it begins. */
export async function getUsage(
  scope: TenantScope,
  { from: fromText, to: toText, groupBy, ...filter }: z.output<typeof usageQuerySchema>,
  now = new Date(),
): Promise<UsageDto> {
  const to = toText ? new Date(toText) : now;
  const from = fromText ? new Date(fromText) : new Date(to.getTime() - STANDARD_MS);
  if (to <= from) {
    throw new InvalidError('`to` must be later than `from`.', {
      to: 'Give a moment later than `from`.',
    });
  }
  const page = await getSpend(scope, { ...filter, from, to, groupBy });
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    groupBy,
    data: page.rows.map(({ key, label, entries, tokens, micros, estimateMicros }) => ({
      key,
      label,
      entries,
      tokens,
      costUsd: usdOf(micros),
      estimatedUsd: usdOf(estimateMicros),
    })),
    rest: page.rest && { groups: page.rest.rows, costUsd: usdOf(page.rest.micros) },
    totalCostUsd: usdOf(page.total.micros),
    totalTokens: page.total.tokens,
    estimatedUsd: usdOf(page.total.estimateMicros),
    attemptsWithoutUsage: page.missing.reduce((sum, each) => sum + each.count, 0),
  };
}

type Query = Required<Pick<z.output<typeof usageQuerySchema>, 'from' | 'to' | 'groupBy'>> &
  Pick<z.output<typeof usageQuerySchema>, 'project' | 'tier' | 'model' | 'kind'>;

/** The rows of a spend page as CSV, with their sum as the last line. */
export async function writeSpend(scope: TenantScope, query: Query): Promise<string> {
  const span = { from: new Date(query.from), to: new Date(query.to) };
  return writeCsv(spendCsvRows(await getSpend(scope, { ...query, ...span }), query.groupBy));
}

type Row = (string | number | null)[];

/** The page as lines of a CSV: its rows, what is missing, and the sum as the last one. */
function spendCsvRows(page: SpendPage, groupBy: SpendGroup): Row[] {
  const line = (label: string, sums: SpendPage['total'] | SpendPage['rows'][number]): Row => [
    label,
    sums.entries,
    sums.tokens,
    usdOf(sums.micros),
    usdOf(sums.estimateMicros),
  ];
  return [
    [groupBy, 'ledger rows', 'tokens', 'cost (USD)', 'estimated (USD)'],
    ...page.rows.map((row) => line(row.label, row)),
    ...(page.rest ? [line(`${page.rest.rows} more`, page.rest)] : []),
    ...page.missing.map((missing): Row => [missingSentence(missing), null, null, null, null]),
    line('Total', page.total),
  ];
}

interface SpendNames {
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
  const label = `${project.name} · Session #${number}`;
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

/** `Usage is missing for 1 killed attempt.` */
export function missingSentence({ end, count }: MissingUsage): string {
  const words = end.replaceAll('_', ' ');
  return `Usage is missing for ${count} ${words} ${count === 1 ? 'attempt' : 'attempts'}.`;
}

/** Whole UTC hours in which checks reported. `quiet`: those of them in which no chain started. */
export interface AvoidedFigures {
  hours: number;
  quiet: number;
}

/**
 * Returns in how many hours the project's checks reported, and in how many of these no chain started.
 *
 * @param input.projectId UUID
 */
export function getAvoidedFigures(
  scope: TenantScope,
  { projectId, from, to }: { projectId: string; from: Date; to: Date },
): Promise<AvoidedFigures> {
  return inTransaction(scope, (db) => countCheckedHours(db, { projectId, from, to }));
}

/**
 * "Checks ran without an agent in 720 hours of the last 30 days. An hourly schedule would have started 708 more
 * chains."
 */
export function avoidedSentence({ hours, quiet }: AvoidedFigures, spanWords: string): string {
  if (hours === 0) return `No check ran without an agent in ${spanWords}.`;
  const ran = `Checks ran without an agent in ${formatCounted(hours, 'hour')} of ${spanWords}.`;
  return quiet === 0
    ? `${ran} A chain started in each of them.`
    : `${ran} An hourly schedule would have started ${formatCount(quiet)} more ${quiet === 1 ? 'chain' : 'chains'}.`;
}
