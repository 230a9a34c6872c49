/** Reads back, over the REST API, everything that the product knows about the chains. */
import type { z } from 'zod';
import { type ChainItem, chainItemSchema } from '@/lib/insight/chains/schema';
import { sessionDetailSchema, sessionEventSchema } from '@/lib/insight/sessions/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import type { ReceivedRequest } from '@/tests/support/webhook-receiver/receiver';
import type { PatientClient } from './client';
import type { ChaosProject } from './load';
import type { ChainRecord, SessionRecord, WebhookRecord } from './records';

/** Every chain of the project, whether or not an answer named it. */
export async function collectChains({ slug, client }: ChaosProject): Promise<ChainRecord[]> {
  const chains = await everyPage(client, `projects/${slug}/chains?limit=100`, chainItemSchema);
  const records: ChainRecord[] = [];
  for (const chain of chains) records.push(await collectChain(client, slug, chain));
  return records;
}

async function collectChain(
  client: PatientClient,
  project: string,
  chain: ChainItem,
): Promise<ChainRecord> {
  const sessions: SessionRecord[] = [];
  for (const { id } of chain.sessions) sessions.push(await collectSession(client, id));
  const { id, number, status, outcome, totalCostUsd: costUsd } = chain;
  return { id, number, project, status, outcome, costUsd, sessions };
}

async function collectSession(client: PatientClient, sessionId: string): Promise<SessionRecord> {
  const detail = await client.get(`sessions/${sessionId}`, sessionDetailSchema);
  const path = `sessions/${sessionId}/events?limit=1000`;
  const events = await everyPage(client, path, sessionEventSchema);
  const { id, number, costUsd, startedAt, endedAt } = detail;
  return {
    id,
    number,
    costUsd,
    hasStarted: startedAt !== null,
    hasEnded: endedAt !== null,
    attempts: detail.attempts.map((attempt) => ({
      id: attempt.id,
      cliSessionId: attempt.cliSessionId ?? assignedId(attempt.argv),
      end: attempt.exit?.kind ?? null,
      endedAt: attempt.endedAt === null ? null : Date.parse(attempt.endedAt),
    })),
    ledger: detail.ledger.map((row) => ({
      attemptId: row.attemptId,
      model: row.model,
      costUsd: row.costUsd,
      isEstimate: row.isEstimate,
    })),
    events: events.map(({ seq, attemptId, kind, payload }) => ({
      seq,
      attemptId,
      tick: kind === 'text' ? tickOf(String(payload.text)) : null,
    })),
  };
}

/** The id under which the process was started, for one that was killed before it confirmed it. */
function assignedId(argv: string[] | null): string | null {
  const at = argv?.indexOf('--session-id') ?? -1;
  return at === -1 ? null : (argv?.[at + 1] ?? null);
}

function tickOf(text: string): number | null {
  const [, number] = /^tick (\d+)$/.exec(text) ?? [];
  return number === undefined ? null : Number(number);
}

async function everyPage<Item extends z.ZodType>(
  client: PatientClient,
  path: string,
  item: Item,
): Promise<z.output<Item>[]> {
  const items: z.output<Item>[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await client.get(`${path}${query}`, pageSchema(item));
    items.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}

/** What the endpoint received, repeats included. */
export function readWebhooks(received: readonly ReceivedRequest[]): WebhookRecord[] {
  return received.map(({ headers, rawBody }) => {
    const { type, data } = JSON.parse(rawBody.toString('utf8'));
    const about = type === 'session.completed' ? data.session.id : data.chain.id;
    return { id: headers['webhook-id'] ?? '', type, about };
  });
}
