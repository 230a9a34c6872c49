import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import { SecretBoxError } from '@/lib/platform/crypto/secret-box';
import { hashToken, mintToken } from '@/lib/platform/crypto/tokens';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError, InvalidError } from '@/lib/platform/errors';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import { requireProject } from '@/lib/projects/manage-project';
import {
  DEFAULT_SIGNATURE_HEADER,
  DEFAULT_TIMESTAMP_HEADER,
  openSigningSecrets,
  sealSigningSecrets,
} from './credentials';
import { endSilentSignals } from './end-silent-signals';
import {
  deleteSourceRow,
  getSourceRow,
  insertSource,
  listSourceRows,
  lockSource,
  type SourceChanges,
  type SourceRow,
  updateSourceRow,
} from './source-data';
import {
  type CreateSignalSourceInput,
  DEFAULT_STALE_SECONDS,
  mappingSchema,
  type SignalSourceDto,
  type SignalSourceWithToken,
  type SourceKind,
  sourceKindSchema,
  type UpdateSignalSourceInput,
} from './source-schema';

const MAX_SOURCES = 50;

/** How long the token before a rotation is accepted, too, so that no alert is lost meanwhile. */
const ROTATION_OVERLAP_MS = 86_400_000;

/**
 * Creates a source of a project. Apart from a rotation, this is the only time that its token is
 * shown.
 *
 * @throws ConflictError if the project has 50 sources; InvalidError for signing secrets that the
 *   kind can't use
 */
export function createSignalSource(
  scope: TenantScope,
  input: CreateSignalSourceInput,
  now = new Date(),
): Promise<SignalSourceWithToken> {
  requireMay(scope, 'alert_source.manage');
  const id = uuidv7();
  const token = mintToken('alk');
  const { kind, signingSecrets } = input;
  requireSecrets(kind, signingSecrets);
  return inTransaction(scope, async (db) => {
    const project = await requireProject(db, input.project);
    if ((await db.signalSource.count({ where: { projectId: project.id } })) >= MAX_SOURCES) {
      throw new ConflictError(
        `A project has at most ${MAX_SOURCES} alert sources. Delete one first.`,
      );
    }
    const row = await insertSource(db, {
      id,
      projectId: project.id,
      kind,
      name: input.name,
      tokenHash: hashToken(token),
      tokenHint: hintOf(token),
      signingSecretsSealed: sealSigningSecrets(signingSecrets, id),
      ...headersOf(kind, input),
      mapping: input.mapping,
      staleSeconds: input.staleSeconds ?? DEFAULT_STALE_SECONDS[kind],
      createdAt: now,
    });
    const dto = toSourceDto(row, now);
    await recordAudit(db, scope, {
      action: 'alert_source.created',
      target: dto.id,
      projectId: row.projectId,
      detail: { after: settingsOf(row) },
    });
    return { ...dto, token };
  });
}

/** Returns alert sources, newest first; with a project, those of it alone. */
export async function listSignalSources(
  scope: TenantScope,
  page: { limit: number; cursor?: string | undefined; project?: string | undefined },
  now = new Date(),
): Promise<{ data: SignalSourceDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(page.cursor, z.uuid());
  const found = await inTransaction(scope, async (db) => {
    const project = page.project ? await requireProject(db, page.project) : null;
    return listSourceRows(db, { limit: page.limit, beforeId, projectId: project?.id });
  });
  const { rows, nextCursor } = pageOf(found, page.limit, (row) => row.id);
  return { data: rows.map((row) => toSourceDto(row, now)), nextCursor };
}

/** @throws NotFoundError for a source that isn't the organization's */
export function getSignalSource(
  scope: TenantScope,
  sourceId: string,
  now = new Date(),
): Promise<SignalSourceDto> {
  const id = requireId('als', sourceId);
  return inTransaction(scope, async (db) => toSourceDto(await getSourceRow(db, id), now));
}

/**
 * Updates a source. Signing secrets that are given replace all of them.
 *
 * @throws InvalidError for signing secrets that its kind can't use
 */
export function updateSignalSource(
  scope: TenantScope,
  sourceId: string,
  input: UpdateSignalSourceInput,
  now = new Date(),
): Promise<SignalSourceDto> {
  requireMay(scope, 'alert_source.manage');
  const id = requireId('als', sourceId);
  return inTransaction(scope, async (db) => {
    const before = await getSourceRow(db, id);
    const changes = changesOf(before, input, now);
    if (Object.keys(changes).length === 0) return toSourceDto(before, now);
    await updateSourceRow(db, id, changes);
    const after = await getSourceRow(db, id);
    await recordAudit(db, scope, {
      action: 'alert_source.updated',
      target: encodeId('als', id),
      projectId: after.projectId,
      detail: {
        before: settingsOf(before),
        after: settingsOf(after),
        ...(input.signingSecrets ? { areSecretsReplaced: true } : {}),
      },
    });
    return toSourceDto(after, now);
  });
}

function changesOf(before: SourceRow, input: UpdateSignalSourceInput, now: Date): SourceChanges {
  const kind = sourceKindSchema.parse(before.kind);
  const { isEnabled, signingSecrets, signatureHeader, timestampHeader, ...settings } = input;
  const changes: SourceChanges = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  );
  if (signingSecrets) {
    requireSecrets(kind, signingSecrets);
    changes.signingSecretsSealed = sealSigningSecrets(signingSecrets, before.id);
  }
  if (signatureHeader || timestampHeader) {
    Object.assign(
      changes,
      headersOf(kind, {
        signatureHeader: signatureHeader ?? before.signatureHeader ?? undefined,
        timestampHeader: timestampHeader ?? before.timestampHeader ?? undefined,
      }),
    );
  }
  if (isEnabled === true && before.disabledAt) changes.disabledAt = null;
  if (isEnabled === false && !before.disabledAt) changes.disabledAt = now;
  return changes;
}

/** Deletes a source with its alerts. What still fires counts as stale from now on. */
export async function deleteSignalSource(
  scope: TenantScope,
  sourceId: string,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'alert_source.manage');
  const id = requireId('als', sourceId);
  const jobs = await inTransaction(scope, async (db) => {
    const before = await getSourceRow(db, id);
    await lockSource(db, id);
    const ended = await endSilentSignals(
      db,
      scope,
      { sourceId: id, projectId: before.projectId },
      null,
      now,
    );
    await deleteSourceRow(db, id);
    await recordAudit(db, scope, {
      action: 'alert_source.deleted',
      target: encodeId('als', id),
      projectId: before.projectId,
      detail: { before: settingsOf(before) },
    });
    return ended.jobs;
  });
  await enqueueAll(jobs);
}

/** Replaces the token. The previous one is accepted for another 24 hours. */
export function rotateSignalToken(
  scope: TenantScope,
  sourceId: string,
  now = new Date(),
): Promise<SignalSourceWithToken> {
  requireMay(scope, 'alert_source.manage');
  const id = requireId('als', sourceId);
  const token = mintToken('alk');
  return inTransaction(scope, async (db) => {
    const before = await getSourceRow(db, id);
    await updateSourceRow(db, id, {
      tokenHash: hashToken(token),
      tokenHint: hintOf(token),
      previousTokenHash: before.tokenHash,
      previousTokenUntil: new Date(now.getTime() + ROTATION_OVERLAP_MS),
    });
    const dto = toSourceDto(await getSourceRow(db, id), now);
    await recordAudit(db, scope, {
      action: 'alert_source.rotated',
      target: dto.id,
      projectId: before.projectId,
      detail: { previousTokenUntil: dto.previousTokenUntil },
    });
    return { ...dto, token };
  });
}

/** @throws NotFoundError for a source that isn't the organization's */
export function requireSource(db: TenantDb, sourceId: string): Promise<SourceRow> {
  return getSourceRow(db, requireId('als', sourceId));
}

const WHSEC = /^whsec_[A-Za-z0-9+/]+={0,2}$/;

function requireSecrets(kind: SourceKind, secrets: readonly string[]): void {
  if (secrets.length === 0) return;
  const problem =
    kind === 'alertmanager'
      ? 'Alertmanager can’t sign requests. Leave out the signing secret and use the token.'
      : kind === 'generic' && !secrets.every((secret) => WHSEC.test(secret))
        ? 'Standard Webhooks uses secrets such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw. Copy it from the sender.'
        : null;
  if (problem) throw new InvalidError(problem, { signingSecrets: problem });
}

interface HeaderNames {
  signatureHeader?: string | undefined;
  timestampHeader?: string | undefined;
}

function headersOf(kind: SourceKind, { signatureHeader, timestampHeader }: HeaderNames) {
  if (kind !== 'grafana') return { signatureHeader: null, timestampHeader: null };
  return {
    signatureHeader: signatureHeader?.toLowerCase() ?? DEFAULT_SIGNATURE_HEADER,
    timestampHeader: timestampHeader?.toLowerCase() ?? DEFAULT_TIMESTAMP_HEADER,
  };
}

/** The part of a secret that may be shown, to recognize it by. */
function hintOf(secret: string): string {
  return secret.slice(-4);
}

function hintsOf(row: SourceRow): string[] {
  try {
    return openSigningSecrets(row.signingSecretsSealed, row.id).map(hintOf);
  } catch (error) {
    if (error instanceof SecretBoxError) return row.signingSecretsSealed.map(() => '');
    throw error;
  }
}

function settingsOf(row: SourceRow) {
  const { name, kind, signingSecretsSealed, signatureHeader, timestampHeader, staleSeconds } = row;
  return {
    name,
    kind,
    mapping: row.mapping,
    signingSecrets: signingSecretsSealed.length,
    signatureHeader,
    timestampHeader,
    staleSeconds,
    isEnabled: row.disabledAt === null,
  };
}

function toSourceDto(row: SourceRow, now: Date): SignalSourceDto {
  const id = encodeId('als', row.id);
  const until = row.previousTokenUntil;
  return {
    id,
    projectId: encodeId('prj', row.projectId),
    kind: sourceKindSchema.parse(row.kind),
    name: row.name,
    url: `${env().publicUrl}/api/signals/${id}`,
    tokenHint: row.tokenHint,
    previousTokenUntil: until && until > now ? until.toISOString() : null,
    signingSecretHints: hintsOf(row),
    signatureHeader: row.signatureHeader,
    timestampHeader: row.timestampHeader,
    mapping: mappingSchema.parse(row.mapping),
    staleSeconds: row.staleSeconds,
    createdAt: row.createdAt.toISOString(),
    disabledAt: row.disabledAt?.toISOString() ?? null,
  };
}
