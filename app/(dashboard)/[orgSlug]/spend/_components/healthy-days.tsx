import { Card } from '@/app/_components/ui/card';
import { DocLink } from '@/app/_components/ui/doc-link';
import { Link } from '@/app/_components/ui/link';
import { getOrganizationHealth } from '@/lib/insight/spend/get-healthy';
import {
  avoidedInAllSentence,
  healthyDaySentence,
  type ProjectHealth,
  summedDays,
} from '@/lib/insight/spend/healthy';
import type { TenantScope } from '@/lib/platform/db/scope';
import { formatCount, formatCounted } from '@/lib/platform/format/count';

interface HealthyDaysProps {
  scope: TenantScope;
  from: Date;
  to: Date;
  /** `the last 30 days`. */
  spanWords: string;
  now: Date;
}

/** As many projects as the card names. */
const MAX_PROJECTS = 10;

/** What healthy days of all projects have cost, and the chains that checks without an agent avoided. */
export async function HealthyDays({ scope, from, to, spanWords, now }: HealthyDaysProps) {
  const { health, projects } = await getOrganizationHealth(scope, { from, to }, now);
  const shown = health
    .filter(({ figures }) => figures.avoided || figures.days)
    .toSorted((one, other) => (other.figures.avoided ?? 0) - (one.figures.avoided ?? 0));
  const rest = shown.length - MAX_PROJECTS;
  return (
    <Card title="Healthy days">
      <div className="flex max-w-prose flex-col gap-2">
        <p>{healthyDaySentence({ days: summedDays(health) }, spanWords)}</p>
        <p>{avoidedInAllSentence(health, projects, spanWords)}</p>
        {shown.length > 0 ? (
          <ul className="flex flex-col gap-1 text-ui">
            {shown.slice(0, MAX_PROJECTS).map((project) => (
              <ProjectLine key={project.slug} project={project} orgSlug={scope.organizationSlug} />
            ))}
            {rest > 0 ? (
              <li className="text-text-2">{formatCounted(rest, 'more project')}</li>
            ) : null}
          </ul>
        ) : null}
        <p className="text-meta text-text-3">
          {projects > 1 ? 'Each project’s days count separately. ' : ''}
          <DocLink to="plan-costs#healthy-days-and-chains-avoided">How this is counted</DocLink>
        </p>
      </div>
    </Card>
  );
}

function ProjectLine({ project, orgSlug }: { project: ProjectHealth; orgSlug: string }) {
  const { slug, name, figures } = project;
  const avoided =
    figures.avoided === null
      ? 'avoided chains unknown'
      : `${formatCount(figures.avoided)} ${figures.avoided === 1 ? 'chain' : 'chains'} avoided`;
  return (
    <li className="flex flex-wrap justify-between gap-x-4 tabular-nums">
      <Link
        href={`/${orgSlug}/projects/${slug}/spend`}
        className="link min-w-0 [overflow-wrap:anywhere]"
      >
        {name}
      </Link>
      <span className="text-text-2">
        {avoided}, {formatCounted(figures.days?.count ?? 0, 'healthy day')}
      </span>
    </li>
  );
}
