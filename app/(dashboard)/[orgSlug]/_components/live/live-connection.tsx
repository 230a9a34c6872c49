'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { LiveProvider } from '@/app/_components/shell/live-context';
import { useLiveHold } from '@/app/_components/shell/live-hold';
import { scopeOf } from '@/app/_components/shell/navigation';
import { useEventStream } from './use-event-stream';
import { useMergedRefresh } from './use-merged-refresh';

/** One stream for the whole tab: of the project on the page, of the organization, or a log's own. */
export function LiveConnection({ children }: { children: ReactNode }) {
  const { orgSlug, projectSlug } = scopeOf(usePathname());
  const query = new URLSearchParams({
    organization: orgSlug,
    ...(projectSlug ? { project: projectSlug } : {}),
  });
  const refresh = useMergedRefresh();
  const held = useLiveHold(refresh);
  const state = useEventStream(held ? null : `/api/live?${query}`, refresh);
  return <LiveProvider state={held ? held.state : state}>{children}</LiveProvider>;
}
