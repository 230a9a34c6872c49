import { ServiceStrip } from '@/app/_components/status/service-strip';
import { ModifierChip, StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import type { ServiceFacts } from '@/lib/insight/dashboard/schema';
import { formatSpan } from '@/lib/platform/format/duration';

interface ServiceListProps {
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  services: readonly ServiceFacts[];
  clock: (at: Date) => string;
  now: Date;
}

export function ServiceList({ root, services, clock, now }: ServiceListProps) {
  const longest = Math.max(0, ...services.map((service) => service.cells.length));
  return (
    <Card
      title="Services"
      note={services.length}
      isFlush
      actions={
        longest > 0 ? (
          <span className="text-meta text-text-3">
            {longest === 1 ? 'the only cycle so far' : `last ${longest} cycles, newest right`}
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
                detail={isTrouble(service) ? sinceWords(service, now) : null}
              />
              {service.snoozedUntil ? (
                <ModifierChip modifier="snoozed" detail={`until ${clock(service.snoozedUntil)}`} />
              ) : null}
              {service.lastError ? (
                <span className="line-clamp-2 min-w-0 break-words text-text-2">
                  {service.lastError}
                </span>
              ) : service.lastCheckedAt ? (
                <span className="text-text-3">
                  checked <Time at={service.lastCheckedAt.toISOString()} isPlain />
                </span>
              ) : null}
            </div>
            <ServiceStrip
              label={service.name}
              cells={service.cells.map((cell) => ({
                chainNumber: cell.chainNumber,
                href: `${root}/chains/${cell.chainNumber}`,
                state: cell.state,
                at: clock(cell.at),
              }))}
              className="max-md:justify-start"
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function isTrouble({ status }: ServiceFacts): boolean {
  return status === 'down' || status === 'degraded';
}

/** "8m": how long it has been so. */
function sinceWords({ statusSince }: ServiceFacts, now: Date): string | null {
  if (!statusSince) return null;
  const minutes = Math.floor((now.getTime() - statusSince.getTime()) / 60_000);
  return minutes > 0 ? formatSpan(minutes * 60) : 'just now';
}
