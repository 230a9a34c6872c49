'use client';

import NextLink from 'next/link';
import { type ComponentProps, type MouseEvent, useEffect, useRef, useState } from 'react';

/** A pointer that only passes over a link leaves it sooner, in milliseconds. */
const INTENT_MS = 80;

/**
 * Links to a page of ours, and prefetches it once a pointer rests on the link. Next.js on its own
 * requests the page of every visible link at each view, and again at each refresh: 20 to 50 requests
 * beside the one that was asked for.
 *
 * @param props as of Next.js' `Link`; `prefetch={false}` never prefetches
 */
export function Link({
  prefetch,
  onMouseEnter,
  onMouseLeave,
  ...props
}: ComponentProps<typeof NextLink>) {
  const [isIntended, setIntended] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const enter = (event: MouseEvent<HTMLAnchorElement>) => {
    onMouseEnter?.(event);
    timer.current = setTimeout(() => setIntended(true), INTENT_MS);
  };
  const leave = (event: MouseEvent<HTMLAnchorElement>) => {
    onMouseLeave?.(event);
    clearTimeout(timer.current);
    setIntended(false);
  };
  return (
    <NextLink
      {...props}
      prefetch={isIntended && prefetch !== false ? 'auto' : false}
      onMouseEnter={enter}
      onMouseLeave={leave}
    />
  );
}
