import { ArrowRight } from 'lucide-react';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import type { ChainDetail } from '@/lib/insight/chains/schema';

/** What the runner's own checks said first and last. */
export function ServiceChanges({ services }: { services: ChainDetail['services'] }) {
  return (
    <Card title="Services" note="first check, last check">
      {services.length === 0 ? (
        <p className="text-text-2 text-ui">No check of this chain has answered yet.</p>
      ) : (
        <ul className="flex flex-col">
          {services.map((service) => (
            <li
              key={service.name}
              className="flex flex-col gap-1 border-line border-t py-2 first:border-t-0 first:pt-0"
            >
              <span className="flex items-baseline justify-between gap-3">
                <span className="min-w-0 break-words font-medium">{service.name}</span>
                <Time at={service.at} isPlain className="text-meta text-text-3" />
              </span>
              <span className="flex flex-wrap items-center gap-1.5">
                <StatusBadge kind="service" state={service.statusBefore} />
                <ArrowRight aria-label="then" className="size-3.5 text-text-3" />
                <StatusBadge kind="service" state={service.status} />
              </span>
              {service.error ? (
                <span className="break-words text-meta text-text-2">{service.error}</span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
