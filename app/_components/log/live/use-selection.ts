'use client';

import { type Dispatch, type RefObject, type SetStateAction, useEffect, useState } from 'react';
import { showAddress } from '../../lists/address-params';
import { type LogView, writeLogView } from './log-view';

interface Selection {
  /** The event on which the reader stands; the address names it. */
  marked: number | null;
  mark: (seq: number) => void;
  /** The call whose details are shown; null while none are. */
  inspected: number | null;
  inspect: Dispatch<SetStateAction<number | null>>;
}

/** The selected row. A click on any row selects it, unless it ends a selection of text. */
export function useSelection(
  box: RefObject<HTMLElement | null>,
  initial: number | null,
): Selection {
  const [marked, mark] = useState(initial);
  const [inspected, inspect] = useState<number | null>(null);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || document.getSelection()?.isCollapsed === false) return;
      const seq = target.closest<HTMLElement>('[data-seq]')?.dataset.seq;
      if (seq !== undefined) mark(Number(seq));
    };
    element.addEventListener('click', onClick);
    return () => element.removeEventListener('click', onClick);
  }, [box]);

  return { marked, mark, inspected, inspect };
}

/** Keeps the address on what is shown; a refresh of the page puts the router's own back. */
export function useLogAddress(view: LogView): void {
  useEffect(() => showAddress(`${window.location.pathname}${writeLogView(view)}`));
}
