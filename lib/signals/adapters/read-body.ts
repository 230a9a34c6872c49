/** Reads a stored body by the kind of its source. Pure. */

import { parseStorable } from '@/lib/platform/format/text';
import type { Mapping, SourceKind } from '../source-schema';
import { readAlertmanager } from './alertmanager';
import { readGeneric } from './generic';
import { boundSignal, type ReadPayload } from './incoming';
import { readPagerDuty } from './pagerduty';

interface Reading {
  kind: SourceKind;
  mapping: Mapping;
  receivedAt: Date;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the JSON value of a body; undefined if it isn't JSON in UTF-8. */
export function jsonOf(body: Uint8Array): unknown {
  try {
    return parseStorable(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/** Reads a body. The alerts are within bounds, those that fire first. */
export function readBody(body: Uint8Array, reading: Reading): ReadPayload {
  const payload = jsonOf(body);
  return payload === undefined
    ? { kind: 'unparsed', reason: 'not_json' }
    : readPayload(payload, reading);
}

/** The same for a value that is already parsed. */
export function readPayload(payload: unknown, reading: Reading): ReadPayload {
  const read = readByKind(payload, reading);
  if (read.kind !== 'alerts') return read;
  const signals = read.signals.map(boundSignal);
  // An outage that only changes its severity would otherwise look as if it had ended in between.
  return {
    ...read,
    signals: [
      ...signals.filter(({ status }) => status === 'firing'),
      ...signals.filter(({ status }) => status !== 'firing'),
    ],
  };
}

/** Senders that let people write the body themselves are read by the mapping where they do. */
function readByKind(payload: unknown, { kind, mapping, receivedAt }: Reading): ReadPayload {
  switch (kind) {
    case 'alertmanager':
    case 'grafana':
      return readAlertmanager(payload) ?? readGeneric(payload, mapping);
    case 'pagerduty':
      return readPagerDuty(payload, receivedAt) ?? readGeneric(payload, mapping);
    case 'generic':
      return readGeneric(payload, mapping);
  }
}
