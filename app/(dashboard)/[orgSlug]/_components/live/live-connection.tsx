'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { LiveProvider } from '@/app/_components/shell/live-context';
import { scopeOf } from '@/app/_components/shell/navigation';
import { useEventStream } from './use-event-stream';
import { useMergedRefresh } from './use-merged-refresh';

/** One stream for the whole tab: of the project on the page, or of the organization. */
export function LiveConnection({ children }: { children: ReactNode }) {
  const { orgSlug, projectSlug } = scopeOf(usePathname());
  const query = new URLSearchParams({
    organization: orgSlug,
    ...(projectSlug ? { project: projectSlug } : {}),
  });
  const refresh = useMergedRefresh();
  const state = useEventStream(`/api/live?${query}`, refresh);
  return <LiveProvider state={state}>{children}</LiveProvider>;
}
