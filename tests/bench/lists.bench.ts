/** Server time of the pages that read most, in organizations with a long history. */

import type pg from 'pg';
import { getChain, getChainWork } from '@/lib/insight/chains/get-chain';
import { listChains } from '@/lib/insight/chains/list-chains';
import { getOverview, getServiceHealth } from '@/lib/insight/dashboard/get-overview';
import { listEvents } from '@/lib/insight/sessions/events';
import { getSession } from '@/lib/insight/sessions/get-session';
import { browseSessions } from '@/lib/insight/sessions/list-sessions';
import type { TenantScope } from '@/lib/platform/db/scope';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { inMs, isFull, printResult, quantile, spread } from './support/figures';
import { type HistorySize, writeHistory } from './support/history';
import { withScratchDatabase } from './support/scratch-database';
import { countStatements } from './support/statements';

const SIZE: HistorySize = isFull
  ? { projects: 1_000, sessions: 1_000_000, eventsPerSession: 10 }
  : { projects: 1_000, sessions: 100_000, eventsPerSession: 5 };
/** The same rows in one organization, and shared out among so many. */
const ORGANIZATIONS = [1, 50];
const SAMPLES = isFull ? 200 : 60;
const LIST_ROWS = 25;
const RECENT_CHAINS = 10;
/** What the server draws of a log. */
const FIRST_EVENTS = 300;

interface Place {
  scope: TenantScope;
  projectId: string;
  slug: string;
  chains: number;
  sessions: number;
}

const anyOf = (count: number) => 1 + Math.floor(Math.random() * count);

/** What each page asks its services for; the frame around all of them asks for the overview. */
const PAGES: Record<string, (place: Place) => Promise<unknown>> = {
  'frame of every page': ({ scope }) => getOverview(scope),
  'session list, last 7 days': ({ scope }) =>
    browseSessions(scope, { since: new Date(Date.now() - 7 * 86_400_000), limit: LIST_ROWS }),
  'session list, of all time': ({ scope }) => browseSessions(scope, { limit: LIST_ROWS }),
  'session list of a project': ({ scope, slug }) =>
    browseSessions(scope, { project: slug, limit: LIST_ROWS }),
  'session page': async ({ scope, slug, sessions }) => {
    const session = await getSession(scope, { project: slug, number: anyOf(sessions) });
    await listEvents(scope, session.id, { limit: FIRST_EVENTS });
  },
  'chain list of a project': ({ scope, slug }) =>
    listChains(scope, { project: slug, limit: LIST_ROWS }),
  'chain page': async ({ scope, slug, chains }) => {
    const chain = await getChain(scope, { project: slug, number: anyOf(chains) });
    const sessionIds = chain.sessions.map(({ id }) => id);
    await getChainWork(scope, chain.id, sessionIds);
  },
  'project dashboard': async ({ scope, slug, projectId }) => {
    await Promise.all([
      getServiceHealth(scope, projectId),
      listChains(scope, { project: slug, limit: RECENT_CHAINS }),
    ]);
  },
};

async function placesOf(superuser: pg.Client, casts: readonly Cast[]): Promise<Place[]> {
  const scopes = new Map(casts.map(({ alice }) => [String(alice.organizationId), alice]));
  const { rows } = await superuser.query<Omit<Place, 'scope'> & { organizationId: string }>(
    `select organization_id as "organizationId", id as "projectId", slug, last_chain_number as chains,
       last_session_number as sessions
     from project order by random() limit $1`,
    [SAMPLES],
  );
  return rows.flatMap(({ organizationId, ...place }) => {
    const scope = scopes.get(organizationId);
    return scope ? [{ scope, ...place }] : [];
  });
}

async function measure(read: (place: Place) => Promise<unknown>, places: Place[]) {
  const [first] = places;
  if (!first) throw new Error('There is no project.');
  // The first call of a kind prepares its statements.
  await read(first);
  const tookMs: number[] = [];
  const statements: number[] = [];
  for (const place of places) {
    const beganAt = performance.now();
    await read(place);
    tookMs.push(performance.now() - beganAt);
    statements.push(await countStatements(() => read(place)));
  }
  const [least, most] = [Math.min(...statements), Math.max(...statements)];
  return { tookMs, statements: least === most ? `${least}` : `${least} to ${most}` };
}

/** Figures of all pages with the rows in so many organizations, and the slowest p95 in milliseconds. */
async function measurePages(organizations: number) {
  const figures: Record<string, string> = {};
  let worst = 0;
  await withScratchDatabase({ isThrowaway: true }, async (superuser) => {
    const casts: Cast[] = [];
    while (casts.length < organizations) casts.push(await makeCast());
    const projectIds = casts.map(({ projectId }) => projectId);
    await writeHistory(superuser, projectIds, SIZE);
    const places = await placesOf(superuser, casts);
    for (const [page, read] of Object.entries(PAGES)) {
      const { tookMs, statements } = await measure(read, places);
      const name = organizations === 1 ? page : `${page}, ${organizations} organizations`;
      figures[name] = `${spread(tookMs)}; ${statements} statements`;
      worst = Math.max(worst, quantile(tookMs, 0.95));
    }
  });
  return { figures, worst };
}

const results = [];
for (const organizations of ORGANIZATIONS) results.push(await measurePages(organizations));
const [sessions, events, projects] = [
  SIZE.sessions,
  SIZE.sessions * SIZE.eventsPerSession,
  SIZE.projects,
].map((count) => count.toLocaleString('en'));
printResult({
  title: `Reads with ${sessions} sessions, ${events} events, ${projects} projects`,
  target: 'p95 under 50 ms, constant number of queries',
  figures: {
    ...Object.assign({}, ...results.map(({ figures }) => figures)),
    'slowest p95': inMs(Math.max(...results.map(({ worst }) => worst))),
  },
});
