import { Duration } from '@/app/_components/status/duration';
import { RepairedMark } from '@/app/_components/status/service-strip';
import { ModifierChip, StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import type { ServiceFacts } from '@/lib/insight/dashboard/schema';
import { formatDuration } from '@/lib/platform/format/duration';
import { ServicePast } from './service-past';

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
