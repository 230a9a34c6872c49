import { ServiceStrip } from '@/app/_components/status/service-strip';
import { TimeBar } from '@/app/_components/status/time-bar';
import { cn } from '@/app/_components/ui/cn';
import { checkedDay } from '@/lib/insight/dashboard/checked-history';
import type { ServiceFacts } from '@/lib/insight/dashboard/schema';
import { formatCounted } from '@/lib/platform/format/count';

interface ServicePastProps {
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  service: ServiceFacts;
  now: Date;
  clock: (at: Date) => string;
  className?: string;
}

/** The last 24 hours by the service's own checks; without any, its newest chains, and that they are chains. */
export function ServicePast({ root, service, now, clock, className }: ServicePastProps) {
  if (service.past) {
    const { cells, share, words } = checkedDay(service.past, now, clock);
    return (
      <div className={cn('flex min-w-0 flex-col gap-1', className)}>
        <div
          role="img"
          aria-label={`${service.name}, last 24 h: ${words}`}
          className="flex h-6 w-full max-w-96"
        >
          {cells.map((cell) => (
            <span
              key={cell.from.toISOString()}
              title={`${cell.label}: ${cell.words}`}
              className="flex h-full max-w-2 flex-1 items-end pr-px hover:bg-hover"
            >
              <TimeBar state={cell.state} knownShare={cell.knownShare} />
            </span>
          ))}
        </div>
        <p className="text-meta text-text-3 tabular-nums">
          {share === null ? 'No result in 24 h' : `${share} up in 24 h, ${words}`}
        </p>
      </div>
    );
  }
  const { cells } = service;
  return (
    <div className={cn('flex min-w-0 flex-col gap-1', className)}>
      <ServiceStrip
        label={service.name}
        cells={cells.map((cell) => ({
          chainNumber: cell.chainNumber,
          href: `${root}/chains/${cell.chainNumber}`,
          state: cell.state,
          recovery: cell.recovery,
          at: clock(cell.at),
        }))}
        className="justify-start"
      />
      {cells.length > 0 ? (
        <p className="text-meta text-text-3">
          {cells.length === 1
            ? 'By the only chain so far'
            : `By the last ${formatCounted(cells.length, 'chain')}`}
        </p>
      ) : null}
    </div>
  );
}
