import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { mayDo, requireMay } from '@/lib/identity/tenancy/role-matrix';
import { SecretBoxError } from '@/lib/platform/crypto/secret-box';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { cancelOpenDeliveries } from '../outbox/data';
import {
  deleteEndpointRow,
  type EndpointChanges,
  type EndpointRow,
  getEndpointRow,
  insertEndpoint,
  listEndpointRows,
  openUrl,
  sealUrls,
  updateEndpointRow,
  urlColumns,
} from './data';
import {
  type CreateEndpointInput,
  type EndpointDto,
  type EndpointWithSecret,
  maskUrl,
  type UpdateEndpointInput,
} from './schema';
import { hintOf, mintSigningSecret, openSecret, rotationEnd, sealSecret } from './signing';

const MAX_ENDPOINTS = 50;

/**
 * Creates an endpoint. Apart from a rotation, this is the only time that the signing secret is
 * shown.
 */
export function createEndpoint(
  scope: TenantScope,
  input: CreateEndpointInput,
  now = new Date(),
): Promise<EndpointWithSecret> {
  requireMay(scope, 'webhook.manage');
  const id = uuidv7();
  const secret = mintSigningSecret();
  return inTransaction(scope, async (db) => {
    const project = input.projectId ? await requireProject(db, input.projectId) : null;
    if ((await db.webhookEndpoint.count()) >= MAX_ENDPOINTS) {
      throw new ConflictError(
        `An organization has at most ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`,
      );
    }
    const row = await insertEndpoint(db, {
      id,
      projectId: project?.id ?? null,
      ...urlColumns(input.url, id),
      description: input.description,
      eventTypes: input.eventTypes,
      secretSealed: sealSecret(secret, id),
      secretHint: hintOf(secret),
      createdAt: now,
    });
    const dto = toEndpointDto(scope, row, now);
    await recordAudit(db, scope, {
      action: 'webhook_endpoint.created',
      target: dto.id,
      projectId: row.projectId,
      detail: { after: settingsOf(row) },
    });
    return { ...dto, secret };
  });
}

/**
 * Returns endpoints, newest first. With a project, those of the whole organization are included.
 */
export async function listEndpoints(
  scope: TenantScope,
  page: { limit: number; cursor?: string | undefined; project?: string | undefined },
  now = new Date(),
): Promise<{ data: EndpointDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(page.cursor, z.uuid());
  const found = await inTransaction(scope, async (db) => {
    const project = page.project ? await requireProject(db, page.project) : null;
    return listEndpointRows(db, { limit: page.limit, beforeId, projectId: project?.id });
  });
  const { rows, nextCursor } = pageOf(found, page.limit, (row) => row.id);
  return { data: rows.map((row) => toEndpointDto(scope, row, now)), nextCursor };
}

export function getEndpoint(
  scope: TenantScope,
  endpointId: string,
  now = new Date(),
): Promise<EndpointDto> {
  const id = requireId('whk', endpointId);
  return inTransaction(scope, async (db) =>
    toEndpointDto(scope, await getEndpointRow(db, id), now),
  );
}

/**
 * Updates an endpoint. Enabling it resets its failures; disabling it cancels its open deliveries.
 */
export function updateEndpoint(
  scope: TenantScope,
  endpointId: string,
  input: UpdateEndpointInput,
  now = new Date(),
): Promise<EndpointDto> {
  requireMay(scope, 'webhook.manage');
  const id = requireId('whk', endpointId);
  return inTransaction(scope, async (db) => {
    const before = await getEndpointRow(db, id);
    const { isEnabled, url, ...settings } = input;
    const changes: EndpointChanges = { ...settings, ...(url && urlColumns(url, id)) };
    if (isEnabled === true && before.disabledAt) {
      Object.assign(changes, { disabledAt: null, disabledReason: null, failingSince: null });
    }
    if (isEnabled === false && !before.disabledAt) {
      Object.assign(changes, { disabledAt: now, disabledReason: 'by_hand' });
      await cancelOpenDeliveries(db, { endpointId: id });
    }
    if (Object.keys(changes).length === 0) return toEndpointDto(scope, before, now);
    await updateEndpointRow(db, id, changes);
    const after = await getEndpointRow(db, id);
    await recordAudit(db, scope, {
      action: 'webhook_endpoint.updated',
      target: encodeId('whk', id),
      projectId: after.projectId,
      detail: {
        before: settingsOf(before),
        after: settingsOf(after),
        // Two URLs of one host look the same in the entry.
        ...(url ? { isUrlReplaced: true } : {}),
      },
    });
    return toEndpointDto(scope, after, now);
  });
}

export function deleteEndpoint(scope: TenantScope, endpointId: string): Promise<void> {
  requireMay(scope, 'webhook.manage');
  const id = requireId('whk', endpointId);
  return inTransaction(scope, async (db) => {
    const before = await getEndpointRow(db, id);
    await deleteEndpointRow(db, id);
    await recordAudit(db, scope, {
      action: 'webhook_endpoint.deleted',
      target: encodeId('whk', id),
      projectId: before.projectId,
      detail: { before: settingsOf(before) },
    });
  });
}

/** Replaces the signing secret immediately. The previous one also signs for another 24 hours. */
export function rotateSecret(
  scope: TenantScope,
  endpointId: string,
  now = new Date(),
): Promise<EndpointWithSecret> {
  requireMay(scope, 'webhook.manage');
  const id = requireId('whk', endpointId);
  const secret = mintSigningSecret();
  return inTransaction(scope, async (db) => {
    const before = await getEndpointRow(db, id);
    await updateEndpointRow(db, id, {
      secretSealed: sealSecret(secret, id),
      secretHint: hintOf(secret),
      previousSecretSealed: sealSecret(openSecret(before.secretSealed, id), id),
      previousSecretUntil: rotationEnd(now),
    });
    const dto = toEndpointDto(scope, await getEndpointRow(db, id), now);
    await recordAudit(db, scope, {
      action: 'webhook_endpoint.rotated',
      target: dto.id,
      projectId: before.projectId,
      detail: { previousSecretUntil: dto.previousSecretUntil },
    });
    return { ...dto, secret };
  });
}

function settingsOf(row: {
  url: string;
  description: string;
  eventTypes: string[];
  disabledAt: Date | null;
}) {
  const { url, description, eventTypes, disabledAt } = row;
  return { url: maskUrl(url), description, eventTypes, isEnabled: disabledAt === null };
}

function toEndpointDto(scope: TenantScope, row: EndpointRow, now: Date): EndpointDto {
  const previousUntil = row.previousSecretUntil;
  return {
    id: encodeId('whk', row.id),
    url: shownUrl(scope, row),
    description: row.description,
    eventTypes: row.eventTypes,
    projectId: row.projectId && encodeId('prj', row.projectId),
    secretHint: row.secretHint,
    createdAt: row.createdAt.toISOString(),
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    disabledReason: row.disabledReason,
    previousSecretUntil: previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
  };
}

/** The whole URL for those who could change it, if this installation's key opens it. */
function shownUrl({ role }: TenantScope, row: EndpointRow): string {
  if (!mayDo(role, 'webhook.manage')) return maskUrl(row.url);
  try {
    return openUrl(row);
  } catch (error) {
    if (error instanceof SecretBoxError) return maskUrl(row.url);
    throw error;
  }
}

const SEALED_AT_ONCE = 200;

/** Encrypts the URLs that an earlier version stored, in every organization. */
export async function sealStoredUrls(): Promise<void> {
  while ((await sealUrls(SEALED_AT_ONCE)) === SEALED_AT_ONCE);
}
