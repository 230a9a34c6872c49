'use client';

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const NEAR_PX = 32;

export interface Follow {
  isFollowing: boolean;
  follow: () => void;
  unfollow: () => void;
}

/**
 * Keeps a scrolling box at its end while it grows. Scrolling up or selecting text turns it off,
 * coming back to the end turns it on; nothing else ever moves the box.
 */
export function useFollow(
  box: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  isLive: boolean,
): Follow {
  const [isFollowing, setFollowing] = useState(isLive);
  const follows = useRef(isLive);
  /** Where the box was last seen or put, in pixels; a scroll event compares itself with it. */
  const last = useRef({ top: 0, height: 0, shown: 0 });

  const change = useCallback((next: boolean) => {
    follows.current = next;
    setFollowing(next);
  }, []);

  const toEnd = useCallback(() => {
    const element = box.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight;
    last.current = placeOf(element);
  }, [box]);

  const follow = useCallback(() => {
    change(true);
    toEnd();
  }, [change, toEnd]);

  useEffect(() => {
    const element = box.current;
    const inner = content.current;
    if (!element || !inner) return;
    last.current = placeOf(element);
    let isDragged = false;

    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const { top, height } = last.current;
      const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      // A box whose content changed its height may have been moved by the browser.
      const isReaders = scrollHeight === height || isDragged;
      if (!isAtEnd && scrollTop < top && isReaders) change(false);
      if (isAtEnd && isLive && scrollTop > top) change(true);
      last.current = placeOf(element);
    };
    const unwatch = watchUpward(element, {
      onUp: () => change(false),
      onDragged: (now) => {
        isDragged = now;
      },
    });
    const onSelection = () => {
      const selection = document.getSelection();
      if (selection?.isCollapsed === false && element.contains(selection.anchorNode)) change(false);
    };
    const grown = new ResizeObserver(() => {
      if (!follows.current) return;
      if (isScrolledUp(last.current, placeOf(element))) change(false);
      else toEnd();
    });

    if (follows.current) toEnd();
    grown.observe(inner);
    grown.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    document.addEventListener('selectionchange', onSelection);
    return () => {
      grown.disconnect();
      unwatch();
      element.removeEventListener('scroll', onScroll);
      document.removeEventListener('selectionchange', onSelection);
    };
  }, [box, content, isLive, change, toEnd]);

  return { isFollowing, follow, unfollow: useCallback(() => change(false), [change]) };
}

interface Place {
  top: number;
  height: number;
  /** Visible height. */
  shown: number;
}

function placeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): Place {
  return { top: scrollTop, height: scrollHeight, shown: clientHeight };
}

/**
 * Whether a reader has scrolled up although no event says so yet: the browser moves a box before it reports the
 * wheel. A box that shows more, or holds less, is moved without a reader.
 */
export function isScrolledUp(before: Place, now: Place): boolean {
  return now.top < before.top - 1 && now.height >= before.height && now.shown === before.shown;
}

interface Upward {
  /** A wheel, a finger or a key asks for earlier lines. */
  onUp: () => void;
  /** The scroll bar is held, or was let go. */
  onDragged: (isDragged: boolean) => void;
}

const UP_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Reports input that asks for earlier lines. Scroll positions alone can't: in a log that grows with
 * every frame, the height has changed by each scroll event.
 */
function watchUpward(element: HTMLElement, { onUp, onDragged }: Upward): () => void {
  const events = new AbortController();
  const options = { passive: true, signal: events.signal };
  const upIfPossible = () => {
    if (element.scrollTop > 0) onUp();
  };
  let fingerY: number | null = null;
  element.addEventListener(
    'wheel',
    ({ deltaY, ctrlKey }) => {
      if (deltaY < 0 && !ctrlKey) upIfPossible();
    },
    options,
  );
  element.addEventListener(
    'keydown',
    ({ key, shiftKey }) => {
      if (UP_KEYS.has(key) || (key === ' ' && shiftKey)) upIfPossible();
    },
    options,
  );
  element.addEventListener(
    'touchmove',
    ({ touches }) => {
      const y = touches[0]?.clientY ?? null;
      if (fingerY !== null && y !== null && y > fingerY) upIfPossible();
      fingerY = y;
    },
    options,
  );
  const lift = () => {
    fingerY = null;
    onDragged(false);
  };
  element.addEventListener(
    'pointerdown',
    ({ target }) => {
      if (target === element) onDragged(true);
    },
    options,
  );
  for (const end of ['pointerup', 'pointercancel', 'touchend'] as const) {
    window.addEventListener(end, lift, options);
  }
  return () => events.abort();
}

const MIN_PX = 208;
/** A margin below the log. */
const BELOW_PX = 16;
/** The bar of the application, the head of the log and what a phone has at the bottom. */
const AROUND_PX = 176;

/**
 * Returns the height of a followed log in pixels: down to the bottom of the window, so that the
 * newest line is on the first screen. Where there is too little left below `top`, the reader has to
 * scroll to the log anyway, and it fills the window.
 *
 * @param top distance from the top of the page, in pixels
 */
export function boxHeight(windowHeight: number, top: number): number {
  const left = windowHeight - top - BELOW_PX;
  return left >= MIN_PX ? left : Math.max(MIN_PX, windowHeight - AROUND_PX);
}

/** Keeps the end of a followed log inside the window while what stands above it grows. */
export function useBoxHeight(box: RefObject<HTMLElement | null>, isBoxed: boolean): void {
  useEffect(() => {
    const element = box.current;
    if (!element || !isBoxed) return;
    const fit = () => {
      const top = element.getBoundingClientRect().top + window.scrollY;
      element.style.height = `${boxHeight(window.innerHeight, top)}px`;
    };
    fit();
    const grown = new ResizeObserver(fit);
    grown.observe(document.body);
    window.addEventListener('resize', fit);
    return () => {
      grown.disconnect();
      window.removeEventListener('resize', fit);
    };
  }, [box, isBoxed]);
}
