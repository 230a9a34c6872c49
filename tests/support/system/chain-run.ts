/** A chain as someone with the REST API runs and watches it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type ChainDetail, chainDetailSchema } from '@/lib/insight/chains/schema';
import {
  type SessionDetail,
  type SessionEventDto,
  sessionDetailSchema,
  sessionEventSchema,
} from '@/lib/insight/sessions/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import { type ProjectDto, projectDtoSchema } from '@/lib/projects/view';
import type { ApiClient } from './api-client';

/** A machine that tests share with others may take its time. */
const PATIENCE_MS = 120_000;
/** Well below the limit of requests a minute, and rare enough to leave the processor to what is tested. */
const LOOK_EVERY_MS = 400;

/** Its checks run in chains only, unless the document says otherwise: nothing but a test starts a chain. */
export function createProject(api: ApiClient, document: ProjectDocument): Promise<ProjectDto> {
  const body = { monitoring: { everySeconds: null }, ...document };
  return api.post('projects', body, projectDtoSchema);
}

/** `project`: id or slug. */
export function startChain(
  api: ApiClient,
  project: string,
  body: { tier?: 1 | 2 | 3; prompt?: string; dryRun?: boolean } = {},
): Promise<ChainDetail> {
  return api.post(`projects/${project}/chains`, body, chainDetailSchema);
}

export function readChain(api: ApiClient, chainId: string): Promise<ChainDetail> {
  return api.get(`chains/${chainId}`, chainDetailSchema);
}

/** The chain once `holds` is true of it. */
export async function chainWhere(
  api: ApiClient,
  chainId: string,
  what: string,
  holds: (chain: ChainDetail) => boolean,
  everyMs = LOOK_EVERY_MS,
): Promise<ChainDetail> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const chain = await readChain(api, chainId);
    if (holds(chain)) return chain;
    if (Date.now() > deadline) {
      const { sessions, ...rest } = chain;
      const seen = sessions.map(({ tier, status, statusText }) => ({ tier, status, statusText }));
      const facts = { ...seen, status: rest.status, statusText: rest.statusText };
      throw new Error(`Chain #${chain.number} never ${what}: ${JSON.stringify(facts)}`);
    }
    await sleep(everyMs);
  }
}

export function endedChain(
  api: ApiClient,
  chainId: string,
  everyMs?: number,
): Promise<ChainDetail> {
  return chainWhere(api, chainId, 'ended', (chain) => chain.status === 'ended', everyMs);
}

export async function runChain(
  api: ApiClient,
  project: string,
  body: Parameters<typeof startChain>[2] = {},
): Promise<ChainDetail> {
  const { id } = await startChain(api, project, body);
  return endedChain(api, id);
}

/** Every session of the chain with its attempts, ledger and decisions, in order. */
export function sessionsOf(api: ApiClient, chain: ChainDetail): Promise<SessionDetail[]> {
  return Promise.all(chain.sessions.map(({ id }) => readSession(api, id)));
}

export function readSession(api: ApiClient, sessionId: string): Promise<SessionDetail> {
  return api.get(`sessions/${sessionId}`, sessionDetailSchema);
}

const eventsSchema = pageSchema(sessionEventSchema);

/** All of them, page by page. */
export async function eventsOf(api: ApiClient, sessionId: string): Promise<SessionEventDto[]> {
  const events: SessionEventDto[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page = await api.get(`sessions/${sessionId}/events?limit=1000${query}`, eventsSchema);
    events.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return events;
}
