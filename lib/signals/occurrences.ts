/**
 * Applies messages about alerts to what is known. Pure.
 *
 * Sources deliver at least once, in any order, and may never report the end. So an alert has at
 * most one firing occurrence, a repeat only renews it, and a message that was sent before the end
 * but arrived after it doesn't bring it back. One that was sent later does: Prometheus keeps the start
 * of an alert that Alertmanager took for resolved.
 */

import { type IncomingSignal, timeOf } from './adapters/incoming';
import type { SignalKind, SignalSeverity, SignalStatus } from './schema';

/** An occurrence as it is stored. Ids are UUIDs. */
export interface Occurrence {
  id: string;
  fingerprint: string;
  startsAt: string;
  startedAt: Date;
  status: SignalStatus;
  kind: SignalKind;
  severity: SignalSeverity;
  title: string;
  serviceText: string | null;
  serviceId: string | null;
  rule: string | null;
  link: string | null;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  firstSeenAt: Date;
  /** When the last message about it was received. */
  lastSeenAt: Date;
  repeats: number;
  endedAt: Date | null;
}

/** What changed about one occurrence; see `alertsChanged`. */
export interface SignalChange {
  signalId: string;
  serviceId: string | null;
  status: SignalStatus;
  kind: SignalKind;
  isNew: boolean;
  /** It had ended, and fires again as the same occurrence. */
  isReopened: boolean;
  severity: SignalSeverity;
  title: string;
  at: Date;
}

/** Finds the service of the project that a source names. */
export type MatchService = (texts: readonly string[]) => {
  text: string | null;
  serviceId: string | null;
};

/** Senders lag by less: a copy that was sent before the end arrives within this time after it. */
const SENDERS_LAG_MS = 60_000;

/** Mutable, since a batch holds thousands of messages about the same few alerts. */
export interface SignalBook {
  /** Occurrences by fingerprint: the firing one, if any, and the newest that ended. */
  readonly known: Map<string, Occurrence[]>;
  /** Ids of rows to insert, and of rows to update. */
  readonly inserted: Set<string>;
  readonly updated: Set<string>;
  /** In the order in which they happened. */
  readonly changes: SignalChange[];
}

export function openBook(occurrences: readonly Occurrence[]): SignalBook {
  const known = new Map<string, Occurrence[]>();
  for (const each of occurrences) {
    known.set(each.fingerprint, [...(known.get(each.fingerprint) ?? []), { ...each }]);
  }
  return { known, inserted: new Set(), updated: new Set(), changes: [] };
}

/**
 * Applies one alert of a message to the book.
 *
 * @param receivedAt when the message arrived, not when it is processed
 */
export function applySignal(
  book: SignalBook,
  signal: IncomingSignal,
  receivedAt: Date,
  { match, newId }: { match: MatchService; newId: () => string },
): void {
  const list = book.known.get(signal.fingerprint) ?? [];
  book.known.set(signal.fingerprint, list);
  const open = list.find(({ status }) => status === 'firing');
  const startsAt = signal.startsAt ?? open?.startsAt ?? receivedAt.toISOString();
  const at = { book, signal, receivedAt, startsAt, list, open, match, newId };
  carryOut(at, signal.status === 'firing' ? decideFiring(at) : decideEnd(at));
}

interface Applying {
  book: SignalBook;
  signal: IncomingSignal;
  receivedAt: Date;
  startsAt: string;
  list: Occurrence[];
  open: Occurrence | undefined;
  match: MatchService;
  newId: () => string;
}

/** What a message does. `note` only counts it. */
type Step =
  | { kind: 'begin' | 'begin_ended' | 'ignore' }
  | { kind: 'replace' | 'renew' | 'reopen' | 'end' | 'note'; occurrence: Occurrence };

function decideFiring(at: Applying): Step {
  const { signal, list, open, startsAt, receivedAt } = at;
  const same = list.find((each) => each.startsAt === startsAt);
  if (same?.status === 'firing') return { kind: 'renew', occurrence: same };
  if (open) {
    // An older occurrence: the sender, or its other half, is behind. A newer one: the end of the
    // firing one was never sent, as within Alertmanager's group_interval.
    const isOlder = same !== undefined || startOf(at) <= open.startedAt;
    return { kind: isOlder ? 'renew' : 'replace', occurrence: open };
  }
  const last = same ?? newest(list);
  const isOlder = last && signal.startsAt !== null && startOf(at) <= last.startedAt;
  if (last?.status === 'resolved' && isOlder && isLate(last, signal, receivedAt)) {
    return { kind: 'note', occurrence: last };
  }
  return same ? { kind: 'reopen', occurrence: same } : { kind: 'begin' };
}

function decideEnd(at: Applying): Step {
  const { signal, list, open, startsAt } = at;
  const same = list.find((each) => each.startsAt === startsAt);
  if (same?.status === 'resolved') return { kind: 'note', occurrence: same };
  if (same?.status === 'stale') {
    return { kind: signal.status === 'resolved' ? 'end' : 'note', occurrence: same };
  }
  const ended = same ?? (open && startOf(at) >= open.startedAt ? open : undefined);
  if (ended) return { kind: 'end', occurrence: ended };
  // It began and ended unseen: kept, so that a late message about its start doesn't open it.
  if (signal.startsAt !== null && signal.title !== null) return { kind: 'begin_ended' };
  const last = open ?? newest(list);
  return last ? { kind: 'note', occurrence: last } : { kind: 'ignore' };
}

function carryOut(at: Applying, step: Step): void {
  switch (step.kind) {
    case 'begin':
      insert(at, 'firing');
      break;
    case 'begin_ended':
      insert(at, at.signal.status);
      break;
    case 'replace': {
      const { startedAt } = insert(at, 'firing');
      end(at, step.occurrence, 'resolved', startedAt);
      break;
    }
    case 'renew':
      renew(at, step.occurrence);
      break;
    case 'reopen':
      reopen(at, step.occurrence);
      break;
    case 'end':
      end(at, step.occurrence, at.signal.status, endOf(at));
      break;
    case 'note':
      note(at, step.occurrence);
      break;
    case 'ignore':
      break;
  }
}

function insert(at: Applying, status: SignalStatus): Occurrence {
  const { book, signal, receivedAt, startsAt, list, match, newId } = at;
  const { text, serviceId } = match(signal.serviceTexts);
  const occurrence: Occurrence = {
    id: newId(),
    fingerprint: signal.fingerprint,
    startsAt,
    startedAt: startOf(at),
    status,
    kind: signal.kind,
    severity: signal.severity,
    title: signal.title ?? 'Alert without a name',
    serviceText: text,
    serviceId,
    rule: signal.rule,
    link: signal.link,
    labels: signal.labels,
    annotations: signal.annotations,
    firstSeenAt: receivedAt,
    lastSeenAt: receivedAt,
    repeats: 0,
    endedAt: status === 'firing' ? null : endOf(at),
  };
  list.push(occurrence);
  book.inserted.add(occurrence.id);
  // Nobody was notified of its start, so its end is no news.
  if (status === 'firing') change(book, occurrence, occurrence.startedAt, { isNew: true });
  return occurrence;
}

/** Counts a message, and takes over what it says. */
function renew(at: Applying, occurrence: Occurrence): void {
  const { signal, book, receivedAt } = at;
  const isNews = signal.severity !== occurrence.severity || signal.title !== occurrence.title;
  takeOver(at, occurrence);
  if (isNews) change(book, occurrence, receivedAt);
}

function takeOver(at: Applying, occurrence: Occurrence): void {
  const { severity, title, annotations, link } = at.signal;
  occurrence.severity = severity;
  occurrence.title = title ?? occurrence.title;
  occurrence.annotations = annotations;
  occurrence.link = link ?? occurrence.link;
  note(at, occurrence);
}

/** Counts a message that changes nothing else. */
function note({ book, receivedAt }: Applying, occurrence: Occurrence): void {
  occurrence.repeats += 1;
  // The time of its last message decides when it is stale, or what is late; neither moves back.
  if (occurrence.status === 'firing' && receivedAt > occurrence.lastSeenAt) {
    occurrence.lastSeenAt = receivedAt;
  }
  book.updated.add(occurrence.id);
}

function reopen(at: Applying, occurrence: Occurrence): void {
  occurrence.status = 'firing';
  occurrence.endedAt = null;
  takeOver(at, occurrence);
  change(at.book, occurrence, at.receivedAt, { isReopened: true });
}

function end(at: Applying, occurrence: Occurrence, status: SignalStatus, endedAt: Date): void {
  const { book, receivedAt } = at;
  occurrence.status = status;
  occurrence.endedAt = endedAt < occurrence.startedAt ? occurrence.startedAt : endedAt;
  occurrence.lastSeenAt = receivedAt;
  occurrence.repeats += 1;
  book.updated.add(occurrence.id);
  change(book, occurrence, occurrence.endedAt);
}

function change(
  book: SignalBook,
  occurrence: Occurrence,
  at: Date,
  { isNew = false, isReopened = false } = {},
): void {
  const { id, serviceId, status, kind, severity, title } = occurrence;
  const news = { isNew, isReopened, at };
  book.changes.push({ signalId: id, serviceId, status, kind, severity, title, ...news });
}

function newest(list: readonly Occurrence[]): Occurrence | undefined {
  return list.reduce<Occurrence | undefined>(
    (latest, each) => (!latest || each.startedAt > latest.startedAt ? each : latest),
    undefined,
  );
}

/** Whether a message was sent before the end: by the sender's clock, or else by when both arrived. */
function isLate(last: Occurrence, { sentAt }: IncomingSignal, receivedAt: Date): boolean {
  const sent = timeOf(sentAt);
  if (sent && last.endedAt) return sent <= last.endedAt;
  return receivedAt.getTime() - last.lastSeenAt.getTime() < SENDERS_LAG_MS;
}

/** When it began; never in the future, where a clock of the source is wrong. */
function startOf({ startsAt, receivedAt }: Applying): Date {
  const at = timeOf(startsAt);
  return at && at < receivedAt ? at : receivedAt;
}

function endOf({ signal, receivedAt }: Applying): Date {
  const at = timeOf(signal.endsAt);
  return at && at < receivedAt ? at : receivedAt;
}
