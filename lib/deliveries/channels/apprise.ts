import type { OutboundRequest } from '@/lib/platform/outbound-http/client';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import type { Message } from '../message';
import { ATTEMPT_TIMEOUT_MS, RESPONSE_EXCERPT_BYTES } from '../outbox/retry-policy';
import { httpSendResult, type SendResult } from '../outbox/transport';
import type { ChannelSettings } from './schema';

type AppriseSettings = Extract<ChannelSettings, { kind: 'apprise' }>;

/**
 * Returns the request to an Apprise API server: POST /notify with the URLs of the services, or POST
 * /notify/{key} for a configuration that the server stores. See
 * https://github.com/caronc/apprise-api.
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

/** Returns the URL below the server's own path, with or without a trailing slash. */
function notifyUrl(serverUrl: string, configKey: string | null): string {
  const url = new URL(serverUrl);
  const base = url.pathname.replace(/\/+$/, '').replace(/\/notify$/, '');
  url.pathname = `${base}/notify${configKey ? `/${configKey}` : ''}`;
  return url.toString();
}

/**
 * Interprets the answer of an Apprise API server. 204 means that a key or tag matched nothing, so
 * nobody was notified; 424 that at least one service failed.
 */
export function appriseSendResult(result: OutboundResult): SendResult {
  const sent = { ...httpSendResult(result), isGone: false };
  if (!result.ok) return sent;
  if (result.status === 204) {
    return {
      ...sent,
      isTaken: false,
      error: 'nobody_notified',
      text: 'The Apprise server notified nobody: no configuration or service fits the key and tags.',
    };
  }
  if (result.status === 424) {
    const details = result.bodyText ? ` It answered: ${result.bodyText}` : '';
    return {
      ...sent,
      error: 'service_failed',
      text: `The Apprise server could not reach every service behind it.${details}`,
    };
  }
  return sent;
}
