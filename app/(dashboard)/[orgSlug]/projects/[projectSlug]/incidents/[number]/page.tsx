import { ArrowDown, ArrowUp, Download } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache, type ReactNode } from 'react';
import { FactLine } from '@/app/_components/chains/fact-line';
import { IncidentState, OutageLength } from '@/app/_components/incidents/incident-table';
import { textParam } from '@/app/_components/lists/list-params';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Cost } from '@/app/_components/status/cost';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { Card } from '@/app/_components/ui/card';
import { CopyId } from '@/app/_components/ui/copy-button';
import { Link, TextLink } from '@/app/_components/ui/link';
import { SafeText } from '@/app/_components/ui/safe-text';
import { orNotFound } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { ProjectPageProps } from '@/app/page-props';
import { requireMember } from '@/lib/identity/auth/current-user';
import { type IncidentDetail, incidentSentence, type TimelineEntry } from '@/lib/incidents/view';
import { EVENTS_OF_A_PAGE } from '@/lib/insight/incidents/evidence';
import { getIncidentByNumber, listIncidents } from '@/lib/insight/incidents/list-incidents';
import type { TenantScope } from '@/lib/platform/db/scope';
import { microsOf } from '@/lib/platform/format/cost';
import { formatCounted } from '@/lib/platform/format/count';
import { visibleText } from '@/lib/platform/format/visible-text';
import { IncidentActs, type IncidentActsProps } from './_components/incident-acts';
import { PagingCard } from './_components/paging-card';
import { SignalsCard } from './_components/signals-card';

async function load({ params, searchParams }: ProjectPageProps<'number'>) {
  const { orgSlug, projectSlug, number } = await params;
  return loadIncident(orgSlug, projectSlug, number, textParam(await searchParams, 'until'));
}

export async function generateMetadata(props: ProjectPageProps<'number'>): Promise<Metadata> {
  const { incident } = await load(props);
  return { title: visibleText(`Incident #${incident.number} · ${incident.project.name}`) };
}

export default async function IncidentPage(props: ProjectPageProps<'number'>) {
  const { orgSlug } = await props.params;
  const { scope, incident, root } = await load(props);
  return (
    <PageBody width="wide">
      <PageHeader
        title={`Incident #${incident.number}: ${incident.title}`}
        marks={<IncidentState incident={incident} />}
        meta={
          <>
            <FactLine>
              <span>
                Began <Time at={incident.startedAt} form="day" />
              </span>
              <OutageLength incident={incident} />
              <Cost micros={microsOf(incident.costUsd)} form="final" />
              {incident.reopenings > 0 ? (
                <span>
                  reopened {incident.reopenings === 1 ? 'once' : `${incident.reopenings} times`}
                </span>
              ) : null}
              {incident.silencedBy === null ? null : (
                <span className="break-words">
                  silenced by {incident.silencedBy}
                  {incident.silencedUntil ? (
                    <>
                      , ends <Time at={incident.silencedUntil} />
                    </>
                  ) : (
                    ' until it is resolved'
                  )}
                </span>
              )}
              {incident.mergedInto ? (
                <TextLink href={`${root}/incidents/${incident.mergedInto.number}`}>
                  merged into Incident #{incident.mergedInto.number}
                </TextLink>
              ) : null}
              {incident.mergedFrom.map(({ number: merged }) => (
                <TextLink key={merged} href={`${root}/incidents/${merged}`}>
                  includes Incident #{merged}
                </TextLink>
              ))}
              {incident.earlier ? (
                <TextLink href={`${root}/incidents/${incident.earlier.number}`}>
                  before it: Incident #{incident.earlier.number}
                </TextLink>
              ) : null}
            </FactLine>
            <CopyId id={incident.id} label="incident id" className="max-md:hidden" />
          </>
        }
        sentence={incidentSentence(incident)}
        actions={
          <>
            <ExportPostMortem orgSlug={orgSlug} incident={incident} />
            <IncidentActions scope={scope} incident={incident} />
          </>
        }
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Timeline incident={incident} path={`${root}/incidents/${incident.number}`} />
        <div className="flex min-w-0 flex-col gap-4 max-xl:-order-1">
          {incident.services.length > 0 ? (
            <Card title="Services" note={incident.services.length} isFlush>
              <AffectedServices
                services={incident.services}
                root={root}
                isMerged={incident.mergedInto !== null}
              />
            </Card>
          ) : null}
          <SignalsCard scope={scope} incidentId={incident.id} root={root} />
          <PagingCard scope={scope} incidentId={incident.id} orgSlug={orgSlug} />
        </div>
      </div>
    </PageBody>
  );
}

/**
 * The incident of the address with a page of its timeline; leads to the 404 page when it is not there.
 *
 * @param until number of the last event; the newest one for anything but a number
 */
const loadIncident = cache(
  async (orgSlug: string, projectSlug: string, number: string, until?: string) => {
    const { scope } = await requireMember(orgSlug);
    if (!NUMBER.test(number)) notFound();
    const part = {
      take: EVENTS_OF_A_PAGE,
      until: until !== undefined && NUMBER.test(until) ? Number(until) : null,
    };
    const incident = await orNotFound(
      getIncidentByNumber(scope, projectSlug, Number(number), part),
    );
    return { scope, incident, root: `/${orgSlug}/projects/${projectSlug}` };
  },
);

const NUMBER = /^\d{1,9}$/;

interface AffectedServicesProps {
  services: IncidentDetail['services'];
  root: string;
  /** They are part of another incident since. */
  isMerged: boolean;
}

/** In the order in which they failed. */
function AffectedServices({ services, root, isMerged }: AffectedServicesProps) {
  return (
    <ul className="divide-y divide-line">
      {services.map(({ name, status, failingSince, recoveredAt, removedAt, error }) => (
        <li key={name} className="flex flex-col gap-1 px-4 py-3">
          <span className="flex flex-wrap items-center justify-between gap-2">
            <Link
              href={`${root}/services/${encodeURIComponent(name)}`}
              className="link min-w-0 break-words"
            >
              {name}
            </Link>
            <StatusBadge kind="service" state={status} />
          </span>
          <span className="text-meta text-text-2">
            Failed <Time at={failingSince} form="day" />
            {recoveredAt ? (
              <>
                , healthy <Time at={recoveredAt} form="day" />
              </>
            ) : null}
            {removedAt && !isMerged ? (
              <>
                , not checked since <Time at={removedAt} form="day" />
              </>
            ) : null}
          </span>
          {error && status !== 'healthy' ? (
            <span className="break-words text-meta text-text-2">{error}</span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

interface IncidentActionsProps {
  scope: TenantScope;
  incident: IncidentActsProps['incident'] & Pick<IncidentDetail, 'project'>;
}

/** As many as one can be merged into. */
const OTHERS = 50;

/** What the reader can do with an incident. */
async function IncidentActions({ scope, incident }: IncidentActionsProps) {
  const { id, number, project, state, acknowledgedBy, silencedBy } = incident;
  if (state === 'resolved') return null;
  const refusal = await refusalOf(scope, 'operator');
  const active = { state: 'active', project: project.id, limit: OTHERS } as const;
  const { data } = refusal === null ? await listIncidents(scope, active) : { data: [] };
  const others = data.filter((other) => other.id !== id);
  return (
    <IncidentActs
      organizationSlug={scope.organizationSlug}
      incident={{ id, number, state, acknowledgedBy, silencedBy }}
      refusal={refusal}
      others={others.map((other) => ({
        ...{ id: other.id, number: other.number },
        title: visibleText(other.title),
      }))}
    />
  );
}

interface ExportPostMortemProps {
  orgSlug: string;
  incident: Pick<IncidentDetail, 'id'>;
}

/** Downloads the incident as Markdown. */
function ExportPostMortem({ orgSlug, incident }: ExportPostMortemProps) {
  const query = new URLSearchParams({ organization: orgSlug });
  return (
    <Button asChild>
      <a href={`/api/v1/incidents/${incident.id}/post-mortem?${query}`} download>
        <Download aria-hidden /> Export post-mortem
      </a>
    </Button>
  );
}

interface TimelineProps {
  incident: Pick<IncidentDetail, 'timeline' | 'earlierEvents' | 'earlierUntil' | 'laterUntil'>;
  /** Of the incident's page. */
  path: string;
}

/** What happened, in order, a page of events at a time. Each line leads to its evidence. */
function Timeline({ incident, path }: TimelineProps) {
  const { timeline, earlierEvents, earlierUntil, laterUntil } = incident;
  const isAll = earlierUntil === null && laterUntil === null;
  return (
    <Card
      title="Timeline"
      note={isAll ? timeline.length : laterUntil === null ? 'Newest' : 'Earlier events'}
      isFlush
    >
      {earlierUntil === null ? null : (
        <PageLink href={`${path}?until=${earlierUntil}`}>
          <ArrowUp aria-hidden /> Earlier: {formatCounted(earlierEvents, 'more event')}
        </PageLink>
      )}
      <ol aria-label="Timeline" className="divide-y divide-line">
        {timeline.map((entry) => (
          <li
            key={`${entry.at} ${entry.kind} ${entry.sequence ?? entry.text}`}
            id={entry.sequence === null ? undefined : `event-${entry.sequence}`}
            className="grid scroll-mt-18 gap-x-4 gap-y-0.5 px-4 py-2.5 target:bg-hover md:grid-cols-[7rem_minmax(0,1fr)_auto]"
          >
            <span className="text-text-3 text-ui tabular-nums">
              <Time at={entry.at} form="day" />
            </span>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <SafeText text={entry.text} />
            </span>
            <EvidenceLink entry={entry} />
          </li>
        ))}
      </ol>
      {laterUntil === null ? null : (
        <PageLink href={`${path}?until=${laterUntil}`} otherHref={path}>
          <ArrowDown aria-hidden /> Later
        </PageLink>
      )}
    </Card>
  );
}

interface PageLinkProps {
  href: string;
  /** Of the newest events. */
  otherHref?: string;
  children: ReactNode;
}

/** Leads to the events before or after those shown. */
function PageLink({ href, otherHref, children }: PageLinkProps) {
  return (
    <div className="flex flex-wrap gap-2 border-line px-4 py-2.5 first:border-b last:border-t">
      <ButtonLink size="sm" href={href}>
        {children}
      </ButtonLink>
      {otherHref ? (
        <ButtonLink size="sm" href={otherHref}>
          Newest
        </ButtonLink>
      ) : null}
    </div>
  );
}

/** Nothing for what only this page itself shows. */
function EvidenceLink({ entry: { evidence, kind } }: { entry: TimelineEntry }) {
  const isElsewhere = kind === 'merged' || kind === 'joined';
  if (evidence.kind === 'incident' && !isElsewhere) return null;
  return (
    <Link href={evidence.path} className="link text-ui md:max-w-60 md:truncate md:text-right">
      {evidence.label}
    </Link>
  );
}
