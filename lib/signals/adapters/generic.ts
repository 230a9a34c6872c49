/** Reads any JSON as alerts, by paths that a project sets or by the usual names. Pure. */

import type { ParseFailure } from '../request-schema';
import type { Mapping } from '../source-schema';
import { type IncomingSignal, type ReadPayload, severityOf, sha256 } from './incoming';

export const USUAL_PATHS = {
  fingerprint: ['dedup_key', 'alias', 'id'],
  startedAt: ['started_at', 'startsAt'],
  status: ['status', 'state', 'event_action'],
  title: ['title', 'summary', 'message', 'payload.summary'],
  severity: ['severity', 'priority', 'payload.severity'],
  service: ['service', 'payload.component', 'payload.source'],
  link: ['url', 'link', 'client_url'],
} as const satisfies Record<string, readonly string[]>;
type Field = keyof typeof USUAL_PATHS;

/** Values of the status, in lowercase. */
const USUAL_FIRING_VALUES: readonly string[] = [
  ...['firing', 'alerting', 'triggered', 'trigger', 'open', 'opened', 'active', 'problem', 'down'],
  ...['critical', 'failed', 'error', 'acknowledge', 'acknowledged'],
];
const USUAL_RESOLVED_VALUES: readonly string[] = [
  ...['resolved', 'resolve', 'ok', 'up', 'closed', 'close', 'recovered', 'normal', 'inactive'],
];

/** Reads a body with a mapping. Alerts of a list that can't be read are skipped and counted. */
export function readGeneric(payload: unknown, mapping: Mapping): ReadPayload {
  const listed = mapping.alerts ? valueAt(payload, mapping.alerts) : [payload];
  if (!Array.isArray(listed) || listed.length === 0) {
    return { kind: 'unparsed', reason: 'unknown_shape' };
  }
  const read = listed.map((item) => readSignal(item, mapping));
  const signals = read.flatMap((each) => (typeof each === 'string' ? [] : [each]));
  const [failure] = read.flatMap((each) => (typeof each === 'string' ? [each] : []));
  if (signals.length === 0) return { kind: 'unparsed', reason: failure ?? 'unknown_shape' };
  return { kind: 'alerts', signals, skipped: listed.length - signals.length, truncated: 0 };
}

function readSignal(item: unknown, mapping: Mapping): IncomingSignal | ParseFailure {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return 'unknown_shape';
  const field = (name: Field) => fieldOf(item, name, mapping);
  const status = statusOf(field('status'), mapping);
  if (!status) return 'no_status';
  const [title, service] = [field('title'), field('service')];
  const named = field('fingerprint');
  // The end of an alert may name nothing but what identifies it.
  if (!title && !(status === 'resolved' && named)) return 'no_title';
  return {
    fingerprint: named ?? sha256(JSON.stringify([title, service])),
    startsAt: field('startedAt'),
    status,
    kind: 'problem',
    severity: severityOf(field('severity')),
    title,
    serviceTexts: service ? [service] : [],
    rule: null,
    link: field('link'),
    labels: textsOf(item),
    annotations: {},
    endsAt: null,
  };
}

function statusOf(word: string | null, mapping: Mapping): 'firing' | 'resolved' | null {
  const wanted = word?.trim().toLowerCase();
  if (wanted === undefined) return null;
  const has = (values: readonly string[]) => values.some((each) => each.toLowerCase() === wanted);
  if (has(mapping.firingValues ?? USUAL_FIRING_VALUES)) return 'firing';
  return has(mapping.resolvedValues ?? USUAL_RESOLVED_VALUES) ? 'resolved' : null;
}

function fieldOf(item: object, name: Field, mapping: Mapping): string | null {
  const own = mapping[name];
  for (const path of own ? [own] : USUAL_PATHS[name]) {
    const text = textOf(valueAt(item, path));
    if (text !== null) return text;
  }
  return null;
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Returns what is at a path such as `events[0].title`; undefined if nothing is. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((key) => key !== '')
    .reduce<unknown>(
      (at, key) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, key)
          ? (at as Record<string, unknown>)[key]
          : undefined,
      value,
    );
}

/** The plain values of the top level, which people recognize an alert by. */
function textsOf(item: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === null || name === 'routing_key' ? [] : [[name, text]];
    }),
  );
}
