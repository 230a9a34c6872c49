'use client';

import { type KeyboardEvent, useRef, useState } from 'react';

/**
 * One stop of Tab for a row of links or buttons: arrows, Home and End move inside it.
 *
 * @param selector what finds them below `ref`, in order
 * @param first index of the one that Tab reaches until another was active
 */
export function useSingleStop<List extends HTMLElement>(
  count: number,
  selector: 'a' | 'button',
  first: number,
) {
  const [active, setActive] = useState(first);
  const ref = useRef<List>(null);
  const current = Math.min(active, count - 1);

  function onKeyDown(event: KeyboardEvent) {
    const target = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: count - 1 }[
      event.key
    ];
    if (target === undefined || target < 0 || target >= count) return;
    event.preventDefault();
    event.stopPropagation();
    setActive(target);
    ref.current?.querySelectorAll<HTMLElement>(selector)[target]?.focus();
  }

  return { current, setActive, list: { ref, onKeyDown } };
}
