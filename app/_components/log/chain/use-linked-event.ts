'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { eventAnchor } from './chain-session';

interface LinkedEvent {
  sessionNumber: number;
  seq: number;
}

/**
 * The event that the fragment of the address names, such as `#session-8-event-12`. `onLinked` makes
 * it visible; then the row is scrolled to the middle and takes the focus, as it does for a link.
 */
export function useLinkedEvent(
  onLinked: (sessionNumber: number, seq: number) => void,
): LinkedEvent | null {
  const [linked, setLinked] = useState<LinkedEvent | null>(null);
  const read = useEffectEvent((hash: string) => {
    const [, sessionNumber, seq] = /^#session-(\d{1,9})-event-(\d{1,9})$/.exec(hash) ?? [];
    if (sessionNumber === undefined || seq === undefined) return;
    onLinked(Number(sessionNumber), Number(seq));
    setLinked({ sessionNumber: Number(sessionNumber), seq: Number(seq) });
  });
  useEffect(() => {
    const onChange = () => read(window.location.hash);
    // A link of the router changes the address without an event, and a second click not even that.
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element) read(target.closest('a')?.hash ?? '');
    };
    onChange();
    window.addEventListener('hashchange', onChange);
    document.addEventListener('click', onClick);
    return () => {
      window.removeEventListener('hashchange', onChange);
      document.removeEventListener('click', onClick);
    };
  }, []);
  useEffect(() => {
    if (!linked) return;
    const row = document.getElementById(eventAnchor(linked.sessionNumber, linked.seq));
    if (!row) return;
    row.scrollIntoView({ block: 'center' });
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
  }, [linked]);
  return linked;
}
