import { deriveKey } from '@/lib/platform/crypto/keys';
import { open, seal } from '@/lib/platform/crypto/secret-box';
import { env } from '@/lib/platform/env';
import { type ChannelSettings, storedSettingsSchema } from './schema';

/** Settings as they are stored; bound to their channel, so that no other row can use them. */
export function sealSettings(settings: ChannelSettings, channelId: string): string {
  return seal(JSON.stringify(settings), key(), contextOf(channelId));
}

/** Throws SecretBoxError when they were sealed with another key. */
export function openSettings(sealed: string, channelId: string): ChannelSettings {
  return storedSettingsSchema.parse(JSON.parse(open(sealed, key(), contextOf(channelId))));
}

function key(): Buffer {
  return deriveKey(env().secretKey, 'notifications');
}

function contextOf(channelId: string): string {
  return `channel:${channelId}`;
}
