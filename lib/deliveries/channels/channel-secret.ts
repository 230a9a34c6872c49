/** The secret that signs the messages of an on-call webhook. It is stored with its settings. */
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import { SecretBoxError } from '@/lib/platform/crypto/secret-box';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { mintSigningSecret, rotationEnd } from '../endpoints/signing';
import {
  type ChannelRow,
  lastMessages,
  lockChannelRow,
  openSettings,
  sealSettings,
  updateChannelRow,
} from './data';
import type { ChannelWithSecret } from './schema';
import type { ChannelSettings, ChannelSigning, StoredSettings } from './settings-schema';
import { toChannelDto } from './to-dto';

/** Replaces the signing secret of an on-call webhook. The previous one also signs for 24 hours. */
export function rotateChannelSecret(
  scope: TenantScope,
  channelId: string,
  now = new Date(),
): Promise<ChannelWithSecret> {
  requireMay(scope, 'channel.manage');
  const id = requireId('ntc', channelId);
  return inTransaction(scope, async (db) => {
    const row = await lockChannelRow(db, scope.organizationId, id);
    const settings = row.kind === 'oncall_webhook' ? openStored(row) : null;
    if (settings?.kind !== 'oncall_webhook') {
      throw new ConflictError(
        row.kind === 'oncall_webhook'
          ? 'The channel’s settings can’t be decrypted with this installation’s key. Enter its target again, then rotate the secret.'
          : 'Only on-call webhooks are signed, so this channel has no secret to rotate.',
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
    const last = await lastMessages(db, scope.organizationId, [id]);
    return { ...toChannelDto(row, last.get(id)), secret: signing.secret };
  });
}

/** Returns a new secret, with none before it. */
export function newSigning(): ChannelSigning {
  return { secret: mintSigningSecret(), previous: null, previousUntil: null };
}

/** Returns the settings as they are stored: those of an on-call webhook with its secret. */
export function withSigning(settings: ChannelSettings, signing: ChannelSigning): StoredSettings {
  return settings.kind === 'oncall_webhook' ? { ...settings, signing } : settings;
}

/** A new target keeps the secret that its receiver verifies with. */
export function signingOf(row: ChannelRow): ChannelSigning {
  const settings = row.kind === 'oncall_webhook' ? openStored(row) : null;
  return settings?.kind === 'oncall_webhook' ? settings.signing : newSigning();
}

/** Null if the settings were encrypted with another key. */
function openStored(row: ChannelRow): StoredSettings | null {
  try {
    return openSettings(row.settingsSealed, row.id);
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}
