'use client';

import { useCallback, useRef, useState } from 'react';
import { isOpenByDefault } from '../fold';
import type { CallItem, LogRow } from '../log-rows';
import { callsOf } from './rows';

interface Folds {
  /** What the reader opened and closed, by sequence number. */
  chosen: ReadonlyMap<number, boolean>;
  /** Opens or folds a call and returns whether it is open then. Stays the same function. */
  toggle: (call: CallItem) => boolean;
  open: (seq: number) => void;
  /** Folds all calls; opens them if all are folded. */
  foldAll: (rows: readonly LogRow[]) => void;
}

/** Which calls are open. `lastCall` is open by itself, being the newest. */
export function useFolds(lastCall: number | null): Folds {
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const now = useRef({ chosen, lastCall });
  now.current.lastCall = lastCall;

  const change = useCallback((next: ReadonlyMap<number, boolean>) => {
    now.current.chosen = next;
    setChosen(next);
  }, []);

  const isOpen = useCallback((call: CallItem) => {
    const { chosen, lastCall } = now.current;
    return chosen.get(call.seq) ?? isOpenByDefault(call, call.seq === lastCall);
  }, []);

  const toggle = useCallback(
    (call: CallItem) => {
      const willOpen = !isOpen(call);
      change(new Map(now.current.chosen).set(call.seq, willOpen));
      return willOpen;
    },
    [change, isOpen],
  );

  const open = useCallback(
    (seq: number) => change(new Map(now.current.chosen).set(seq, true)),
    [change],
  );

  const foldAll = useCallback(
    (rows: readonly LogRow[]) => {
      const calls = rows.flatMap(callsOf);
      const areFolded = !calls.some(isOpen);
      change(new Map(calls.map((call) => [call.seq, areFolded] as const)));
    },
    [change, isOpen],
  );

  return { chosen, toggle, open, foldAll };
}
