'use client';

import { lazy, Suspense } from 'react';
import { loadPart } from '../../reach/load-part';
import type { ChainLogProps } from './chain-log';

// The page is alive before the code of its log has come; the server draws both at once.
const ChainLog = lazy(async () => ({
  default: (await loadPart(() => import('./chain-log'))).ChainLog,
}));

/** The log of a chain, whose code is loaded beside the page. */
export function ChainLogPart(props: ChainLogProps) {
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
      <ChainLog {...props} />
    </Suspense>
  );
}
