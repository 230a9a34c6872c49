'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useMemo } from 'react';
import { LiveProvider, type LiveState } from '@/app/_components/shell/live-context';
import { useLiveHold } from '@/app/_components/shell/live-hold';
import { scopeOf } from '@/app/_components/shell/navigation';
import { connectionState } from './connection-state';
import { useConnectionPhase } from './use-connection-phase';
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
  const stream = useEventStream(held ? null : `/api/live?${query}`, refresh);
  return (
    <LiveProvider state={useConnectionState(held ? held.state : stream)}>{children}</LiveProvider>
  );
}

function useConnectionState(stream: LiveState | null): LiveState | null {
  const { reach, phase } = useConnectionPhase();
  return useMemo(() => connectionState(reach, phase, stream), [reach, phase, stream]);
}
