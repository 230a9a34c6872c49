import type { ReactNode } from 'react';
import type { SummaryMark } from '@/lib/insight/dashboard/health-summary';
import { StatusBadge, StatusIcon } from './status-badge';

/** The badge of a summary: of its worst service, its last chain, its runners, or the project itself. */
export function SummaryBadge({ mark, detail }: { mark: SummaryMark; detail?: ReactNode }) {
  switch (mark.kind) {
    case 'service':
      return <StatusBadge kind="service" state={mark.state} detail={detail} />;
    case 'chain':
      return <StatusBadge kind="chain" state={mark.state} detail={detail} />;
    case 'runner':
      // A project has no connection of its own that could be offline.
      return <StatusBadge kind="runner" state={mark.state} detail="· no runner" />;
    case 'project':
      return <StatusBadge kind="project" state={mark.state} detail={detail} />;
  }
}

/** Where the word has no room: the left bar. */
export function SummaryIcon({ mark }: { mark: SummaryMark }) {
  switch (mark.kind) {
    case 'service':
      return <StatusIcon kind="service" state={mark.state} />;
    case 'chain':
      return <StatusIcon kind="chain" state={mark.state} />;
    case 'runner':
      return <StatusIcon kind="runner" state={mark.state} />;
    case 'project':
      return <StatusIcon kind="project" state={mark.state} />;
  }
}
