import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import type { DeliveryRecord } from './data';
import type { RecipientState, RecipientStep } from './retry-policy';

/** Result of one attempt, for every kind of recipient. */
export interface SendResult {
  /** The recipient, or the server in front of it, accepted the message. */
  isTaken: boolean;
  /** Status of the answer, HTTP or SMTP; null without an answer. */
  status: number | null;
  /** Named reason if there was no usable answer: connection_timeout, private_address, … */
  error: string | null;
  /** True if a retry can't succeed until someone changes the recipient. */
  isPermanent: boolean;
  /** The recipient refuses every message for good, such as with 410: it must not be sent to again. */
  isGone: boolean;
  /** The `Retry-After` header, unparsed. */
  retryAfter: string | null;
  /** For people: the beginning of the answer, or what happened and why. */
  text: string;
  /** Headers of the answer, names in lower case. */
  responseHeaders: Record<string, string>;
  durationMs: number;
}

/** Interprets an HTTP answer: only 2xx accepts a message, and a redirect is a failure. */
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
      /** Request headers as the log shows them, never a secret. */
      headers: Record<string, string>;
      /** Sends the message. Never rejects: every failure has a name in the result. */
      send(): Promise<SendResult>;
    }
  /** The recipient is disabled, or the message is out of date, so it isn't sent. */
  | { kind: 'cancelled' }
  /** The recipient's quiet hours last until then. `incidentId`: UUID of the incident it is about. */
  | { kind: 'held'; until: Date; incidentId: string | null }
  /** No process can send it; `text` says why and what to do. */
  | { kind: 'unusable'; error: string; text: string };

/**
 * How deliveries to one kind of recipient are sent. `prepare` and `applyStep` run in transactions.
 */
export interface Transport {
  prepare(db: TenantDb, delivery: DeliveryRecord, now: Date): Promise<Prepared>;
  recipientState(db: TenantDb, delivery: DeliveryRecord): Promise<RecipientState>;
  /** @returns ids of the deliveries that this step created, to enqueue after the commit */
  applyStep(
    db: TenantDb,
    scope: TenantScope,
    delivery: DeliveryRecord,
    step: RecipientStep,
    result: SendResult,
    now: Date,
  ): Promise<string[]>;
}

const MAX_HEADERS = 40;
const LONGEST_VALUE = 500;
/** Headers that could be used to sign in at the receiver and don't help to find an error. */
const NOT_KEPT = new Set(['set-cookie', 'authorization', 'proxy-authorization']);

/**
 * Returns the headers that the log stores: enough to find an error, and none that allows a sign-in.
 */
export function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !NOT_KEPT.has(name))
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [name, value.slice(0, LONGEST_VALUE).replaceAll('\0', '\uFFFD')]),
  );
}
