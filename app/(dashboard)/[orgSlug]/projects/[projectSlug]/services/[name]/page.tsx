import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ChainTable } from '@/app/_components/chains/chain-table';
import { PLOT_RANGE_LINKS } from '@/app/_components/charts/plot-ranges';
import { RangeLinks } from '@/app/_components/charts/range-links';
import { choiceParam, type Params, sinceOf } from '@/app/_components/lists/list-params';
import { PageBody } from '@/app/_components/shell/page-body';
import { PageHeader } from '@/app/_components/shell/page-header';
import { ModifierChip, StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { PLOT_RANGES } from '@/lib/insight/analytics/buckets';
import { browseChains } from '@/lib/insight/chains/list-chains';
import {
  getServicePage,
  type ServicePage as ServiceFacts,
} from '@/lib/insight/dashboard/get-service-page';
import { formatSpan } from '@/lib/platform/format/duration';
import { getProjectInForce } from '@/lib/projects/versions';
import { NeedsRole } from '../../../../_components/needs-role';
import { refusalOf } from '../../../../_components/permission';
import { readerClock, readerZone } from '../../../../_components/reader-zone';
import { loadProject } from '../../_components/load-project';
import { CheckList } from './_components/check-list';
import { DayStrip } from './_components/day-strip';
import { Snooze } from './_components/snooze';

const CHAINS = 10;

interface ServicePageProps {
  params: Promise<{ orgSlug: string; projectSlug: string; name: string }>;
  searchParams: Promise<Params>;
}

export async function generateMetadata({ params }: ServicePageProps): Promise<Metadata> {
  const { orgSlug, projectSlug, name } = await params;
  const { project } = await loadProject(orgSlug, projectSlug);
  return { title: `${decodeURIComponent(name)} · ${project.name}` };
}

export default async function ServicePage({ params, searchParams }: ServicePageProps) {
  const { orgSlug, projectSlug, name: encoded } = await params;
  const name = decodeURIComponent(encoded);
  const { scope, overview, project } = await loadProject(orgSlug, projectSlug);
  const { config } = await getProjectInForce(scope, projectSlug);
  if (!config.services.some((service) => service.name === name)) notFound();
  const range = choiceParam(await searchParams, 'range', PLOT_RANGES) ?? '30d';
  const timeZone = await readerZone();
  const watched = { projectId: project.id, config, name };
  const service = await getServicePage(scope, watched, { range, timeZone });
  const { data: chains } = await browseChains(scope, {
    project: projectSlug,
    service: name,
    limit: CHAINS,
    since: sinceOf(range, overview.now),
  });
  const clock = await readerClock();
  const root = `/${orgSlug}/projects/${projectSlug}`;
  return (
    <PageBody>
      <PageHeader
        title={name}
        marks={
          <>
            <StatusBadge kind="service" state={service.status} />
            {service.snooze ? (
              <ModifierChip modifier="snoozed" detail={`until ${clock(service.snooze.until)}`} />
            ) : null}
          </>
        }
        meta={
          service.lastCheckedAt ? (
            <span>
              checked <Time at={service.lastCheckedAt.toISOString()} />
            </span>
          ) : null
        }
        sentence={sentenceOf(service, clock)}
        actions={
          <>
            <RangeLinks ranges={PLOT_RANGE_LINKS} current={range} />
            <NeedsRole
              refusal={await refusalOf(scope, 'operator')}
              label="Snooze 20 min"
              look="primary"
            >
              <Snooze
                organizationSlug={orgSlug}
                project={projectSlug}
                service={name}
                isSnoozed={service.snooze !== null}
              />
            </NeedsRole>
          </>
        }
      />
      <Card title="History" note={service.historySentence}>
        <DayStrip
          label={`${name}, ${service.history.length} columns`}
          cells={service.history.map((bucket) => ({
            label: bucket.label,
            state: bucket.state,
            cycles: bucket.cycles,
            healthy: bucket.healthy,
            isCurrent: bucket.isCurrent,
            href: `${root}/chains?from=${bucket.from.toISOString()}&to=${bucket.to.toISOString()}`,
          }))}
        />
      </Card>
      <div className="grid grid-cols-[minmax(0,1fr)_20rem] gap-6 max-lg:grid-cols-1 max-md:gap-4">
        <CheckList root={root} checks={service.checks} />
        <CooldownCard cooldowns={service.cooldowns} clock={clock} />
      </div>
      <section aria-labelledby="chains" className="flex flex-col gap-3">
        <h2 id="chains" className="text-section">
          Chains that touched it
        </h2>
        {chains.length > 0 ? (
          <ChainTable chains={chains} orgSlug={orgSlug} showsProject={false} />
        ) : (
          <div className="rounded-card border border-line bg-surface">
            <EmptyState title="No chain had to do with it.">
              A chain stands here when it found {name} unhealthy, or did something to it.
            </EmptyState>
          </div>
        )}
      </section>
    </PageBody>
  );
}

/** State, why, and what keeps it quiet. */
function sentenceOf(service: ServiceFacts, clock: (at: Date) => string): string {
  const { name, status, statusSince, lastError, snooze } = service;
  if (status === 'unknown') return 'Not checked yet.';
  const since = statusSince ? ` since ${clock(statusSince)}` : '';
  const why = lastError && status !== 'healthy' ? ` ${lastError.replace(/\.?$/, '.')}` : '';
  const quiet = snooze
    ? ` Snoozed by ${snooze.by}${snooze.reason ? `: ${snooze.reason}` : ''}; what is found escalates nothing.`
    : '';
  return `${name} is ${status}${since}.${why}${quiet}`;
}

interface CooldownCardProps {
  cooldowns: ServiceFacts['cooldowns'];
  clock: (at: Date) => string;
}

/** How often each action ran within its cooldown, and how often it may still run. */
function CooldownCard({ cooldowns, clock }: CooldownCardProps) {
  return (
    <Card title="Cooldowns" className="self-start">
      {cooldowns.length === 0 ? (
        <p className="text-text-2">No cooldown is set: restarts are not counted.</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {cooldowns.map((rule) => (
            <li
              key={`${rule.action} ${rule.windowSeconds}`}
              className="flex flex-col items-start gap-1"
            >
              <p className="text-ui tabular-nums">
                <span className="font-medium">{Math.max(0, rule.limit - rule.used)} left</span> of{' '}
                {rule.limit} {rule.limit === 1 ? rule.action : PLURALS[rule.action]} in{' '}
                {formatSpan(rule.windowSeconds)}
              </p>
              {rule.used >= rule.limit ? (
                <ModifierChip
                  modifier="cooldown"
                  detail={rule.nextAllowedAt ? `until ${clock(rule.nextAllowedAt)}` : 'always'}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const PLURALS = { restart: 'restarts', redeploy: 'redeployments' };
