import type { ChannelSettings } from './schema';

const SHOWN_URLS = 3;

/** Where a channel leads, for people. Of Apprise URLs only the service, since the rest are secrets. */
export function channelTarget(settings: ChannelSettings): string {
  if (settings.kind === 'email') return settings.addresses.join(', ');
  const { serverUrl, urls, configKey, tags } = settings;
  const server = serverUrl ? new URL(serverUrl).host : "this installation's Apprise";
  const services = urls.map((url) => `${url.slice(0, url.indexOf(':'))}://••••`);
  const shown = services.slice(0, SHOWN_URLS);
  const more = services.length - shown.length;
  const parts = [
    ...shown,
    ...(more > 0 ? [`${more} more`] : []),
    ...(configKey ? [`configuration ${maskedKey(configKey)}`] : []),
    ...(tags ? [`tags ${tags}`] : []),
  ];
  return `${parts.join(', ')} via ${server}`;
}

/** Whoever knows the key of a configuration can send by it. */
function maskedKey(key: string): string {
  return `••••${key.length >= 12 ? key.slice(-2) : ''}`;
}
