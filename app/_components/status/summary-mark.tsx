import type { ReactNode } from 'react';
import type { SummaryMark } from '@/lib/insight/dashboard/health-summary';
import { StatusBadge } from './status-badge';

/** The badge of a summary: of its worst service, its last chain, its runners, or the project itself. */
export function SummaryBadge({ mark, detail }: { mark: SummaryMark; detail?: ReactNode }) {
  // A project has no connection of its own that could be offline.
  return <StatusBadge {...mark} detail={mark.kind === 'runner' ? '· no runner' : detail} />;
}
