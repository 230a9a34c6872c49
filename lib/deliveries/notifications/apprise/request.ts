import { ATTEMPT_TIMEOUT_MS, RESPONSE_EXCERPT_BYTES } from '@/lib/deliveries/webhooks/retry-policy';
import type { OutboundRequest } from '@/lib/platform/outbound-http/client';
import type { ChannelSettings } from '../channels/schema';
import type { Message } from '../message';

type AppriseSettings = Extract<ChannelSettings, { kind: 'apprise' }>;

/**
 * What an Apprise API server is asked: POST /notify with the services' URLs, or POST /notify/{key}
 * for a configuration that it keeps. See https://github.com/caronc/apprise-api.
 */
export function appriseRequest(
  serverUrl: string,
  settings: AppriseSettings,
  message: Message,
): OutboundRequest {
  const { urls, configKey, tags } = settings;
  const body = {
    ...(configKey ? {} : { urls: urls.join(', ') }),
    ...(tags ? { tag: tags } : {}),
    title: message.title,
    body: [...message.lines, ...(message.link ? [message.link.url] : [])].join('\n\n'),
    type: message.tone,
    format: 'text',
  };
  return {
    url: notifyUrl(serverUrl, configKey),
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'Tierwatch-Notifications/1',
    },
    body: JSON.stringify(body),
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    maxResponseBytes: RESPONSE_EXCERPT_BYTES,
  };
}

/** Below the server's own path, with or without a slash at its end. */
function notifyUrl(serverUrl: string, configKey: string | null): string {
  const url = new URL(serverUrl);
  const base = url.pathname.replace(/\/+$/, '').replace(/\/notify$/, '');
  url.pathname = `${base}/notify${configKey ? `/${configKey}` : ''}`;
  return url.toString();
}
