'use client';

import { useCallback, useRef, useState } from 'react';
import { isOpenByDefault } from '../fold';
import type { CallItem, LogRow } from '../log-rows';
import { callsOf } from './rows';

interface Folds {
  /** What the reader opened and closed, by sequence number. */
  chosen: ReadonlyMap<number, boolean>;
  /** The call that was opened or closed last. */
  selected: number | null;
  /** Stays the same function, so that rows need not be drawn again. */
  toggle: (call: CallItem) => void;
  open: (seq: number) => void;
  foldAll: (rows: readonly LogRow[]) => void;
}

/** Which calls are open. `lastCall` is open by itself, being the newest. */
export function useFolds(lastCall: number | null): Folds {
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [selected, setSelected] = useState<number | null>(null);
  const newest = useRef(lastCall);
  newest.current = lastCall;

  const toggle = useCallback((call: CallItem) => {
    setSelected(call.seq);
    setChosen((before) => {
      const isOpen = before.get(call.seq) ?? isOpenByDefault(call, call.seq === newest.current);
      return new Map(before).set(call.seq, !isOpen);
    });
  }, []);

  const open = useCallback((seq: number) => {
    setSelected(seq);
    setChosen((before) => new Map(before).set(seq, true));
  }, []);

  const foldAll = useCallback((rows: readonly LogRow[]) => {
    setChosen(new Map(rows.flatMap(callsOf).map((call) => [call.seq, false] as const)));
  }, []);

  return { chosen, selected, toggle, open, foldAll };
}
