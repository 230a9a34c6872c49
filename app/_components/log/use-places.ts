'use client';

import { useEffect, useEffectEvent } from 'react';
import { showAddress } from '../lists/address-params';
import { type LogView, writeLogView } from './places';

/** Keeps the address on what is shown; a refresh of the page puts the router's own back. */
export function useLogAddress(view: LogView | null): void {
  useEffect(() => {
    if (view) showAddress(`${window.location.pathname}${writeLogView(view)}`);
  });
}

/** An event to show. `sessionNumber`: null on the session's own page. */
export interface LinkedEvent {
  sessionNumber: number | null;
  seq: number;
}

/** Calls with the event that the fragment of the address names, such as `#session-8-event-12`. */
export function useEventLinks(onLinked: (event: LinkedEvent) => void): void {
  const read = useEffectEvent((hash: string) => {
    const [, sessionNumber, seq] = /^#session-(\d{1,9})-event-(\d{1,9})$/.exec(hash) ?? [];
    if (sessionNumber === undefined || seq === undefined) return;
    onLinked({ sessionNumber: Number(sessionNumber), seq: Number(seq) });
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
}

/** How many frames a row may take to be drawn and to come to rest. */
const MAX_FRAMES = 120;
/** A windowed list measures its rows as they are drawn, and moves them until it knows. */
const REST_FRAMES = 4;

interface Reveal {
  /** Id of the row. */
  id: string;
  /** Brings the row near the view, so that it's drawn. */
  scroll: () => void;
  /** What to center: the row, or a match in it. */
  spotOf: (row: HTMLElement) => DOMRect;
  onShown: (row: HTMLElement) => void;
}

/**
 * Brings the row of an event to the middle and keeps it there until it rests. A windowed list
 * draws it only after its scroll, and may remove and redraw it while it measures.
 */
export function revealRow(box: HTMLElement, { id, scroll, spotOf, onShown }: Reveal): void {
  let frames = 0;
  let rests = 0;
  let shown: HTMLElement | null = null;
  const look = () => {
    const row = document.getElementById(id);
    if (!row) scroll();
    else {
      const spot = spotOf(row);
      if (row !== shown || !isInside(spot, box)) {
        center(spot, box);
        onShown(row);
        rests = 0;
      } else rests += 1;
    }
    shown = row;
    frames += 1;
    if (rests < REST_FRAMES && frames < MAX_FRAMES) requestAnimationFrame(look);
  };
  scroll();
  requestAnimationFrame(look);
}

function isInside({ top }: DOMRect, box: HTMLElement): boolean {
  const frame = box.getBoundingClientRect();
  return top >= frame.top && top < frame.bottom;
}

/** Moves the box alone: the page around it stays where the reader has it. */
function center(spot: DOMRect, box: HTMLElement): void {
  const frame = box.getBoundingClientRect();
  const room = Math.max(0, frame.height - spot.height) / 2;
  box.scrollTop += spot.top - frame.top - room;
}
