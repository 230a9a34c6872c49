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
import { cancelOpenDeliveries, insertDeliveries } from '../outbox/data';
import { releaseHeld } from './admission-data';
import { storedSettingsOf } from './channel-secret';
import {
  type ChannelFields,
  type ChannelRow,
  deleteChannelRow,
  getChannelRow,
  insertChannel,
  lastMessages,
  listChannelRows,
  listUsersOfChannel,
  lockChannelRow,
  quietHoursOf,
  sealSettings,
  toChannelDto,
  updateChannelRow,
} from './data';
import { ALERT_SUBSCRIPTIONS } from './form';
import { type ChannelSettings, channelKindOf, isAlertsOnly } from './registry';
import type {
  ChannelDto,
  ChannelWithSecret,
  CreateChannelInput,
  UpdateChannelInput,
} from './schema';
import { testMessages } from './test-messages';

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
      rows.map((row) => row.id),
    );
    return rows.map((row) => toChannelDto(row, last.get(row.id)));
  });
}

export function getChannel(scope: TenantScope, channelId: string): Promise<ChannelDto> {
  const id = requireId('ntc', channelId);
  return inSnapshot(scope, async (db) => dtoOf(db, await getChannelRow(db, id)));
}

/** Creates a channel. Only here, and after a rotation, is its signing secret shown. */
export function createChannel(
  scope: TenantScope,
  input: CreateChannelInput,
  now = new Date(),
): Promise<ChannelWithSecret> {
  requireMay(scope, 'channel.manage');
  requireWayOut(input.settings);
  const alertsOnly = isAlertsOnly(input.settings);
  requireReceivable({ ...input, alertsOnly });
  const id = uuidv7();
  const stored = storedSettingsOf(input.settings);
  return inTransaction(scope, async (db) => {
    const project = input.projectId ? await requireProject(db, input.projectId) : null;
    const others = await listChannelRows(db);
    if (others.length >= MAX_CHANNELS) {
      throw new ConflictError(
        `An organization has at most ${MAX_CHANNELS} notification channels. Delete one first.`,
      );
    }
    requireNewName(others, input.name, null);
    const row = await insertChannel(db, {
      id,
      kind: input.settings.kind,
      name: input.name,
      projectId: project?.id ?? null,
      outcomes: input.outcomes,
      eventTypes: input.eventTypes,
      target: channelKindOf(input.settings.kind).target(input.settings),
      alertsOnly,
      quietHours: input.quietHours ?? null,
      settingsSealed: sealSettings(stored, id),
      createdAt: now,
    });
    const dto = toChannelDto(row, undefined);
    await recordAudit(db, scope, {
      action: 'notification_channel.created',
      target: dto.id,
      projectId: row.projectId,
      detail: { after: auditedOf(row) },
    });
    return { ...dto, secret: stored.signing?.secret ?? null };
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
    const before = await lockChannelRow(db, id);
    if (input.name) requireNewName(await listChannelRows(db), input.name, id);
    const changes: Partial<ChannelFields> = {
      ...(input.name ? { name: input.name } : {}),
      ...(input.projectId !== undefined
        ? { projectId: input.projectId ? (await requireProject(db, input.projectId)).id : null }
        : {}),
      ...(input.outcomes ? { outcomes: input.outcomes } : {}),
      ...(input.eventTypes ? { eventTypes: input.eventTypes } : {}),
      ...(input.settings ? settingsChange(before, input.settings) : {}),
      ...(input.quietHours === undefined ? {} : { quietHours: input.quietHours }),
      ...muteChange(before, input.isMuted, now),
    };
    const { quietHours: _, ...columns } = changes;
    const after = { ...before, ...columns };
    requireSubscription(after);
    requireReceivable(after);
    if (Object.keys(changes).length === 0) return dtoOf(db, before);
    if (changes.disabledAt) await cancelOpenDeliveries(db, { channelId: id });
    await updateChannelRow(db, id, changes);
    if (input.quietHours !== undefined) await releaseHeld(db, id, now);
    const saved = await getChannelRow(db, id);
    await recordAudit(db, scope, {
      action: 'notification_channel.updated',
      target: encodeId('ntc', id),
      projectId: saved.projectId,
      detail: {
        before: auditedOf(before),
        after: auditedOf(saved),
        // Two targets of one host look the same in the entry.
        ...(input.settings ? { isTargetReplaced: true } : {}),
      },
    });
    return dtoOf(db, saved);
  });
}

/** @throws ConflictError while a paging policy names it */
export function deleteChannel(scope: TenantScope, channelId: string): Promise<void> {
  requireMay(scope, 'channel.manage');
  const id = requireId('ntc', channelId);
  return inTransaction(scope, async (db) => {
    const before = await getChannelRow(db, id);
    const users = await listUsersOfChannel(db, channelId);
    if (users.length > 0) {
      throw new ConflictError(
        `The channel can’t be deleted while paging policies notify it: ${users.join(', ')}. Choose another channel there first.`,
      );
    }
    await deleteChannelRow(db, id);
    await recordAudit(db, scope, {
      action: 'notification_channel.deleted',
      target: encodeId('ntc', id),
      projectId: before.projectId,
      detail: { before: auditedOf(before) },
    });
  });
}

async function dtoOf(db: TenantDb, row: ChannelRow): Promise<ChannelDto> {
  const last = await lastMessages(db, [row.id]);
  return toChannelDto(row, last.get(row.id));
}

/**
 * Refuses a channel that the installation can't send to, when it is saved and not at its first
 * message.
 */
function requireWayOut(settings: ChannelSettings): void {
  const problem = channelKindOf(settings.kind).problem?.(settings, env());
  if (!problem) return;
  throw new InvalidError(problem.message, { [`settings.${problem.field}`]: problem.message });
}

/** Refuses a name that another channel has. */
function requireNewName(others: readonly ChannelRow[], name: string, ownId: string | null): void {
  if (!others.some((other) => other.name === name && other.id !== ownId)) return;
  const message = 'This name is used by another channel. Pick a different one.';
  throw new InvalidError(message, { name: message });
}

/** Refuses a channel that is subscribed to nothing. */
function requireSubscription(channel: { outcomes: unknown[]; eventTypes: unknown[] }): void {
  if (channel.outcomes.length + channel.eventTypes.length > 0) return;
  throw new InvalidError('Choose at least one.', { outcomes: 'Choose at least one.' });
}

/** Refuses subscriptions that would never send anything to this target. */
function requireReceivable(channel: {
  alertsOnly: boolean;
  outcomes: readonly string[];
  eventTypes: readonly string[];
}): void {
  const chosen = [...channel.outcomes, ...channel.eventTypes];
  const useless = chosen.filter((each) => !ALERT_SUBSCRIPTIONS.includes(each));
  if (!channel.alertsOnly || useless.length === 0) return;
  const message = `This channel receives alerts only: ${ALERT_SUBSCRIPTIONS.join(', ')}. It can’t receive ${useless.join(', ')}. Leave those out, or add another channel for them.`;
  throw new InvalidError(message, { outcomes: message });
}

function settingsChange(before: ChannelRow, settings: ChannelSettings) {
  if (settings.kind !== before.kind) {
    throw new InvalidError('A channel’s kind can’t be changed. Add another channel instead.', {
      settings: 'A channel’s kind can’t be changed.',
    });
  }
  requireWayOut(settings);
  return {
    target: channelKindOf(settings.kind).target(settings),
    alertsOnly: isAlertsOnly(settings),
    settingsSealed: sealSettings(storedSettingsOf(settings, before), before.id),
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

function auditedOf(row: ChannelRow) {
  const { kind, name, target, outcomes, eventTypes, disabledReason } = row;
  const quietHours = quietHoursOf(row);
  return { kind, name, target, outcomes, eventTypes, disabledReason, quietHours };
}

/**
 * Sends a test message to one channel, with the usual retries. The message is `last` in the result.
 * On-call services get an alert of the lowest severity, and its end right after it.
 */
export async function testChannel(
  scope: TenantScope,
  channelId: string,
  now = new Date(),
): Promise<ChannelDto> {
  requireMay(scope, 'channel.manage');
  const channelUuid = requireId('ntc', channelId);
  const { dto, ids } = await inTransaction(scope, async (db) => {
    const channel = await getChannelRow(db, channelUuid);
    if (channel.disabledAt) {
      throw new ConflictError('The channel is off. Switch it on, then send the test.');
    }
    const organization = await loadOrganization(db);
    const link = `${env().publicUrl}/${organization.slug}/settings/notifications`;
    const test = `test:${uuidv7()}`;
    const messages = testMessages({
      organization,
      link,
      channelId,
      test,
      alertsOnly: channel.alertsOnly,
      at: now.toISOString(),
    });
    const ids = await insertDeliveries(
      db,
      messages.map(({ eventType, message }) => ({
        channelId: channel.id,
        chainId: null,
        eventType,
        occasion: `${eventType}:${test}`,
        body: JSON.stringify(message),
        subject: message.alert?.dedupKey ?? null,
        sequence: message.alert ? BigInt(message.alert.sequence) : null,
      })),
      now,
    );
    await recordAudit(db, scope, { action: 'notification_channel.tested', target: channelId });
    const last = await lastMessages(db, [channel.id]);
    return { dto: toChannelDto(channel, last.get(channel.id)), ids };
  });
  const { organizationId } = scope;
  for (const deliveryId of ids) await enqueue(deliverWebhookJob, { organizationId, deliveryId });
  return dto;
}
