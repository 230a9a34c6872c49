'use client';

import { useEffect, useState } from 'react';

export interface Size {
  width: number;
  height: number;
}

/**
 * Returns a ref for an element and its size in pixels; null while it has none, as inside a folded
 * part, so that nothing is drawn into no space.
 */
export function useSize(): [(element: HTMLElement | null) => void, Size | null] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => {
        if (width === 0 || height === 0) return null;
        return before?.width === width && before.height === height ? before : { width, height };
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, size];
}
