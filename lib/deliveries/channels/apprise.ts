import type { OutboundRequest } from '@/lib/platform/outbound-http/client';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import type { Message } from '../message';
import { ATTEMPT_TIMEOUT_MS, RESPONSE_EXCERPT_BYTES } from '../outbox/retry-policy';
import { httpSendResult, type SendResult } from '../outbox/transport';
import type { ChannelSettings } from './schema';

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

/**
 * What an Apprise API server's answer means. 204 says that there was nobody to notify, by a key or
 * a tag that matches nothing; 424 that at least one of the services did not take it.
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
