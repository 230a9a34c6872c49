import { BudgetLines } from '@/app/_components/spend/budget-lines';
import { SpendPage } from '@/app/_components/spend/spend-page';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { Card } from '@/app/_components/ui/card';
import type { ProjectPageProps } from '@/app/page-props';
import { avoidedSentence, getAvoidedFigures } from '@/lib/insight/spend/get-spend';
import { loadProject, projectMetadata } from '../_components/load-project';

export const generateMetadata = projectMetadata('Spend');

export default async function ProjectSpend({ params, searchParams }: ProjectPageProps) {
  const { orgSlug, projectSlug } = await params;
  const { scope, overview, project } = await loadProject(orgSlug, projectSlug);
  const root = `/${orgSlug}/projects/${projectSlug}`;
  return (
    <SpendPage
      scope={scope}
      params={await searchParams}
      path={`${root}/spend`}
      project={projectSlug}
      projects={[project]}
      now={overview.now}
      action={
        <ButtonLink look="primary" href={`${root}/settings/budgets`}>
          Set budget
        </ButtonLink>
      }
      budgets={
        <Card title="Budget">
          <div className="grid grid-cols-2 gap-x-8 gap-y-4 max-md:grid-cols-1">
            <BudgetLines project={project} />
          </div>
        </Card>
      }
      detailsOf={async ({ query, spanWords }) => (
        <p className="text-text-2 text-ui">
          {avoidedSentence(
            await getAvoidedFigures(scope, { projectId: project.id, ...query }),
            spanWords,
          )}
        </p>
      )}
    />
  );
}
