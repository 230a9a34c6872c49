import { channelKindWords } from '@/lib/deliveries/channels/registry';
import { listMembers, listNamesWithRole } from '@/lib/identity/members/list-members';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { settingWords } from '@/lib/projects/settings';
import {
  findNumbered,
  listRunnerPlaces,
  listServicePlaces,
  searchCommands,
  searchReports,
  type TextHitRow,
} from './data';
import { SEARCHED_COMMANDS, SEARCHED_REPORTS } from './limits';
import type { NumberedHit, Places, TextHit, TextHits } from './schema';
import { containing, snippetOf, wordsOf } from './words';

const SHOWN = 6;
/** The same command often runs in many sessions, and several times in one: one of each is shown. */
const READ = 60;
const LARGEST_NUMBER = 2_147_483_647;
const DEPTH = { reports: SEARCHED_REPORTS, commands: SEARCHED_COMMANDS };

/**
 * Searches stored text of the organization: reports, commands of tool calls, and numbers. Every
 * word of the query has to be in a report or a command; upper and lower case are the same.
 *
 * @param depth how many of the newest reports and commands are read
 * @returns at most SHOWN of each, newest first
 */
export function searchText(
  scope: TenantScope,
  query: string,
  depth: typeof DEPTH = DEPTH,
): Promise<TextHits> {
  const words = wordsOf(query);
  const number = numberIn(query);
  const isTooShort = words.join('').length < 2;
  return inTransaction(scope, async (db) => {
    const numbers = number === null ? [] : numbered(await findNumbered(db, number, SHOWN));
    if (isTooShort) return { numbers, reports: [], commands: [] };
    const search = { patterns: words.map(containing) };
    const reports = await searchReports(db, { ...search, depth: depth.reports, limit: SHOWN });
    const commands = await searchCommands(db, { ...search, depth: depth.commands, limit: READ });
    return {
      numbers,
      reports: reports.map((row) => toHit(row, words)),
      commands: onePerCommand(commands)
        .slice(0, SHOWN)
        .map((row) => toHit(row, words)),
    };
  });
}

/** `#12` and `12` are the number 12. */
function numberIn(query: string): number | null {
  const digits = /^#?([1-9]\d{0,9})$/.exec(query.trim())?.[1];
  return digits && Number(digits) <= LARGEST_NUMBER ? Number(digits) : null;
}

function numbered(found: Awaited<ReturnType<typeof findNumbered>>): NumberedHit[] {
  return (['chains', 'sessions'] as const).flatMap((kind) =>
    found[kind].map(({ number, project }) => ({ kind, number, project })),
  );
}

/** The newest of equal commands. */
function onePerCommand(rows: readonly TextHitRow[]): TextHitRow[] {
  const newest = new Map<string, TextHitRow>();
  for (const row of rows) if (!newest.has(row.text)) newest.set(row.text, row);
  return [...newest.values()];
}

function toHit(row: TextHitRow, words: readonly string[]): TextHit {
  return {
    project: { slug: row.projectSlug, name: row.projectName },
    session: { number: row.sessionNumber, tier: row.tier },
    chain: row.chainNumber === null ? null : { number: row.chainNumber },
    conversationId: row.conversationId === null ? null : encodeId('cnv', row.conversationId),
    at: row.at.toISOString(),
    snippet: snippetOf(row.text, words),
    seq: row.seq,
  };
}

const MAX_SERVICES = 1_000;
const MAX_RUNNERS = 200;
const MAX_PEOPLE = 200;

/** Returns what the palette finds by name: services, runners and people of the organization. */
export async function listPlaces(scope: TenantScope): Promise<Places> {
  const places = await inTransaction(scope, async (db) => ({
    services: await listServicePlaces(db, MAX_SERVICES),
    runners: await listRunnerPlaces(db, MAX_RUNNERS),
  }));
  const { data: members } = await listMembers(scope, { limit: MAX_PEOPLE });
  return {
    services: places.services,
    runners: places.runners.map(({ id, name, pool }) => ({
      id: encodeId('rnr', id),
      name,
      pool: pool.name,
    })),
    people: members.map(({ id, name, role }) => ({ id, name, role })),
    whoCan: {
      operator: await listNamesWithRole(scope, 'operator'),
      admin: await listNamesWithRole(scope, 'admin'),
    },
    channelWords: channelKindWords(),
    settingWords: settingWords(),
  };
}
