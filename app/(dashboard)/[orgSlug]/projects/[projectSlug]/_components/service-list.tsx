import { Duration } from '@/app/_components/status/duration';
import { RepairedMark, ServiceStrip } from '@/app/_components/status/service-strip';
import { ModifierChip, StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { TimeBar } from '@/app/_components/status/time-bar';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { checkedDay } from '@/lib/insight/dashboard/checked-history';
import type { ServiceFacts, ServiceStatus } from '@/lib/insight/dashboard/schema';
import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';

interface ServiceListProps {
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  services: readonly ServiceFacts[];
  now: Date;
  clock: (at: Date) => string;
}

export function ServiceList({ root, services, now, clock }: ServiceListProps) {
  const hasRepair = services.some(({ cells }) =>
    cells.some(({ recovery }) => recovery?.kind === 'repaired'),
  );
  return (
    <Card
      title="Services"
      note={services.length}
      isFlush
      className="self-start"
      actions={
        hasRepair ? (
          <span className="inline-flex items-center gap-1.5 text-meta text-text-3">
            <RepairedMark /> repaired in that chain
          </span>
        ) : null
      }
    >
      <ul>
        {services.map((service) => (
          <li
            key={service.name}
            className="grid grid-cols-[minmax(0,11rem)_minmax(0,1fr)_minmax(7rem,20rem)] items-center gap-x-4 gap-y-1 border-line border-t px-4 py-2 first:border-t-0 max-md:grid-cols-1"
          >
            <Link
              href={`${root}/services/${encodeURIComponent(service.name)}`}
              className="min-w-0 break-words font-medium hover:underline"
            >
              {service.name}
            </Link>
            <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-ui">
              <StatusBadge
                kind="service"
                state={service.status}
                detail={
                  service.failingSince ? (
                    <Duration from={service.failingSince.toISOString()} to={null} />
                  ) : null
                }
              />
              {service.snoozedUntil ? (
                <ModifierChip modifier="snoozed" detail={`until ${clock(service.snoozedUntil)}`} />
              ) : null}
              {service.lastError ? (
                <span className="line-clamp-2 min-w-0 break-words text-text-2">
                  {service.lastError}
                </span>
              ) : null}
              {service.lastCheckedAt ? (
                <span className="whitespace-nowrap text-text-3 tabular-nums">
                  {service.latencyMs === null ? null : (
                    <span
                      title={
                        service.past
                          ? 'The slowest check, by its last result'
                          : 'The slowest check of the last chain'
                      }
                    >
                      {formatDuration(service.latencyMs)} ·{' '}
                    </span>
                  )}
                  checked <Time at={service.lastCheckedAt.toISOString()} isPlain />
                </span>
              ) : null}
            </div>
            <ServicePast root={root} service={service} now={now} clock={clock} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface ServicePastProps {
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  service: ServiceFacts;
  now: Date;
  clock: (at: Date) => string;
}

/** The last 24 hours by the service's own checks; without any, its newest chains, and that they are chains. */
export function ServicePast({ root, service, now, clock }: ServicePastProps) {
  if (service.past) {
    const { cells, share, words } = checkedDay(service.past, now, clock);
    return (
      <div className="flex min-w-0 flex-col gap-1">
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
    <div className="flex min-w-0 flex-col gap-1">
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

const RANK: Record<ServiceStatus, number> = { down: 0, degraded: 1, unknown: 2, healthy: 3 };

/** Returns the services by worst state, then by the first failure of their outage; equals keep their order. */
export function worstFirst<Service extends Pick<ServiceFacts, 'status' | 'failingSince'>>(
  services: readonly Service[],
): Service[] {
  const since = ({ failingSince }: Service) => failingSince?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return services.toSorted(
    (one, other) => RANK[one.status] - RANK[other.status] || since(one) - since(other),
  );
}
