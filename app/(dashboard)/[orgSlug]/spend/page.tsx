import type { Metadata } from 'next';
import { BudgetLines } from '@/app/_components/spend/budget-lines';
import { SpendPage } from '@/app/_components/spend/spend-page';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { Card } from '@/app/_components/ui/card';
import { TextLink } from '@/app/_components/ui/link';
import type { PageProps } from '@/app/page-props';
import type { ProjectFacts } from '@/lib/insight/dashboard/schema';
import { loadOverview } from '../_components/page-context';

export const metadata: Metadata = { title: 'Spend' };

export default async function OrganizationSpend({ params, searchParams }: PageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  const projects = overview.projects.toSorted((one, other) => one.name.localeCompare(other.name));
  const worst = nearest(overview.projects);
  return (
    <SpendPage
      scope={scope}
      params={await searchParams}
      path={`/${orgSlug}/spend`}
      project={null}
      projects={projects}
      now={overview.now}
      action={
        worst[0] ? (
          <ButtonLink
            look="primary"
            href={`/${orgSlug}/projects/${worst[0].slug}/settings/budgets`}
          >
            Set budget
          </ButtonLink>
        ) : null
      }
      budgets={
        worst.length === 0 ? null : (
          <Card
            title="Budgets"
            note={
              overview.projects.length > worst.length
                ? `the ${worst.length} nearest to their limit`
                : undefined
            }
          >
            <ul className="grid grid-cols-3 gap-x-8 gap-y-5 max-lg:grid-cols-1">
              {worst.map((project) => (
                <li key={project.slug} className="flex min-w-0 flex-col gap-2">
                  <h3 className="truncate font-medium text-ui">
                    <TextLink href={`/${orgSlug}/projects/${project.slug}/spend`}>
                      {project.name}
                    </TextLink>
                  </h3>
                  <BudgetLines project={project} />
                </li>
              ))}
            </ul>
          </Card>
        )
      }
    />
  );
}

const SHOWN = 3;

/** Those that have used most of a budget. */
function nearest(projects: readonly ProjectFacts[]): ProjectFacts[] {
  const used = (project: ProjectFacts) =>
    Math.max(
      project.dayLimitMicros ? project.dayMicros / project.dayLimitMicros : 0,
      project.monthLimitMicros ? project.monthMicros / project.monthLimitMicros : 0,
    );
  return projects.toSorted((one, other) => used(other) - used(one)).slice(0, SHOWN);
}
