/** Posts what senders post, to the route on a port of loopback. */

import { vi } from 'vitest';
import type { AlertDeliveryDto } from '@/lib/alerts/delivery-schema';
import { listAlerts } from '@/lib/alerts/list-alerts';
import { listDeliveries } from '@/lib/alerts/list-deliveries';
import { createAlertSource } from '@/lib/alerts/manage-sources';
import type { AlertDto } from '@/lib/alerts/schema';
import {
  type AlertSourceWithToken,
  createAlertSourceSchema,
  type SourceKind,
} from '@/lib/alerts/source-schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { type ApiServer, startApiServer } from '@/tests/integration/api/support/server';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import '@/tests/support/subscriptions';

export interface Sender {
  cast: Cast;
  source: AlertSourceWithToken;
  send(body: string | Buffer, call?: SendOptions): Promise<Response>;
  /** Sends it, and waits until it is processed. */
  deliver(body: string | Buffer, call?: SendOptions): Promise<AlertDeliveryDto>;
  alerts(): Promise<AlertDto[]>;
  deliveries(): Promise<AlertDeliveryDto[]>;
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
  server = await startApiServer('alerts');
  return server;
}

/** A source of a new organization, or of a given one. */
export async function makeSender(
  kind: SourceKind,
  settings: Record<string, unknown> = {},
  given?: Cast,
): Promise<Sender> {
  const cast = given ?? (await makeCast());
  const source = await createAlertSource(
    cast.alice,
    createAlertSourceSchema.parse({ project: cast.projectSlug, kind, name: kind, ...settings }),
  );
  const send = (body: string | Buffer, { method, headers, token, sourceId }: SendOptions = {}) =>
    fetch(`${server?.url}/api/alerts/${sourceId ?? source.id}`, {
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
    alerts: async () => (await listAlerts(cast.alice, { limit: 100, source: source.id })).data,
    deliveries: async () => (await listDeliveries(cast.alice, source.id, { limit: 100 })).data,
  };
}

/** Resolves once nothing of the source waits. */
export async function processed(
  scope: TenantScope,
  sourceId: string,
  deliveryId?: string,
): Promise<AlertDeliveryDto> {
  return vi.waitFor(
    async () => {
      const { data } = await listDeliveries(scope, sourceId, { limit: 100 });
      if (data.some(({ state }) => state === 'received')) throw new Error('It still waits.');
      const found = data.find(({ id }) => id === deliveryId) ?? data[0];
      if (!found) throw new Error('There is no delivery.');
      return found;
    },
    { timeout: 60_000, interval: 10 },
  );
}
