'use client';

import { usePathname } from 'next/navigation';
import { useSyncExternalStore } from 'react';
import { pendingNavigation } from './pending-navigation';

/** A thin bar at the top edge while the next page loads, after 100 ms. The old page stays usable. */
export function NavigationBar() {
  // The page that was asked for is there, or the reader went back: the address has changed.
  usePathname();
  const { getCurrent, subscribe } = pendingNavigation;
  const navigation = useSyncExternalStore(subscribe, getCurrent, () => null);
  if (!navigation || navigation.from !== window.location.href) return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading the page"
      className="fixed inset-x-0 top-0 z-50 h-0.5 animate-appear"
    >
      <div className="h-full origin-left animate-advance bg-run-mark motion-reduce:animate-none" />
    </div>
  );
}
