import type { OutboundResult } from '@/lib/platform/outbound-http/result';

/** What one attempt came to, whatever it was sent by. */
export interface SendResult {
  /** The recipient, or the server in front of it, took the message. */
  isTaken: boolean;
  /** Status of the answer, HTTP or SMTP; null when nothing answered. */
  status: number | null;
  /** Named reason when there was no usable answer: connection_timeout, private_address, … */
  error: string | null;
  /** True when the same message cannot be taken later without somebody changing the recipient. */
  isPermanent: boolean;
  /** The recipient asks to be left alone for good (410). */
  isGone: boolean;
  /** Retry-After as it came. */
  retryAfter: string | null;
  /** For people: the beginning of the answer, or what happened and why. */
  text: string;
  /** Names in lower case. */
  responseHeaders: Record<string, string>;
  durationMs: number;
}

/** Only a 2xx answer takes a message; a redirect is a failure. */
export function httpSendResult(result: OutboundResult): SendResult {
  const { status, durationMs } = result;
  if (!result.ok) {
    return {
      isTaken: false,
      status,
      error: result.reason,
      isPermanent: result.isPermanent,
      isGone: false,
      retryAfter: null,
      text: result.message,
      responseHeaders: {},
      durationMs,
    };
  }
  return {
    isTaken: result.status >= 200 && result.status < 300,
    status,
    error: null,
    isPermanent: false,
    isGone: result.status === 410,
    retryAfter: result.headers['retry-after']?.trim() || null,
    text: result.bodyText,
    responseHeaders: result.headers,
    durationMs,
  };
}
