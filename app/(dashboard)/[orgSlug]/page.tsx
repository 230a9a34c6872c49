import { ChartColumnStacked, Coins } from 'lucide-react';
import type { Metadata } from 'next';
import { PendingApprovals } from '@/app/_components/pending-approvals';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { Link } from '@/app/_components/ui/link';
import type { PageProps } from '@/app/page-props';
import { isSampleAvailable } from '@/lib/fleet/sample-project';
import { countPending, listPending } from '@/lib/insight/approvals/list-approvals';
import { attentionOf } from '@/lib/insight/dashboard/attention';
import { summarizeOrganization } from '@/lib/insight/dashboard/health-summary';
import { formatCounted } from '@/lib/platform/format/count';
import { visibleText } from '@/lib/platform/format/visible-text';
import { AttentionList } from './_components/attention-list';
import { FrozenWhileUsed } from './_components/frozen-while-used';
import { GetStarted } from './_components/get-started';
import { NeedsRole } from './_components/needs-role';
import { OrganizationMenu } from './_components/organization-menu';
import { loadOverview, readerClock } from './_components/page-context';
import { refusalOf } from './_components/permission';
import { ProjectTable } from './_components/project-table';
import { LoadSample } from './projects/_components/load-sample';

/** The inbox shows the others. */
const MAX_PENDING = 5;

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { overview } = await loadOverview((await params).orgSlug);
  return { title: visibleText(summarizeOrganization(overview, await readerClock()).title) };
}

export default async function HomePage({ params }: PageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  const { organization, projects } = overview;
  const isEmpty = projects.length === 0;
  const items = attentionOf(overview);
  const [pending, pendingCount] = await Promise.all([
    listPending(scope, { limit: MAX_PENDING }),
    countPending(scope),
  ]);
  const needsPeople = items.length > 0 || pendingCount > 0;
  const hasSample = isEmpty && (await isSampleAvailable());
  const refusal = await refusalOf(scope, 'admin');
  const clock = await readerClock();
  const operatorRefusal = await refusalOf(scope, 'operator');
  const newProject = (
    <NeedsRole refusal={refusal} label="New project" look="primary">
      <Button asChild look="primary">
        <Link href={`/${orgSlug}/projects/new`}>New project</Link>
      </Button>
    </NeedsRole>
  );
  return (
    <PageBody>
      <PageHeader
        title={organization.name}
        sentence={
          items.length === 0 && pendingCount > 0
            ? `${formatCounted(pendingCount, 'request')} ${pendingCount === 1 ? 'is' : 'are'} waiting for approval. Nothing else needs attention.`
            : summarizeOrganization(overview, clock).sentence
        }
        actions={
          <>
            <OrganizationMenu
              organizationSlug={orgSlug}
              name={organization.name}
              isPaused={organization.pause !== null}
              refusal={operatorRefusal}
            />
            {isEmpty ? null : (
              <>
                <Button asChild>
                  <Link href={`/${orgSlug}/analytics`}>
                    <ChartColumnStacked aria-hidden /> Analytics
                  </Link>
                </Button>
                <Button asChild>
                  <Link href={`/${orgSlug}/spend`}>
                    <Coins aria-hidden /> Spend
                  </Link>
                </Button>
                {newProject}
              </>
            )}
          </>
        }
      />
      {needsPeople ? null : <GetStarted scope={scope} />}
      {isEmpty ? (
        <Card isFlush>
          <EmptyState
            title="Create your first project."
            actions={
              <>
                {newProject}
                {hasSample && refusal === null ? <LoadSample organizationSlug={orgSlug} /> : null}
              </>
            }
          >
            A project is what Tierwatch watches: services, checks and what each tier may do.
            {hasSample
              ? ' The sample project watches three small services of this installation with the demo agent and no model: you break them and see them repaired.'
              : null}
          </EmptyState>
        </Card>
      ) : (
        <FrozenWhileUsed>
          <div className="flex flex-col gap-6 max-md:gap-4">
            <PendingApprovals
              approvals={pending}
              total={pendingCount}
              orgSlug={orgSlug}
              showsChain
            />
            <AttentionList
              scope={scope}
              orgSlug={orgSlug}
              items={items}
              telling={{ now: overview.now, clock }}
              refusal={operatorRefusal}
            />
            <ProjectTable orgSlug={orgSlug} overview={overview} clock={clock} />
          </div>
        </FrozenWhileUsed>
      )}
      {/* What is broken comes before what could be set up. */}
      {needsPeople ? <GetStarted scope={scope} /> : null}
    </PageBody>
  );
}
