import Link from 'next/link';
import { BudgetBar } from '@/app/_components/status/budget-bar';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Card } from '@/app/_components/ui/card';
import type { Overview, ProjectFacts } from '@/lib/insight/dashboard/schema';

interface BudgetCardProps {
  orgSlug: string;
  project: ProjectFacts;
  runners: Overview['runners'];
}

/** What may still be spent, and who there is to do the work. */
export function BudgetCard({ orgSlug, project, runners }: BudgetCardProps) {
  const pool = runners.filter((runner) => runner.pool === project.pool);
  const online = pool.filter((runner) => runner.isOnline).length;
  return (
    <Card
      title="Budget"
      className="self-start"
      actions={
        <Link href={`/${orgSlug}/projects/${project.slug}/spend`} className="link text-ui">
          Spend
        </Link>
      }
    >
      <div className="flex flex-col gap-3">
        <BudgetBar
          label="Today"
          spentMicros={project.dayMicros}
          limitMicros={project.dayLimitMicros}
        />
        <BudgetBar
          label="This month"
          spentMicros={project.monthMicros}
          limitMicros={project.monthLimitMicros}
        />
        <p className="flex flex-wrap items-center justify-between gap-2 border-line border-t pt-3 text-ui">
          <Link href={`/${orgSlug}/runners`} className="link">
            Runner pool {project.pool}
          </Link>
          <StatusBadge
            kind="runner"
            state={online > 0 ? 'online' : pool.length > 0 ? 'offline' : 'never_connected'}
            detail={pool.length > 0 ? `${online} of ${pool.length}` : undefined}
          />
        </p>
        <p className="text-meta text-text-3">Days and months are UTC.</p>
      </div>
    </Card>
  );
}
