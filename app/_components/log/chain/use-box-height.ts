'use client';

import { type RefObject, useEffect } from 'react';
import { boxHeight } from './box-height';

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
