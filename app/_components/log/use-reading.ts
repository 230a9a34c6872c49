'use client';

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useKeys } from '../keys/use-keys';
import type { ListHandle } from './entry-list';
import { type ChosenCalls, callAt, locate, openIn, type Part, placesOf } from './log-parts';
import { type LogView, placeOf } from './places';
import { callsOf, findEvent, nextPlace, problemSeqs, searchRows, seqsOf } from './rows';
import { findMatches } from './search';
import type { Follow } from './use-follow';
import { type LinkedEvent, revealRow, useEventLinks } from './use-places';

interface ReadingOf {
  parts: readonly Part[];
  box: RefObject<HTMLDivElement | null>;
  follow: Follow;
  /** Of a session's own page, where details of calls are shown beside the log; null elsewhere. */
  view: LogView | null;
  /** An event is shown that a filter may have hidden. */
  onLinked: () => void;
}

interface ShowOptions {
  takesFocus?: boolean;
  unfolds?: boolean;
  /** Words to center; without them the row is centered. */
  words?: string;
}

/** The reader's place in a log: the selected row, what is open, and how to move to other rows. */
export function useReading({ parts, box, follow, view, onLinked }: ReadingOf) {
  const { unfollow } = follow;
  const event = view?.event ?? null;
  const [linked, setLinked] = useState<LinkedEvent | null>(
    event === null ? null : { sessionNumber: null, seq: event },
  );
  /** Ids of the selected row, which the address names, and of the call whose details are shown. */
  const [marked, mark] = useState(event === null ? null : `event-${event}`);
  const [inspected, inspect] = useState<string | null>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<ChosenCalls>(new Map());
  const list = useRef<ListHandle>(null);

  const fold = useCallback((sessionId: string, isFolded: boolean) => {
    setFolded((before) => {
      const next = new Set(before);
      if (isFolded) next.add(sessionId);
      else next.delete(sessionId);
      return next;
    });
  }, []);

  const canInspect = view !== null;
  const toggle = useCallback(
    (id: string, isOpen: boolean) => {
      setChosen((before) => new Map(before).set(id, !isOpen));
      unfollow();
      mark(id);
      if (isOpen) inspect((before) => (before === id ? null : before));
      else if (canInspect && hasInspectorRoom()) inspect(id);
    },
    [unfollow, canInspect],
  );
  const details = useCallback((id: string) => {
    mark(id);
    inspect(id);
  }, []);
  const closeDetails = () => {
    inspect(null);
    if (inspected) document.getElementById(inspected)?.querySelector('button')?.focus();
  };

  function show(part: Part, seq: number, options: ShowOptions = {}) {
    const found = findEvent(part.entries, seq);
    if (!found || !box.current) return;
    const id = placeOf(part.session, found.seq);
    unfollow();
    mark(id);
    fold(part.session.id, false);
    if (callAt(parts, id)) {
      if (options.unfolds !== false) setChosen((before) => new Map(before).set(id, true));
      // Details that are shown follow the selection; they never open by themselves.
      inspect((before) => (before === null ? null : id));
    }
    revealRow(box.current, {
      id,
      scroll: () => {
        if (list.current) list.current.scrollTo(found.index);
        else document.getElementById(id)?.scrollIntoView({ block: 'center' });
      },
      spotOf: (row) => (findMatches(row, options.words ?? '')[0] ?? row).getBoundingClientRect(),
      onShown: (row) => {
        if (options.takesFocus === false) return;
        row.tabIndex = -1;
        row.focus({ preventScroll: true });
      },
    });
  }

  /** Goes to the next of these rows, around the end unless it `stops` there. */
  function go(wanted: readonly string[], step: 1 | -1, options: ShowOptions & { stops?: boolean }) {
    const places = placesOf(parts, ({ allRows }) => seqsOf(allRows));
    const next = nextPlace(places, wanted, marked, step, options.stops !== true);
    const found = next === null ? null : locate(parts, next);
    if (found) show(found.part, found.seq, options);
  }

  function foldAll() {
    const areFolded = parts.every((part) =>
      part.rows.every((row) => openIn(part, row, chosen) === ''),
    );
    const calls = placesOf(parts, ({ rows }) => rows.flatMap(callsOf).map(({ seq }) => seq));
    setChosen(new Map(calls.map((id) => [id, areFolded])));
  }

  /** What opens or folds the row that has focus itself, and not a control inside it. */
  function toggleFocused() {
    const id = document.activeElement?.id ?? '';
    const found = callAt(parts, id);
    if (!found) return null;
    const open = openIn(found.part, found.row, chosen).split(',');
    return () => toggle(id, open.includes(String(found.call.seq)));
  }

  useClickedRow(box, mark);
  useEventLinks((link) => {
    onLinked();
    setLinked(link);
  });
  // The event of a link may come later than the page.
  useEffect(() => {
    if (!linked) return;
    const { sessionNumber, seq } = linked;
    const part = parts.find(({ session: { number } }) => (sessionNumber ?? number) === number);
    if (!part || (part.state.log.lastSeq ?? 0) < seq) return;
    setLinked(null);
    show(part, seq);
  });

  useKeys(({ key }) => {
    switch (key) {
      case 'e':
        return foldAll;
      case 'n':
      case 'N':
        return () =>
          go(
            placesOf(parts, ({ rows }) => problemSeqs(rows)),
            key === 'n' ? 1 : -1,
            {},
          );
      case 'j':
      case 'k':
        return () =>
          go(
            placesOf(parts, ({ rows }) => seqsOf(rows)),
            key === 'j' ? 1 : -1,
            { unfolds: false, stops: true },
          );
      case 'Enter':
        return toggleFocused();
      case 'Escape':
        return inspected === null ? null : closeDetails;
      default:
        return null;
    }
  });

  return {
    ...{ marked, chosen, folded, fold, toggle, details, closeDetails, list },
    inspected: inspected === null ? null : callAt(parts, inspected),
    showEvent: show,
    /** Goes to the next place of these words. */
    goToMatch: (words: string, step: 1 | -1) =>
      go(matchesOf(parts, words), step, { takesFocus: false, words }),
  };
}

/** Ids of the rows that hold the words, in order. */
export function matchesOf(parts: readonly Part[], words: string): string[] {
  return placesOf(parts, ({ rows }) => searchRows(rows, words));
}

/** A click on any row selects it, unless it ends a selection of text. */
function useClickedRow(box: RefObject<HTMLElement | null>, mark: (id: string) => void): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || document.getSelection()?.isCollapsed === false) return;
      const id = target.closest('[data-seq]')?.id;
      if (id) mark(id);
    };
    element.addEventListener('click', onClick);
    return () => element.removeEventListener('click', onClick);
  }, [box, mark]);
}

const WIDE = '(min-width: 80rem)';

/** Whether the details of a call fit beside the log. */
export function hasInspectorRoom(): boolean {
  return window.matchMedia(WIDE).matches;
}

/** Calls the listener whenever that may have changed. Returns a function that ends it. */
export function onInspectorRoom(listener: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
