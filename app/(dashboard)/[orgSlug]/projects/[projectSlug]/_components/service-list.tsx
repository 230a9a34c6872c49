import { ServiceStrip } from '@/app/_components/status/service-strip';
import { ModifierChip, StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import type { ServiceFacts } from '@/lib/projects/dashboard/schema';

interface ServiceListProps {
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  services: readonly ServiceFacts[];
  clock: (at: Date) => string;
}

export function ServiceList({ root, services, clock }: ServiceListProps) {
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
            className="grid grid-cols-[minmax(0,1fr)_minmax(7rem,24rem)] items-center gap-x-6 gap-y-1 border-line border-t px-4 py-2 first:border-t-0 max-md:grid-cols-1"
          >
            <div className="flex min-w-0 flex-col gap-0.5">
              <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
                <StatusBadge
                  kind="service"
                  state={service.status}
                  reason={service.statusSince ? <Since service={service} /> : undefined}
                />
                <span className="min-w-0 break-words font-medium">{service.name}</span>
                {service.snoozedUntil ? (
                  <ModifierChip
                    modifier="snoozed"
                    detail={`until ${clock(service.snoozedUntil)}`}
                  />
                ) : null}
              </div>
              {service.lastError ? (
                <p className="line-clamp-2 break-words text-text-2 text-ui">{service.lastError}</p>
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

function Since({ service }: { service: ServiceFacts }) {
  if (!service.statusSince) return null;
  return (
    <span className="text-text-3">
      since <Time at={service.statusSince.toISOString()} isPlain form="day" />
    </span>
  );
}
