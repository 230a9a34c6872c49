import type { Prisma } from '@/generated/prisma/client';
import { deriveKey, open, seal } from '@/lib/platform/crypto/secret-box';
import { systemDb } from '@/lib/platform/db/global-db';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { NotFoundError } from '@/lib/platform/errors';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';
import { maskUrl } from './schema';

type NewEndpoint = Omit<Prisma.WebhookEndpointUncheckedCreateInput, 'organizationId'>;

export function insertEndpoint(db: TenantDb, endpoint: NewEndpoint) {
  return db.webhookEndpoint.create({ data: { organizationId: db.organizationId, ...endpoint } });
}

export async function getEndpointRow(db: TenantDb, endpointId: string) {
  const row = await db.webhookEndpoint.findFirst({ where: { id: endpointId } });
  if (!row) throw new NotFoundError();
  return row;
}
export type EndpointRow = Awaited<ReturnType<typeof getEndpointRow>>;

/**
 * Returns endpoints, newest first. With `projectId`, those of the whole organization are included.
 */
export function listEndpointRows(
  db: TenantDb,
  { projectId, ...place }: Place & { projectId: string | undefined },
) {
  const { id, ...page } = pageArgs(place);
  const where = { id, ...(projectId ? { OR: [{ projectId }, { projectId: null }] } : {}) };
  return db.webhookEndpoint.findMany({ where, ...page });
}

/** Returns the enabled endpoints that are subscribed to one of the events. */
export function listSubscribedEndpoints(db: TenantDb, eventTypes: readonly string[]) {
  return db.webhookEndpoint.findMany({
    where: { disabledAt: null, eventTypes: { hasSome: [...eventTypes] } },
    select: { id: true, url: true, projectId: true, eventTypes: true },
  });
}

export type EndpointChanges = Partial<EndpointRow>;

/**
 * Updates an endpoint.
 *
 * @throws NotFoundError if it was deleted in the meantime
 */
export async function updateEndpointRow(
  db: TenantDb,
  endpointId: string,
  changes: EndpointChanges,
): Promise<void> {
  const { count } = await db.webhookEndpoint.updateMany({
    where: { id: endpointId },
    data: changes,
  });
  if (count === 0) throw new NotFoundError();
}

/** Deletes an endpoint and its deliveries. */
export async function deleteEndpointRow(db: TenantDb, endpointId: string): Promise<void> {
  const { count } = await db.webhookEndpoint.deleteMany({ where: { id: endpointId } });
  if (count === 0) throw new NotFoundError();
}

/** Disables an endpoint. Returns false if it already is. */
export async function disableEndpoint(
  db: TenantDb,
  endpointId: string,
  reason: 'gone' | 'failing_five_days' | 'by_hand',
  now: Date,
): Promise<boolean> {
  const { count } = await db.webhookEndpoint.updateMany({
    where: { id: endpointId, disabledAt: null },
    data: { disabledAt: now, disabledReason: reason },
  });
  return count === 1;
}

/**
 * Returns the columns that store a URL: encrypted, and without its path for people who may not see
 * it. It is bound to its endpoint, so no other row can use it.
 */
export function urlColumns(url: string, endpointId: string): { url: string; urlSealed: string } {
  return { url: maskUrl(url), urlSealed: seal(url, key(), contextOf(endpointId)) };
}

/**
 * Returns the whole URL of an endpoint.
 *
 * @throws SecretBoxError if it was encrypted with another key
 */
export function openUrl(row: { id: string; url: string; urlSealed: string | null }): string {
  return row.urlSealed === null ? row.url : open(row.urlSealed, key(), contextOf(row.id));
}

/** Encrypts URLs that an earlier version stored, of any organization. @returns how many it found */
export async function sealUrls(limit: number): Promise<number> {
  const db = systemDb('webhook URLs of an earlier version');
  const rows = await db.webhookEndpoint.findMany({
    where: { urlSealed: null },
    select: { id: true, url: true },
    take: limit,
  });
  for (const { id, url } of rows) {
    // Unless someone has entered another one in the meantime.
    const where = { id, url, urlSealed: null };
    await db.webhookEndpoint.updateMany({ where, data: urlColumns(url, id) });
  }
  return rows.length;
}

function key(): Buffer {
  return deriveKey(env().secretKey, 'webhooks');
}

function contextOf(endpointId: string): string {
  return `webhook-url:${endpointId}`;
}
