import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import type { DeliveryRecord } from './data';
import type { RecipientState, RecipientStep } from './retry-policy';

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

export type Prepared =
  | {
      kind: 'ready';
      /** As the log shows them; never a secret. */
      headers: Record<string, string>;
      /** Never rejects: whatever goes wrong has a name in the result. */
      send(): Promise<SendResult>;
    }
  /** The recipient is switched off, so nothing goes to it. */
  | { kind: 'cancelled' }
  /** It cannot be sent by anybody; `text` says why and what to do. */
  | { kind: 'unusable'; error: string; text: string };

/** How deliveries to one kind of recipient leave. The first and the last are called in transactions. */
export interface Transport {
  prepare(db: TenantDb, delivery: DeliveryRecord, now: Date): Promise<Prepared>;
  recipientState(db: TenantDb, delivery: DeliveryRecord): Promise<RecipientState>;
  /** @returns ids of the deliveries that it led to, to ring for after the commit */
  applyStep(
    db: TenantDb,
    scope: TenantScope,
    delivery: DeliveryRecord,
    step: RecipientStep,
    now: Date,
  ): Promise<string[]>;
}

const MOST_HEADERS = 40;
const LONGEST_VALUE = 500;
/** Worth a sign-in at the receiver, and of no use for finding out what went wrong. */
const NOT_KEPT = new Set(['set-cookie', 'authorization', 'proxy-authorization']);

/** What the log keeps of headers: enough to find a fault by, and nothing to sign in with. */
export function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !NOT_KEPT.has(name))
      .slice(0, MOST_HEADERS)
      .map(([name, value]) => [name, value.slice(0, LONGEST_VALUE).replaceAll('\0', '\uFFFD')]),
  );
}
