/** Server time of the pages that read most, in an organization with a long history. */

import type pg from 'pg';
import { getChain, getChainWork } from '@/lib/insight/chains/get-chain';
import { listChains } from '@/lib/insight/chains/list-chains';
import { getOverview, getServiceHealth } from '@/lib/insight/dashboard/get-overview';
import { browseSessions } from '@/lib/insight/sessions/list-sessions';
import type { TenantScope } from '@/lib/platform/db/scope';
import { makeCast } from '@/tests/support/cast/organization';
import { inMs, isFull, printResult, quantile, spread } from './support/figures';
import { type HistorySize, writeHistory } from './support/history';
import { withScratchDatabase } from './support/scratch-database';
import { countStatements } from './support/statements';

const SIZE: HistorySize = isFull
  ? { projects: 1_000, sessions: 1_000_000, eventsPerSession: 10 }
  : { projects: 200, sessions: 100_000, eventsPerSession: 5 };
/** As many projects as the whole table has: what the frame of every page grows with. */
const MORE_PROJECTS: HistorySize | null = isFull
  ? null
  : { projects: 800, firstProject: 200, sessions: 8_000, eventsPerSession: 1 };
const SAMPLES = isFull ? 200 : 60;
const LIST_ROWS = 25;
const RECENT_CHAINS = 10;

interface Place {
  projectId: string;
  slug: string;
  chains: number;
}

/** What each page asks its services for; the frame around all of them asks for the overview. */
function pagesOf(scope: TenantScope): Record<string, (place: Place) => Promise<unknown>> {
  const weekAgo = () => new Date(Date.now() - 7 * 86_400_000);
  return {
    'frame of every page': () => getOverview(scope),
    'session list, last 7 days': () =>
      browseSessions(scope, { since: weekAgo(), limit: LIST_ROWS }),
    'session list, of all time': () => browseSessions(scope, { limit: LIST_ROWS }),
    'session list of a project': ({ slug }) =>
      browseSessions(scope, { project: slug, limit: LIST_ROWS }),
    'chain page': async ({ slug, chains }) => {
      const number = 1 + Math.floor(Math.random() * chains);
      const chain = await getChain(scope, { project: slug, number });
      const sessionIds = chain.sessions.map(({ id }) => id);
      await getChainWork(scope, chain.id, sessionIds);
    },
    'project dashboard': async ({ slug, projectId }) => {
      await Promise.all([
        getServiceHealth(scope, projectId),
        listChains(scope, { project: slug, limit: RECENT_CHAINS }),
      ]);
    },
  };
}

async function placesOf(superuser: pg.Client): Promise<Place[]> {
  const { rows } = await superuser.query<Place>(
    `select id as "projectId", slug, last_chain_number as chains from project order by random() limit $1`,
    [SAMPLES],
  );
  return rows;
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

await withScratchDatabase({ isThrowaway: true }, async (superuser) => {
  const { alice, projectId } = await makeCast();
  await writeHistory(superuser, projectId, SIZE);
  const places = await placesOf(superuser);
  const figures: Record<string, string> = {};
  let worst = 0;
  for (const [name, read] of Object.entries(pagesOf(alice))) {
    const { tookMs, statements } = await measure(read, places);
    figures[name] = `${spread(tookMs)}; ${statements} statements`;
    worst = Math.max(worst, quantile(tookMs, 0.95));
  }
  if (MORE_PROJECTS) {
    await writeHistory(superuser, projectId, MORE_PROJECTS);
    const { tookMs, statements } = await measure(() => getOverview(alice), places);
    figures['frame of every page, 1,000 projects'] = `${spread(tookMs)}; ${statements} statements`;
    worst = Math.max(worst, quantile(tookMs, 0.95));
  }
  const { projects, sessions, eventsPerSession } = SIZE;
  const words = [sessions, sessions * eventsPerSession, projects].map((n) =>
    n.toLocaleString('en'),
  );
  printResult({
    title: `Reads with ${words[0]} sessions, ${words[1]} events, ${words[2]} projects`,
    target: 'p95 under 100 ms, constant number of queries',
    figures: { ...figures, 'slowest p95': inMs(worst) },
  });
});
