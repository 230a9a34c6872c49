import { stateLook, toneStyle } from '@/app/_components/status/states';
import { cn } from '@/app/_components/ui/cn';
import type { ProjectFacts, ServiceStatus } from '@/lib/insight/dashboard/schema';

const ORDER: readonly ServiceStatus[] = ['down', 'degraded', 'healthy', 'unknown'];

/** "1 down, 4 ok": icon, number and word for each state that occurs. */
export function ServiceCounts({ services }: { services: ProjectFacts['services'] }) {
  const shown = ORDER.filter((state) => services[state] > 0);
  if (shown.length === 0) return <span className="text-text-3">No services</span>;
  return (
    <ul className="inline-flex flex-wrap gap-x-3">
      {shown.map((state) => {
        const look = stateLook('service', state);
        const Icon = look.icon;
        return (
          <li key={state} className="inline-flex items-center gap-1 whitespace-nowrap tabular-nums">
            <Icon aria-hidden className={cn('size-3.5', toneStyle[look.tone].mark)} />
            {services[state]} {look.word.toLowerCase()}
          </li>
        );
      })}
    </ul>
  );
}
