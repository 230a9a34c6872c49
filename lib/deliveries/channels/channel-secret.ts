/** The secret that signs the messages of a channel. It is stored with its settings. */

import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { activeSecrets, mintSigningSecret, rotationEnd, signWebhook } from '../endpoints/signing';
import {
  type ChannelRow,
  lastMessages,
  lockChannelRow,
  openSettings,
  sealSettings,
  toChannelDto,
  updateChannelRow,
} from './data';
import {
  type ChannelSettings,
  type ChannelSigning,
  channelKindOf,
  type StoredSettings,
} from './registry';
import type { ChannelWithSecret } from './schema';

/** Replaces the signing secret of a channel. The previous one also signs for 24 hours. */
export function rotateChannelSecret(
  scope: TenantScope,
  channelId: string,
  now = new Date(),
): Promise<ChannelWithSecret> {
  requireMay(scope, 'channel.manage');
  const id = requireId('ntc', channelId);
  return inTransaction(scope, async (db) => {
    const row = await lockChannelRow(db, id);
    const settings = channelKindOf(row.kind).isSigned ? openSettings(row) : null;
    if (!settings?.signing) {
      throw new ConflictError(
        channelKindOf(row.kind).isSigned
          ? 'The channel’s settings can’t be decrypted with this installation’s key. Enter its target again, then rotate the secret.'
          : 'Messages to this kind of channel aren’t signed, so it has no secret to rotate.',
      );
    }
    const previousUntil = rotationEnd(now).toISOString();
    const signing = { ...newSigning(), previous: settings.signing.secret, previousUntil };
    await updateChannelRow(db, id, { settingsSealed: sealSettings({ ...settings, signing }, id) });
    await recordAudit(db, scope, {
      action: 'notification_channel.rotated',
      target: encodeId('ntc', id),
      projectId: row.projectId,
      detail: { previousSecretUntil: previousUntil },
    });
    const last = await lastMessages(db, [id]);
    return { ...toChannelDto(row, last.get(id)), secret: signing.secret };
  });
}

/**
 * Returns the settings as they are stored. A kind that is signed gets a secret; a new target keeps
 * the one that its receiver verifies with.
 *
 * @param before the stored channel, if there is one
 */
export function storedSettingsOf(settings: ChannelSettings, before?: ChannelRow): StoredSettings {
  if (!channelKindOf(settings.kind).isSigned) return settings;
  const signing = before && openSettings(before)?.signing;
  return { ...settings, signing: signing ?? newSigning() };
}

function newSigning(): ChannelSigning {
  return { secret: mintSigningSecret(), previous: null, previousUntil: null };
}

/** Returns the headers that sign a message to a channel; see signWebhook. */
export function signFor(
  { kind, signing }: StoredSettings,
  delivery: { id: string },
  body: string,
  now: Date,
): Record<string, string> {
  if (!signing) throw new Error(`Channels of the kind ${kind} have no secret to sign with.`);
  const { secret: current, previous } = signing;
  const previousUntil = signing.previousUntil === null ? null : new Date(signing.previousUntil);
  const secrets = activeSecrets({ current, previous, previousUntil }, now);
  return signWebhook({ id: encodeId('dlv', delivery.id), sentAt: now, body, secrets });
}
