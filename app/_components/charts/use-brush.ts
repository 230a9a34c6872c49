'use client';

import { type PointerEvent, useEffect, useRef, useState } from 'react';

/** Where a selection of columns began, and where it has come to. */
interface Stretch {
  anchor: number;
  head: number;
}

export interface Brush {
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
    onClickCapture: (event: { preventDefault: () => void; stopPropagation: () => void }) => void;
  };
}

/**
 * A span of columns by dragging over them; Escape lets it go. A press that stays on one column is
 * a click on that column and none of the brush's business.
 */
export function useBrush(count: number, onSelect: (first: number, last: number) => void): Brush {
  const [stretch, setStretch] = useState<Stretch | null>(null);
  /** The column under a pointer that went down and has not gone up. */
  const pressed = useRef<number | null>(null);
  const hasDragged = useRef(false);
  const selected = stretch && {
    first: Math.min(stretch.anchor, stretch.head),
    last: Math.max(stretch.anchor, stretch.head),
  };

  function clear() {
    pressed.current = null;
    setStretch(null);
  }

  function choose() {
    clear();
    if (selected && selected.first < selected.last) onSelect(selected.first, selected.last);
  }

  const isSelecting = stretch !== null;
  useEffect(() => {
    if (!isSelecting) return;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      pressed.current = null;
      setStretch(null);
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
    selected,
    extend: (anchor, head) => setStretch((now) => ({ anchor: now?.anchor ?? anchor, head })),
    clear,
    choose,
    handlers: {
      onPointerDown(event) {
        hasDragged.current = false;
        setStretch(null);
        pressed.current = event.isPrimary && event.button === 0 ? columnAt(event) : null;
      },
      onPointerMove(event) {
        const anchor = pressed.current;
        if (anchor === null) return;
        const head = columnAt(event);
        if (head === anchor && !stretch) return;
        hasDragged.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        setStretch({ anchor, head });
      },
      onPointerUp() {
        if (pressed.current !== null) choose();
      },
      onPointerCancel: clear,
      // What follows the end of a drag is no click on the column where it ended.
      onClickCapture(event) {
        if (!hasDragged.current) return;
        hasDragged.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
