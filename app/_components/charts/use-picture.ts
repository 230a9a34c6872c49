'use client';

import { type ComponentType, useEffect, useState } from 'react';
import type { PlotView } from './plot-view';
import type { Size } from './use-size';

type Picture = ComponentType<{ scope: string; view: PlotView; size: Size }>;
type PictureState = { kind: 'waiting' } | { kind: 'failed' } | { kind: 'ready'; Picture: Picture };

/** Safari has no requestIdleCallback. */
const FALLBACK_MS = 200;

/** Loads what draws, once the browser is idle; the second plot of a page finds it there. */
export function usePicture(): PictureState {
  const [state, setState] = useState<PictureState>({ kind: 'waiting' });
  useEffect(() => {
    let isGone = false;
    const load = () =>
      import('./drawings/picture').then(
        (found) => isGone || setState({ kind: 'ready', Picture: found.default }),
        () => isGone || setState({ kind: 'failed' }),
      );
    const hasIdle = 'requestIdleCallback' in window;
    const handle = hasIdle
      ? window.requestIdleCallback(() => void load())
      : setTimeout(() => void load(), FALLBACK_MS);
    return () => {
      isGone = true;
      if (hasIdle) window.cancelIdleCallback(Number(handle));
      else clearTimeout(handle);
    };
  }, []);
  return state;
}
