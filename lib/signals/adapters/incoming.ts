/**
 * An alert as every adapter returns it, within bounds: what a source sends is stored, shown and
 * read by agents, so each text has a maximum length and each link is http or https.
 */

import { createHash } from 'node:crypto';
import { cutText } from '@/lib/platform/format/text';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { ParseFailure } from '../request-schema';
import type { SignalKind, SignalSeverity, SignalStatus } from '../schema';

export interface IncomingSignal {
  fingerprint: string;
  /** As the source writes it; null if it sends none. */
  startsAt: string | null;
  status: SignalStatus;
  kind: SignalKind;
  severity: SignalSeverity;
  /** Null only for the end of an alert, which may name nothing but the fingerprint. */
  title: string | null;
  /** What may name the service, the best guess first. */
  serviceTexts: readonly string[];
  rule: string | null;
  link: string | null;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  /** As the source writes it; null while it fires and where it sends none. */
  endsAt: string | null;
  /** When it was sent, as the source writes it, where it says so. */
  sentAt?: string | null;
}

/** What a body says. */
export type ReadPayload =
  | {
      kind: 'alerts';
      /** At least one. */
      signals: readonly IncomingSignal[];
      /** Alerts of the body that can't be read. */
      skipped: number;
      /** Alerts that the sender says it cut off. */
      truncated: number;
    }
  | { kind: 'test_received' | 'event_ignored' | 'event_too_old' | 'own_incident' }
  | { kind: 'unparsed'; reason: ParseFailure };

const MAX_FINGERPRINT = 200;
const MAX_STARTS_AT = 100;
const MAX_TITLE = 300;
const MAX_SERVICE = 200;
const MAX_LINK = 2_000;
const MAX_LABELS = 50;
const MAX_LABEL_NAME = 100;
const MAX_LABEL = 1_000;
const MAX_ANNOTATIONS = 20;
const MAX_ANNOTATION = 4_000;

const redactor = createRedactor({ secrets: [] });

/** Returns the same alert within the bounds, without secrets of known forms. */
export function boundSignal(signal: IncomingSignal): IncomingSignal {
  return {
    ...signal,
    fingerprint: identifier(signal.fingerprint, MAX_FINGERPRINT),
    startsAt: signal.startsAt === null ? null : identifier(signal.startsAt, MAX_STARTS_AT),
    title: textOrNull(signal.title, MAX_TITLE),
    serviceTexts: signal.serviceTexts.flatMap((text) => textOrNull(text, MAX_SERVICE) ?? []),
    rule: textOrNull(signal.rule, MAX_SERVICE),
    link: linkOf(signal.link),
    labels: boundRecord(signal.labels, MAX_LABELS, MAX_LABEL),
    annotations: boundRecord(signal.annotations, MAX_ANNOTATIONS, MAX_ANNOTATION),
  };
}

/** Texts that identify an alert are never cut: two that begin alike would become one. */
function identifier(text: string, most: number): string {
  const storable = text.toWellFormed().replaceAll('\0', '\uFFFD');
  return storable.length <= most ? storable : sha256(storable);
}

/** Returns the SHA-256 of a text, in hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function textOrNull(text: string | null, most: number): string | null {
  const shown = text === null ? '' : cutText(redactor.text(text.trim()), most);
  return shown === '' ? null : shown;
}

/** Returns the link if it is one for a browser; null for any other scheme, such as `javascript:`. */
function linkOf(text: string | null): string | null {
  if (text === null || text.length > MAX_LINK) return null;
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && !url.username && !url.password ? redactor.text(url.href) : null;
}

function boundRecord(
  record: Record<string, string>,
  entries: number,
  most: number,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record)
      .slice(0, entries)
      .map(([name, value]) => [
        cutText(redactor.text(name), MAX_LABEL_NAME),
        cutText(redactor.text(value), most),
      ]),
  );
}

/** What sources write, in lowercase, for each severity that isn't the default. */
const SEVERITY_WORDS: Record<Exclude<SignalSeverity, 'warning'>, readonly string[]> = {
  critical: [
    ...['critical', 'crit', 'fatal', 'emergency', 'emerg', 'alert', 'page', 'disaster', 'high'],
    ...['p1', 'sev1', 'sev-1', 's1', 'p0', 'sev0'],
  ],
  error: ['error', 'err', 'major', 'p2', 'sev2', 'sev-2', 's2'],
  info: [
    ...['info', 'informational', 'information', 'notice', 'low', 'none', 'debug', 'ok'],
    ...['p4', 'p5', 'sev4', 'sev5'],
  ],
};

/** Returns the severity that a source's word means; `warning` for an unknown or absent one. */
export function severityOf(word: string | null | undefined): SignalSeverity {
  const wanted = (word ?? '').trim().toLowerCase();
  for (const severity of ['critical', 'error', 'info'] as const) {
    if (SEVERITY_WORDS[severity].includes(wanted)) return severity;
  }
  return 'warning';
}

const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i;
const EPOCH = /^\d{10}(?:\.\d+)?$|^\d{13}$/;

/**
 * Returns a time as a source writes it: ISO 8601, in UTC where it names no zone, or seconds or
 * milliseconds since 1970. Null for anything else, and for Go's zero time.
 */
export function timeOf(text: string | null | undefined): Date | null {
  const trimmed = text?.trim() ?? '';
  const at = EPOCH.test(trimmed) ? epoch(trimmed) : iso(trimmed);
  return at && at.getTime() > 0 ? at : null;
}

function epoch(text: string): Date {
  return new Date(text.length === 13 && !text.includes('.') ? Number(text) : Number(text) * 1_000);
}

function iso(text: string): Date | null {
  const parts = DATE.exec(text);
  if (!parts) return null;
  // A date alone is in UTC already; with a time and no zone, it would be local.
  const isLocal = text.length > 10 && !parts[1];
  const at = new Date(`${text.replace(' ', 'T')}${isLocal ? 'Z' : ''}`);
  return Number.isNaN(at.getTime()) ? null : at;
}
