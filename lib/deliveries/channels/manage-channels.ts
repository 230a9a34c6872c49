import { v7 as uuidv7 } from 'uuid';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inSnapshot, inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError, InvalidError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { enqueue } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import { requireProject } from '@/lib/projects/manage-project';
import { loadOrganization } from '../data';
import { messageOf } from '../message';
import { cancelOpenDeliveries, insertDelivery } from '../outbox/data';
import { isOperatorsServer, operatorsRefusal } from './apprise-targets';
import {
  type ChannelFields,
  type ChannelRow,
  deleteChannelRow,
  getChannelRow,
  insertChannel,
  lastMessages,
  listChannelRows,
  sealSettings,
  updateChannelRow,
} from './data';
import type { ChannelDto, ChannelSettings, CreateChannelInput, UpdateChannelInput } from './schema';
import { channelTarget, toChannelDto } from './to-dto';

const MAX_CHANNELS = 50;

/**
 * Returns every channel of the organization, by name, each with its newest message. Both are from
 * one snapshot: the message decides the state of its channel.
 */
export function listChannels(scope: TenantScope): Promise<ChannelDto[]> {
  return inSnapshot(scope, async (db) => {
    const rows = await listChannelRows(db);
    const last = await lastMessages(
      db,
      scope.organizationId,
      rows.map((row) => row.id),
    );
    return rows.map((row) => toChannelDto(row, last.get(row.id)));
  });
}

export function getChannel(scope: TenantScope, channelId: string): Promise<ChannelDto> {
  const id = requireId('ntc', channelId);
  return inSnapshot(scope, async (db) => dtoOf(db, scope, await getChannelRow(db, id)));
}

export function createChannel(
  scope: TenantScope,
  input: CreateChannelInput,
  now = new Date(),
): Promise<ChannelDto> {
  requireMay(scope, 'channel.manage');
  requireWayOut(input.settings);
  const id = uuidv7();
  return inTransaction(scope, async (db) => {
    const project = input.projectId ? await requireProject(db, input.projectId) : null;
    const others = await listChannelRows(db);
    if (others.length >= MAX_CHANNELS) {
      throw new ConflictError(
        `An organization has at most ${MAX_CHANNELS} notification channels. Delete one first.`,
      );
    }
    requireNewName(others, input.name, null);
    const row = await insertChannel(db, scope.organizationId, {
      id,
      kind: input.settings.kind,
      name: input.name,
      projectId: project?.id ?? null,
      outcomes: input.outcomes,
      eventTypes: input.eventTypes,
      target: channelTarget(input.settings),
      settingsSealed: sealSettings(input.settings, id),
      createdAt: now,
    });
    const dto = toChannelDto(row, undefined);
    await recordAudit(db, scope, {
      action: 'notification_channel.created',
      target: dto.id,
      projectId: row.projectId,
      detail: { after: auditedOf(row) },
    });
    return dto;
  });
}

/** Updates a channel. Muting it cancels its open deliveries; unmuting it resets its failures. */
export function updateChannel(
  scope: TenantScope,
  channelId: string,
  input: UpdateChannelInput,
  now = new Date(),
): Promise<ChannelDto> {
  requireMay(scope, 'channel.manage');
  const id = requireId('ntc', channelId);
  return inTransaction(scope, async (db) => {
    const before = await getChannelRow(db, id);
    if (input.name) requireNewName(await listChannelRows(db), input.name, id);
    const changes: Partial<ChannelFields> = {
      ...(input.name ? { name: input.name } : {}),
      ...(input.projectId !== undefined
        ? { projectId: input.projectId ? (await requireProject(db, input.projectId)).id : null }
        : {}),
      ...(input.outcomes ? { outcomes: input.outcomes } : {}),
      ...(input.eventTypes ? { eventTypes: input.eventTypes } : {}),
      ...(input.settings ? settingsChange(before, input.settings) : {}),
      ...muteChange(before, input.isMuted, now),
    };
    requireSubscription({ ...before, ...changes });
    if (Object.keys(changes).length === 0) return dtoOf(db, scope, before);
    if (changes.disabledAt) await cancelOpenDeliveries(db, { channelId: id });
    await updateChannelRow(db, id, changes);
    const after = await getChannelRow(db, id);
    await recordAudit(db, scope, {
      action: 'notification_channel.updated',
      target: encodeId('ntc', id),
      projectId: after.projectId,
      detail: { before: auditedOf(before), after: auditedOf(after) },
    });
    return dtoOf(db, scope, after);
  });
}

export function deleteChannel(scope: TenantScope, channelId: string): Promise<void> {
  requireMay(scope, 'channel.manage');
  const id = requireId('ntc', channelId);
  return inTransaction(scope, async (db) => {
    const before = await getChannelRow(db, id);
    await deleteChannelRow(db, id);
    await recordAudit(db, scope, {
      action: 'notification_channel.deleted',
      target: encodeId('ntc', id),
      projectId: before.projectId,
      detail: { before: auditedOf(before) },
    });
  });
}

async function dtoOf(db: TenantDb, scope: TenantScope, row: ChannelRow): Promise<ChannelDto> {
  const last = await lastMessages(db, scope.organizationId, [row.id]);
  return toChannelDto(row, last.get(row.id));
}

function settingsChange(before: ChannelRow, settings: ChannelSettings) {
  if (settings.kind !== before.kind) {
    throw new InvalidError('A channel’s kind can’t be changed. Add another channel instead.', {
      settings: 'A channel’s kind can’t be changed.',
    });
  }
  requireWayOut(settings);
  return {
    target: channelTarget(settings),
    settingsSealed: sealSettings(settings, before.id),
  };
}

function muteChange(before: ChannelRow, isMuted: boolean | undefined, now: Date) {
  if (isMuted === true && !before.disabledAt) {
    return { disabledAt: now, disabledReason: 'muted' as const };
  }
  return isMuted === false && before.disabledAt
    ? { disabledAt: null, disabledReason: null, failingSince: null }
    : {};
}

/**
 * Refuses a channel that the installation can't send to, when it is saved and not at its first
 * message.
 */
function requireWayOut(settings: ChannelSettings): void {
  const { smtpUrl, appriseUrl, allowPrivateTargets } = env();
  if (settings.kind === 'email' && !smtpUrl) {
    const message =
      'This installation can’t send e-mail because SMTP_URL is not set. Ask its operator to set it.';
    throw new InvalidError(message, { 'settings.addresses': message });
  }
  if (settings.kind !== 'apprise') return;
  const serverUrl = settings.serverUrl ?? appriseUrl;
  if (!serverUrl) {
    const message = 'This installation has no default Apprise server. Enter the URL of one.';
    throw new InvalidError(message, { 'settings.serverUrl': message });
  }
  const rules = { allowPrivate: allowPrivateTargets };
  const refusal = isOperatorsServer(serverUrl, appriseUrl) && operatorsRefusal(settings, rules);
  if (refusal) {
    throw new InvalidError(refusal.message, { [`settings.${refusal.field}`]: refusal.message });
  }
}

function requireNewName(others: readonly ChannelRow[], name: string, ownId: string | null): void {
  if (!others.some((other) => other.name === name && other.id !== ownId)) return;
  const message = 'This name is used by another channel. Pick a different one.';
  throw new InvalidError(message, { name: message });
}

function requireSubscription(channel: { outcomes: unknown[]; eventTypes: unknown[] }): void {
  if (channel.outcomes.length + channel.eventTypes.length > 0) return;
  throw new InvalidError('Choose at least one.', { outcomes: 'Choose at least one.' });
}

function auditedOf(row: ChannelRow) {
  const { kind, name, target, outcomes, eventTypes, disabledReason } = row;
  return { kind, name, target, outcomes, eventTypes, disabledReason };
}

/**
 * Sends a test message to one channel, with the usual retries. The message is `last` in the result.
 */
export async function testChannel(
  scope: TenantScope,
  channelId: string,
  now = new Date(),
): Promise<ChannelDto> {
  requireMay(scope, 'channel.manage');
  const channelUuid = requireId('ntc', channelId);
  const id = uuidv7();
  const dto = await inTransaction(scope, async (db) => {
    const channel = await getChannelRow(db, channelUuid);
    if (channel.disabledAt) {
      throw new ConflictError('The channel is off. Switch it on, then send the test.');
    }
    const organization = await loadOrganization(db);
    const message = messageOf({
      type: 'webhook.test',
      timestamp: now.toISOString(),
      data: {
        organization,
        summary: `This is a test message from Tierwatch for ${organization.name}. No action is needed.`,
        link: `${env().publicUrl}/${organization.slug}/settings/notifications`,
        endpointId: channelId,
      },
    });
    await insertDelivery(db, scope.organizationId, {
      id,
      channelId: channel.id,
      chainId: null,
      eventType: 'channel.test',
      occasion: `test:${id}`,
      body: JSON.stringify(message),
      nextAttemptAt: now,
      createdAt: now,
    });
    await recordAudit(db, scope, { action: 'notification_channel.tested', target: channelId });
    const last = await lastMessages(db, scope.organizationId, [channel.id]);
    return toChannelDto(channel, last.get(channel.id));
  });
  await enqueue(deliverWebhookJob, { organizationId: scope.organizationId, deliveryId: id });
  return dto;
}
