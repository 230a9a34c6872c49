/** Posts what senders post, to the route on a port of loopback. */

import { vi } from 'vitest';
import type { TenantScope } from '@/lib/platform/db/scope';
import { listRequests, listSignals } from '@/lib/signals/list-signals';
import { createSignalSource } from '@/lib/signals/manage-sources';
import type { SignalRequestDto } from '@/lib/signals/request-schema';
import type { SignalDto } from '@/lib/signals/schema';
import {
  createSignalSourceSchema,
  type SignalSourceWithToken,
  type SourceKind,
} from '@/lib/signals/source-schema';
import { type ApiServer, startApiServer } from '@/tests/integration/api/support/server';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import '@/tests/support/subscriptions';

export interface Sender {
  cast: Cast;
  source: SignalSourceWithToken;
  send(body: string | Buffer, call?: SendOptions): Promise<Response>;
  /** Sends it, and waits until it is processed. */
  deliver(body: string | Buffer, call?: SendOptions): Promise<SignalRequestDto>;
  alerts(): Promise<SignalDto[]>;
  deliveries(): Promise<SignalRequestDto[]>;
}

interface SendOptions {
  method?: 'POST' | 'PUT';
  headers?: Record<string, string>;
  /** The source's own by default; null: none. */
  token?: string | null;
  sourceId?: string;
}

let server: ApiServer | undefined;

export async function openServer(): Promise<ApiServer> {
  server = await startApiServer('signals');
  return server;
}

/** A source of a new organization, or of a given one. */
export async function makeSender(
  kind: SourceKind,
  settings: Record<string, unknown> = {},
  given?: Cast,
): Promise<Sender> {
  const cast = given ?? (await makeCast());
  const source = await createSignalSource(
    cast.alice,
    createSignalSourceSchema.parse({ project: cast.projectSlug, kind, name: kind, ...settings }),
  );
  const send = (body: string | Buffer, { method, headers, token, sourceId }: SendOptions = {}) =>
    fetch(`${server?.url}/api/signals/${sourceId ?? source.id}`, {
      method: method ?? 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token ?? source.token}` }),
        ...headers,
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
      redirect: 'manual',
    });
  return {
    cast,
    source,
    send,
    async deliver(body, call) {
      const response = await send(body, call);
      if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
      const { id } = (await response.json()) as { id: string };
      return processed(cast.alice, source.id, id);
    },
    alerts: async () => (await listSignals(cast.alice, { limit: 100, source: source.id })).data,
    deliveries: async () => (await listRequests(cast.alice, source.id, { limit: 100 })).data,
  };
}

/** Resolves once nothing of the source waits. */
export async function processed(
  scope: TenantScope,
  sourceId: string,
  requestId?: string,
): Promise<SignalRequestDto> {
  return vi.waitFor(
    async () => {
      const { data } = await listRequests(scope, sourceId, { limit: 100 });
      if (data.some(({ state }) => state === 'received')) throw new Error('It still waits.');
      const found = data.find(({ id }) => id === requestId) ?? data[0];
      if (!found) throw new Error('There is no delivery.');
      return found;
    },
    { timeout: 60_000, interval: 10 },
  );
}
