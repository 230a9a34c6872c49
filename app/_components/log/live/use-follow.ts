'use client';

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const NEAR_PX = 32;

interface Follow {
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

  const change = useCallback((next: boolean) => {
    follows.current = next;
    setFollowing(next);
  }, []);

  const toEnd = useCallback(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [box]);

  const follow = useCallback(() => {
    change(true);
    toEnd();
  }, [change, toEnd]);

  useEffect(() => {
    const element = box.current;
    const inner = content.current;
    if (!element || !inner) return;
    let lastTop = element.scrollTop;
    let lastHeight = element.scrollHeight;

    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      // A box whose content changed its height is moved by the browser, not by the reader.
      if (!isAtEnd && scrollTop < lastTop && scrollHeight === lastHeight) change(false);
      if (isAtEnd && isLive && scrollTop > lastTop) change(true);
      lastTop = scrollTop;
      lastHeight = scrollHeight;
    };
    const onSelection = () => {
      const selection = document.getSelection();
      if (selection?.isCollapsed === false && element.contains(selection.anchorNode)) change(false);
    };
    const grown = new ResizeObserver(() => {
      if (follows.current) toEnd();
    });

    if (follows.current) toEnd();
    grown.observe(inner);
    grown.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    document.addEventListener('selectionchange', onSelection);
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', onScroll);
      document.removeEventListener('selectionchange', onSelection);
    };
  }, [box, content, isLive, change, toEnd]);

  return { isFollowing, follow, unfollow: useCallback(() => change(false), [change]) };
}
