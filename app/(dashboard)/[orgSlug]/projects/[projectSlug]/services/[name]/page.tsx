import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ChainTable } from '@/app/_components/chains/chain-table';
import { PLOT_RANGE_LINKS } from '@/app/_components/charts/plot-ranges';
import { RangeLinks } from '@/app/_components/charts/range-links';
import { IncidentTable } from '@/app/_components/incidents/incident-table';
import { choiceParam, sinceOf } from '@/app/_components/lists/list-params';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Duration } from '@/app/_components/status/duration';
import { ModifierChip, StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { Link } from '@/app/_components/ui/link';
import { readerClock, readerZone } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import type { ProjectPageProps } from '@/app/page-props';
import { PLOT_RANGES } from '@/lib/insight/analytics/buckets';
import { browseChains } from '@/lib/insight/chains/list-chains';
import { conditionOf } from '@/lib/insight/dashboard/condition';
import { getBlockedChecks } from '@/lib/insight/dashboard/get-blocked-checks';
import {
  getServicePage,
  type ServicePage as ServiceFacts,
} from '@/lib/insight/dashboard/get-service-page';
import { serviceSentence, serviceTitle } from '@/lib/insight/dashboard/health-summary';
import { healthWords } from '@/lib/insight/dashboard/service-history';
import { listServiceIncidents } from '@/lib/insight/incidents/list-incidents';
import { formatSpan } from '@/lib/platform/format/duration';
import { visibleText } from '@/lib/platform/format/visible-text';
import { getCurrentProject } from '@/lib/projects/versions';
import { NeedsRole } from '../../../../_components/needs-role';
import { refusalOf } from '../../../../_components/permission';
import { BlockedChecks } from '../../_components/blocked-checks';
import { loadProject } from '../../_components/load-project';
import { DayStrip } from './_components/day-strip';
import { CheckList, CheckProblems, MonitoredChecks } from './_components/monitored-checks';
import { PingCard } from './_components/ping-card';
import { Snooze } from './_components/snooze';
import { UptimeCard } from './_components/uptime-card';

const CHAINS = 10;
const INCIDENTS = 10;
const INCIDENT_DAYS = 90;

export async function generateMetadata({ params }: ProjectPageProps<'name'>): Promise<Metadata> {
  const { orgSlug, projectSlug, name } = await params;
  const { overview, project } = await loadProject(orgSlug, projectSlug);
  const condition = conditionOf(project, overview);
  return { title: visibleText(serviceTitle(decodeURIComponent(name), project, condition)) };
}

export default async function ServicePage({ params, searchParams }: ProjectPageProps<'name'>) {
  const { orgSlug, projectSlug, name: encoded } = await params;
  const name = decodeURIComponent(encoded);
  const { scope, overview, project } = await loadProject(orgSlug, projectSlug);
  const { config } = await getCurrentProject(scope, projectSlug);
  if (!config.services.some((service) => service.name === name)) notFound();
  const asked = choiceParam(await searchParams, 'range', PLOT_RANGES) ?? null;
  const timeZone = await readerZone();
  const watched = { projectId: project.id, config, name };
  const service = await getServicePage(scope, watched, { range: asked, timeZone });
  const { range } = service;
  const { data: chains } = await browseChains(scope, {
    project: projectSlug,
    service: name,
    limit: CHAINS,
    since: sinceOf(range, overview.now),
  });
  const since = new Date(overview.now.getTime() - INCIDENT_DAYS * 86_400_000);
  const incidents = await listServiceIncidents(scope, {
    ...{ project: projectSlug, service: name, since },
    limit: INCIDENTS,
  });
  const blocked = await getBlockedChecks(scope, project.id, name);
  const clock = await readerClock();
  const root = `/${orgSlug}/projects/${projectSlug}`;
  return (
    <PageBody>
      <PageHeader
        title={name}
        marks={
          <>
            <StatusBadge
              kind="service"
              state={service.status}
              detail={
                service.failingSince ? (
                  <Duration from={service.failingSince.toISOString()} to={null} />
                ) : null
              }
            />
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
        sentence={serviceSentence(service, { now: overview.now, clock })}
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
      {blocked ? (
        <BlockedChecks orgSlug={orgSlug} root={root} blocked={blocked} showsService={false} />
      ) : null}
      <UptimeCard past={service.past} root={root} clock={clock} />
      <Card title="History" note={service.past.sentence}>
        <DayStrip
          label={`${name}, ${service.past.history.length} columns`}
          cells={stripOf(service.past, root)}
        />
      </Card>
      <div className="grid grid-cols-[minmax(0,1fr)_20rem] gap-6 max-lg:grid-cols-1 max-md:gap-4">
        {service.monitored ? (
          <MonitoredChecks root={root} checks={service.monitored.checks} clock={clock} />
        ) : (
          <CheckList root={root} checks={service.checks} />
        )}
        <CooldownCard cooldowns={service.cooldowns} clock={clock} />
      </div>
      {service.monitored?.checks.map(({ id, pingCheck }) =>
        pingCheck ? (
          <PingCard
            key={id}
            organizationSlug={orgSlug}
            project={projectSlug}
            pingCheck={pingCheck}
          />
        ) : null,
      )}
      {service.monitored ? <CheckProblems problems={service.monitored.problems} /> : null}
      <section aria-labelledby="incidents" className="flex flex-col gap-3">
        <div className="flex flex-wrap items-baseline justify-between gap-3">
          <h2 id="incidents" className="text-section">
            Incidents
          </h2>
          <Link
            href={`${root}/incidents?service=${encodeURIComponent(name)}`}
            className="link text-ui"
          >
            All incidents of {name}
          </Link>
        </div>
        {incidents.length > 0 ? (
          <IncidentTable incidents={incidents} orgSlug={orgSlug} showsProject={false} />
        ) : (
          <div className="rounded-card border border-line bg-surface">
            <EmptyState title="No incident in the last 90 days.">
              Outages of {name} are listed here, open ones first.
            </EmptyState>
          </div>
        )}
      </section>
      <section aria-labelledby="chains" className="flex flex-col gap-3">
        <h2 id="chains" className="text-section">
          Chains that touched it
        </h2>
        {chains.length > 0 ? (
          <ChainTable chains={chains} orgSlug={orgSlug} showsProject={false} />
        ) : (
          <div className="rounded-card border border-line bg-surface">
            <EmptyState title={`No chain has touched ${name} in this range.`}>
              Chains that find {name} failing or change it are listed here.
            </EmptyState>
          </div>
        )}
      </section>
    </PageBody>
  );
}

function stripOf(past: ServiceFacts['past'], root: string) {
  if (past.source === 'checks') {
    return past.history.map((cell) => ({ ...cell, isRepaired: false, href: '#failed-results' }));
  }
  return past.history.map((bucket) => ({
    label: bucket.label,
    state: bucket.state,
    knownShare: 1,
    words: healthWords(bucket),
    // Every chain that found it failing also repaired it.
    isRepaired: bucket.repaired > 0 && bucket.repaired === bucket.down + bucket.degraded,
    href: `${root}/chains?from=${bucket.from.toISOString()}&to=${bucket.to.toISOString()}`,
  }));
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
