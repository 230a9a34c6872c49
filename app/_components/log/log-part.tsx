'use client';

import { lazy, Suspense } from 'react';
import { loadPart } from '../reach/load-part';
import type { LogProps } from './log';

// The page is alive before the code of its log has come; the server draws both at once.
const Log = lazy(async () => ({ default: (await loadPart(() => import('./log'))).Log }));

/** A log on a page with more, whose code is loaded beside it. */
export function LogPart(props: LogProps) {
  return (
    <Suspense
      fallback={
        <section
          aria-label="Log"
          aria-busy
          className="min-h-104 rounded-card border border-line bg-surface"
        />
      }
    >
      <Log {...props} />
    </Suspense>
  );
}
