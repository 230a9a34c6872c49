import { z } from 'zod';
import { hashToken, maskToken, mintToken } from '@/lib/platform/crypto/tokens';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { decodeId, encodeId } from '@/lib/platform/ids';
import { logger } from '@/lib/platform/logger';
import { recordAudit } from '../audit/record-audit';
import { requireRecentProofOf } from '../tenancy/recent-proof';
import { mayDo, requireMay } from '../tenancy/role-matrix';
import { hasTokenScope, isWide, type TokenScope } from '../token-scopes';
import {
  countTokensOfMakers,
  findApiToken,
  insertApiToken,
  listApiTokenRows,
  markApiTokenRevoked,
  markApiTokenUsed,
} from './data';
import type { ApiTokenDto, CreateApiTokenInput, CreatedApiToken } from './schema';

const USED_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Creates a token and returns it, the only time it is known. Throws ForbiddenError for scopes the
 * creator doesn't have, ProofRequiredError for wide ones.
 */
export async function createApiToken(
  scope: TenantScope,
  input: CreateApiTokenInput,
  now = new Date(),
): Promise<CreatedApiToken> {
  requireMay(scope, 'token.manage');
  requireOwnScopes(scope, input.scopes);
  if (isWide(input.scopes)) requireRecentProofOf(scope, now);
  const token = mintToken('twk');
  const expiresAt = input.expiresInDays
    ? new Date(now.getTime() + input.expiresInDays * DAY_MS)
    : null;
  return inTransaction(scope, async (db) => {
    const row = await insertApiToken(db, {
      name: input.name,
      prefix: maskToken(token),
      tokenHash: hashToken(token),
      scopes: [...input.scopes],
      role: scope.role,
      createdBy: await makerOf(db, scope),
      expiresAt,
    });
    await recordAudit(db, scope, {
      action: 'api_token.created',
      target: encodeId('tok', row.id),
      detail: { after: { name: row.name, scopes: row.scopes, expiresAt } },
    });
    return { ...toApiTokenDto(row), token };
  });
}

/** Returns tokens newest first, including revoked ones. */
export async function listApiTokens(
  scope: TenantScope,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ data: ApiTokenDto[]; nextCursor: string | null }> {
  // A token is bounded by its scope tokens:read, which an admin gave it.
  if (scope.actor.kind !== 'api_token') requireMay(scope, 'token.manage');
  const beforeId = decodeCursor(page.cursor, z.uuid());
  const found = await inTransaction(scope, (db) =>
    listApiTokenRows(db, { limit: page.limit, beforeId }),
  );
  const { rows, nextCursor } = pageOf(found, page.limit, (row) => row.id);
  return { data: rows.map(toApiTokenDto), nextCursor };
}

/** Ends it at once. A second time changes nothing. */
export async function revokeApiToken(
  scope: TenantScope,
  tokenId: string,
  now = new Date(),
): Promise<ApiTokenDto> {
  requireMay(scope, 'token.manage');
  return inTransaction(scope, async (db) => {
    const id = decodeId('tok', tokenId);
    const before = id ? await findApiToken(db, id) : null;
    if (!before) throw new NotFoundError();
    if (!(await markApiTokenRevoked(db, before.id, now))) return toApiTokenDto(before);
    await recordAudit(db, scope, {
      action: 'api_token.revoked',
      target: encodeId('tok', before.id),
      detail: { name: before.name },
    });
    return toApiTokenDto({ ...before, revokedAt: now });
  });
}

/** Of a token that a token makes, the person behind both: it ends with their other ones. */
async function makerOf(db: TenantDb, { actor }: TenantScope): Promise<string> {
  const maker = actor.kind === 'api_token' ? await findApiToken(db, actor.id) : null;
  return maker?.createdBy ?? actor.label;
}

const held = globalThis as unknown as { tierwatchTokensUsedAt?: Map<string, number> };

/** Notes that the token was used, at most once a minute. A failure only goes to the log. */
export async function touchApiToken(scope: TenantScope, now = new Date()): Promise<void> {
  held.tierwatchTokensUsedAt ??= new Map();
  const usedAt = held.tierwatchTokensUsedAt;
  const { id } = scope.actor;
  if (now.getTime() - (usedAt.get(id) ?? 0) < USED_EVERY_MS) return;
  usedAt.set(id, now.getTime());
  const notAfter = new Date(now.getTime() - USED_EVERY_MS);
  await inTransaction(scope, (db) => markApiTokenUsed(db, id, now, notAfter)).catch((error) =>
    logger.warn({ error: String(error) }, 'token last-used update failed'),
  );
}

// A token may not make a stronger one than itself.
function requireOwnScopes(scope: TenantScope, wanted: readonly TokenScope[]): void {
  const { actor } = scope;
  if (actor.kind !== 'api_token') return;
  const surplus = wanted.filter((one) => !hasTokenScope(actor.scopes, one));
  if (surplus.length > 0) {
    throw new ForbiddenError(
      `This token can’t grant scopes it doesn’t have: ${surplus.join(', ')}.`,
    );
  }
}

function toApiTokenDto(row: Awaited<ReturnType<typeof insertApiToken>>): ApiTokenDto {
  return {
    id: encodeId('tok', row.id),
    name: row.name,
    masked: row.prefix,
    scopes: row.scopes,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}

/** Returns the number of valid tokens the actor has created; null if they may not see tokens. */
export async function countOwnTokens(scope: TenantScope, now = new Date()): Promise<number | null> {
  if (!mayDo(scope.role, 'token.manage')) return null;
  const { label } = scope.actor;
  const counts = await inTransaction(scope, (db) => countTokensOfMakers(db, [label], now));
  return counts.get(label) ?? 0;
}
