'use client';

import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

/** Where a selection of columns began, and where it has come to. */
interface Stretch {
  anchor: number;
  head: number;
}

/** Less is the hand that shakes in a click. */
const MIN_DRAG_PX = 5;

interface Brush {
  /** Both included; null: nothing is selected. */
  selected: { first: number; last: number } | null;
  /** From `anchor`, or from where the selection already begins, to `head`. */
  extend: (anchor: number, head: number) => void;
  clear: () => void;
  /** Takes what is selected. One column alone is no span. */
  choose: () => void;
  /** Of the list of columns, which lie side by side and are equally wide. */
  handlers: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
    onClickCapture: (event: MouseEvent<HTMLElement>) => void;
  };
}

/**
 * A span of columns by dragging over them; Escape lets it go. A press that stays on one column is
 * a click on that column and none of the brush's business.
 */
export function useBrush(count: number, onSelect: (first: number, last: number) => void): Brush {
  const [stretch, show] = useState<Stretch | null>(null);
  /** The same at once: a pointer may go up before what it moved over is drawn. */
  const current = useRef<Stretch | null>(null);
  /** Where a pointer went down that has not gone up. */
  const pressed = useRef<{ column: number; x: number } | null>(null);
  const hasDragged = useRef(false);

  function put(next: Stretch | null) {
    current.current = next;
    show(next);
  }

  function clear() {
    pressed.current = null;
    put(null);
  }

  function choose() {
    const chosen = current.current && ends(current.current);
    clear();
    if (chosen && chosen.first < chosen.last) onSelect(chosen.first, chosen.last);
  }

  const isSelecting = stretch !== null;
  useEffect(() => {
    if (!isSelecting) return;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      pressed.current = null;
      current.current = null;
      show(null);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isSelecting]);

  function columnAt({ currentTarget, clientX }: PointerEvent<HTMLElement>): number {
    const { left, width } = currentTarget.getBoundingClientRect();
    const column = Math.floor(((clientX - left) / width) * count);
    return Math.min(count - 1, Math.max(0, column));
  }

  return {
    selected: stretch && ends(stretch),
    extend(anchor, head) {
      const from = current.current?.anchor ?? anchor;
      put(from === head ? null : { anchor: from, head });
    },
    clear,
    choose,
    handlers: {
      onPointerDown(event) {
        hasDragged.current = false;
        put(null);
        const isPress = event.isPrimary && event.button === 0;
        pressed.current = isPress ? { column: columnAt(event), x: event.clientX } : null;
      },
      onPointerMove(event) {
        if (pressed.current === null) return;
        const { column: anchor, x } = pressed.current;
        const head = columnAt(event);
        const isDrag = head !== anchor && Math.abs(event.clientX - x) >= MIN_DRAG_PX;
        if (!isDrag && !current.current) return;
        hasDragged.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        put({ anchor, head });
      },
      onPointerUp() {
        if (pressed.current !== null) choose();
      },
      onPointerCancel: clear,
      // What follows the end of a drag is no click on the column where it ended.
      onClickCapture(event) {
        // Enter on a column comes as a click, too.
        if (!hasDragged.current || event.detail === 0) return;
        hasDragged.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}

function ends({ anchor, head }: Stretch): { first: number; last: number } {
  return { first: Math.min(anchor, head), last: Math.max(anchor, head) };
}
