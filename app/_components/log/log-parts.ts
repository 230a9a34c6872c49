'use client';

import { useEffect, useRef, useState } from 'react';
import { type LogEntry, type LogSession, sessionEntries } from './entries';
import type { CallItem, LogRow } from './events';
import { emptyFeed, type FeedState, type LogStates, takeIn } from './feed';
import { useLogFeed, useLogStates } from './log-provider';
import { placeOf } from './places';
import { callsOf, filterEntries, type LogFilter, lastCallSeq, openCalls, rowsAmong } from './rows';

/** A session in a log, as it is drawn. */
export interface Part {
  session: LogSession;
  state: FeedState;
  /** Those that the filter keeps. */
  entries: readonly LogEntry[];
  /** Of `entries`, and of all. */
  rows: readonly LogRow[];
  allRows: readonly LogRow[];
  /** The newest call, which is open by itself. */
  lastCall: number | null;
  isFiltered: boolean;
}

/** What the reader opened and closed, by the row's id. */
export type ChosenCalls = ReadonlyMap<string, boolean>;

/** The calls of a row that are open; in the log of a chain, those that may have changed something. */
export function openIn({ session, lastCall }: Part, row: LogRow, chosen: ChosenCalls): string {
  const isChosen = (seq: number) =>
    chosen.get(placeOf(session, seq)) ?? (session.part?.changes.includes(seq) || undefined);
  return openCalls(row, isChosen, lastCall);
}

/** How many events the sessions have so far. */
export function eventCountOf(states: LogStates): number {
  return [...states.values()].reduce((sum, { log }) => sum + (log.lastSeq ?? 0), 0);
}

/** What the server drew, until the feed has it too and continues from there. */
export function useSessionStates(sessions: readonly LogSession[]): LogStates {
  const feed = useLogFeed();
  const live = useLogStates();
  const [first] = useState(() => {
    const missing = sessions.filter(({ id }) => !live.get(id)?.log.lastSeq);
    return new Map(missing.map(({ id, log }) => [id, firstState(log)]));
  });
  const start = useRef(sessions);
  useEffect(() => {
    for (const { id, log } of start.current) feed.load(id, log);
  }, [feed]);
  return new Map(
    sessions.map(({ id }) => {
      const drawn = first.get(id) ?? emptyFeed;
      const now = live.get(id) ?? drawn;
      const isBehind = (now.log.lastSeq ?? 0) < (drawn.log.lastSeq ?? 0);
      return [id, isBehind ? { ...drawn, connection: now.connection } : now];
    }),
  );
}

function firstState({ events, after }: LogSession['log']): FeedState {
  return takeIn({ ...emptyFeed, after }, events);
}

/** Returns the sessions with their rows. A part that hasn't changed stays the same object. */
export function useParts(
  sessions: readonly LogSession[],
  states: LogStates,
  filter: LogFilter,
): readonly Part[] {
  const known = useRef<{ filter: LogFilter; parts: readonly Part[] }>({ filter, parts: [] });
  const before = known.current.filter === filter ? known.current.parts : [];
  const parts = sessions.map((session, index) => {
    const state = states.get(session.id) ?? emptyFeed;
    const old = before[index];
    return old?.session === session && old.state === state ? old : partOf(session, state, filter);
  });
  const isSame = parts.length === before.length && parts.every((part, at) => part === before[at]);
  if (!isSame || known.current.filter !== filter) known.current = { filter, parts };
  return known.current.parts;
}

function partOf(session: LogSession, state: FeedState, filter: LogFilter): Part {
  const isComplete = session.log.isWhole || state.connection.kind === 'ended';
  const all = sessionEntries(session, { ...state, isComplete });
  const entries = filterEntries(all, filter);
  const allRows = rowsAmong(all);
  const isOver = session.part !== null && session.endedAt !== null;
  return {
    ...{ session, state, entries, allRows },
    rows: filter === 'all' ? allRows : rowsAmong(entries),
    lastCall: isOver ? null : lastCallSeq(allRows),
    isFiltered: filter !== 'all',
  };
}

/** Row ids by row number, in the order of the log. */
export function placesOf(
  parts: readonly Part[],
  seqs: (part: Part) => readonly number[],
): string[] {
  return parts.flatMap((part) => seqs(part).map((seq) => placeOf(part.session, seq)));
}

/** The event that a row is about. */
export function locate(parts: readonly Part[], id: string): { part: Part; seq: number } | null {
  const seq = Number(/\d+$/.exec(id)?.[0]);
  const part = parts.find(({ session }) => placeOf(session, seq) === id);
  return part ? { part, seq } : null;
}

interface CallPlace {
  part: Part;
  row: LogRow;
  call: CallItem;
}

/** The call that a row shows; null for any other row. */
export function callAt(parts: readonly Part[], id: string): CallPlace | null {
  const found = locate(parts, id);
  for (const row of found?.part.allRows ?? []) {
    const call = callsOf(row).find(({ seq }) => seq === found?.seq);
    if (found && call) return { part: found.part, row, call };
  }
  return null;
}
