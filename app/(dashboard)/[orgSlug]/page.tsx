import { ChartColumnStacked, Coins } from 'lucide-react';
import type { Metadata } from 'next';
import { PendingApprovals } from '@/app/_components/pending-approvals';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Cost, Unknown } from '@/app/_components/status/cost';
import { Duration } from '@/app/_components/status/duration';
import { type StateOf, stateLook } from '@/app/_components/status/states';
import { ModifierChip, StatusBadge } from '@/app/_components/status/status-badge';
import { SummaryBadge } from '@/app/_components/status/summary-mark';
import { Time } from '@/app/_components/status/time';
import { toneStyle } from '@/app/_components/status/tone';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { cn } from '@/app/_components/ui/cn';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { PageProps } from '@/app/page-props';
import { isSampleAvailable } from '@/lib/fleet/sample-project';
import { countPending, listPending } from '@/lib/insight/approvals/list-approvals';
import { attentionOf } from '@/lib/insight/dashboard/attention';
import type { Clock } from '@/lib/insight/dashboard/clauses';
import { summarizeOrganization, summarizeProject } from '@/lib/insight/dashboard/health-summary';
import type { Overview, ProjectFacts, ServiceStatus } from '@/lib/insight/dashboard/schema';
import { formatCounted, formatShare } from '@/lib/platform/format/count';
import { visibleText } from '@/lib/platform/format/visible-text';
import { AttentionList } from './_components/attention-list';
import { FrozenWhileUsed } from './_components/frozen-while-used';
import { GetStarted } from './_components/get-started';
import { NeedsRole } from './_components/needs-role';
import { OrganizationMenu } from './_components/organization-menu';
import { loadOverview, readerClock } from './_components/page-context';
import { refusalOf } from './_components/permission';
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
      <ButtonLink look="primary" href={`/${orgSlug}/projects/new`}>
        New project
      </ButtonLink>
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
                <ButtonLink href={`/${orgSlug}/analytics`} icon={ChartColumnStacked}>
                  Analytics
                </ButtonLink>
                <ButtonLink href={`/${orgSlug}/spend`} icon={Coins}>
                  Spend
                </ButtonLink>
                {newProject}
              </>
            )}
          </>
        }
      />
      {needsPeople ? null : <GetStarted scope={scope} />}
      {isEmpty ? (
        <EmptyState
          isCard
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

interface ProjectTableProps {
  orgSlug: string;
  overview: Overview;
  clock: Clock;
}

function ProjectTable({ orgSlug, overview, clock }: ProjectTableProps) {
  const { projects, organization } = overview;
  const columns: Column<ProjectFacts>[] = [
    {
      header: 'Project',
      phone: 'title',
      cell: (project) => (
        <>
          {project.name} {project.isDryRun ? <ModifierChip modifier="dry_run" /> : null}
        </>
      ),
      className: 'max-w-72 break-words',
    },
    {
      header: 'State',
      phone: 'status',
      cell: (project) => <State project={project} overview={overview} clock={clock} />,
    },
    {
      header: 'Services',
      cell: (project) => <ServiceCounts services={project.services} />,
    },
    { header: 'Last chain', cell: (project) => <LastChain project={project} /> },
    {
      header: 'Next chain',
      cell: (project) => <NextChain project={project} organization={organization} />,
    },
    {
      header: '24 h spend',
      align: 'end',
      cell: (project) => <Spend project={project} />,
    },
  ];
  return (
    <DataTable
      label="Projects"
      columns={columns}
      rows={projects}
      rowKey={(project) => project.slug}
      rowHref={(project) => `/${orgSlug}/projects/${project.slug}`}
      footer={<Total projects={projects} />}
    />
  );
}

interface StateProps {
  project: ProjectFacts;
  overview: Overview;
  clock: Clock;
}

/** Returns the worst state first. A pause or a used-up budget is shown next to it and never replaces it. */
function State({ project, overview, clock }: StateProps) {
  const { mark, hold, since } = summarizeProject(project, overview, clock);
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <SummaryBadge
        mark={mark}
        detail={
          since && mark.kind === 'service' ? (
            <Duration from={since.toISOString()} to={null} />
          ) : undefined
        }
      />
      {hold ? <SummaryBadge mark={hold} /> : null}
    </span>
  );
}

function LastChain({ project: { lastChain } }: { project: ProjectFacts }) {
  if (!lastChain) return <Unknown reason="No chain has run yet" />;
  const state = (lastChain.outcome ?? lastChain.status) as StateOf<'chain'>;
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <StatusBadge kind="chain" state={state} className="bg-transparent px-0" />
      <span className="text-text-2 tabular-nums">Chain #{lastChain.number}</span>
      <Time
        at={(lastChain.endedAt ?? lastChain.createdAt).toISOString()}
        isPlain
        className="text-text-3"
      />
    </span>
  );
}

interface NextChainProps {
  project: ProjectFacts;
  organization: Overview['organization'];
}

function NextChain({ project, organization }: NextChainProps) {
  if (project.pause || organization.pause) return <Unknown reason="Nothing starts while paused" />;
  if (project.tierPauses.some(({ tier }) => tier === 1)) {
    return <Unknown reason="Nothing starts while tier 1 is paused" />;
  }
  if (project.maintenance?.effect === 'no_cycles') {
    return <Unknown reason={`Maintenance window “${project.maintenance.name}” is open`} />;
  }
  if (project.hasLostSchedule) return <Unknown reason="The schedule has no next run" />;
  if (!project.nextRunAt) return <Unknown reason="Starts only manually" />;
  return <Time at={project.nextRunAt.toISOString()} isPlain />;
}

function Spend({ project }: { project: ProjectFacts }) {
  const { dayLimitMicros, dayMicros } = project;
  const isNear = dayLimitMicros !== null && dayMicros >= dayLimitMicros * 0.8;
  return (
    <span className="inline-flex items-baseline gap-2">
      {isNear ? (
        <span className="whitespace-nowrap text-meta text-wait-fg">
          {formatShare(dayMicros, dayLimitMicros)} of today’s budget
        </span>
      ) : null}
      <Cost micros={project.last24hMicros} />
    </span>
  );
}

function Total({ projects }: { projects: readonly ProjectFacts[] }) {
  const micros = projects.reduce((sum, project) => sum + project.last24hMicros, 0);
  return (
    <>
      <span>{projects.length === 1 ? '1 project' : `${projects.length} projects`}</span>
      <span>
        Last 24 h <Cost micros={micros} className="text-text" />
      </span>
    </>
  );
}

const ORDER: readonly ServiceStatus[] = ['down', 'degraded', 'healthy', 'unknown'];

/** "1 down, 4 ok": icon, number and word for each state that occurs. */
function ServiceCounts({ services }: { services: ProjectFacts['services'] }) {
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
