import { Card } from '@/app/_components/ui/card';
import { DocLink } from '@/app/_components/ui/doc-link';
import { estimateOf } from '@/lib/insight/schedule-cost/estimate';
import { getCostBasis } from '@/lib/insight/schedule-cost/get-basis';
import { getHealthyFigures } from '@/lib/insight/spend/get-healthy';
import { avoidedSentence, healthyDaySentence } from '@/lib/insight/spend/healthy';
import type { TenantScope } from '@/lib/platform/db/scope';
import { previewSchedule } from '@/lib/projects/schedules/preview';
import { getProjectInForce } from '@/lib/projects/versions';

interface HealthyDaysProps {
  scope: TenantScope;
  /** Slug. */
  project: string;
  from: Date;
  to: Date;
  /** `the last 30 days`. */
  spanWords: string;
  now: Date;
}

/** What a healthy day costs and has cost, and the chains that checks without an agent avoided. */
export async function HealthyDays({ scope, project, from, to, spanWords, now }: HealthyDaysProps) {
  const { id, config } = await getProjectInForce(scope, project);
  const { harness, schedule, tiers } = config;
  const [figures, basis] = await Promise.all([
    getHealthyFigures(scope, { projectId: id, from, to }, now),
    getCostBasis(scope, { projectId: id, harness, model: tiers[0].model }, now),
  ]);
  const preview = previewSchedule(schedule, now);
  const estimate = estimateOf(preview.ok ? preview.cyclesPerDay : 0, preview.ok ? basis : null);
  return (
    <Card title="Healthy days">
      <div className="flex max-w-prose flex-col gap-2">
        <p>{estimate.sentence}</p>
        <p>{healthyDaySentence(figures, spanWords)}</p>
        <p>{avoidedSentence(figures, basis, spanWords)}</p>
        <p className="text-meta text-text-3">
          {estimate.note ? `${estimate.note} ` : ''}
          <DocLink to="plan-costs#healthy-days-and-chains-avoided">How this is counted</DocLink>
        </p>
      </div>
    </Card>
  );
}
