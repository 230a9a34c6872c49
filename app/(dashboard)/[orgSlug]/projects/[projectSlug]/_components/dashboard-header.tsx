import { MessageCircleQuestionMark } from 'lucide-react';
import { PageHeader } from '@/app/_components/shell/page-header';
import { Duration } from '@/app/_components/status/duration';
import { ModifierChip } from '@/app/_components/status/status-badge';
import { SummaryBadge } from '@/app/_components/status/summary-mark';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { Link } from '@/app/_components/ui/link';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import { TurnOnTier } from '@/app/(dashboard)/[orgSlug]/_components/turn-on-tier';
import { AGENTS } from '@/lib/agents/registry';
import { tierToTurnOn } from '@/lib/engine/escalation/reasons';
import type { ChainItem } from '@/lib/insight/chains/schema';
import type { Clock } from '@/lib/insight/dashboard/clauses';
import { summarizeProject } from '@/lib/insight/dashboard/health-summary';
import type { Overview, ProjectFacts } from '@/lib/insight/dashboard/schema';
import { needsPeople, usedUpBudget, waitsForPeople } from '@/lib/insight/dashboard/state';
import type { TenantScope } from '@/lib/platform/db/scope';
import { AcknowledgeChain, StopChain } from './chain-acts';
import { isSample } from './load-project';
import { BreakDemo, ProjectMenu } from './project-menu';
import { RunNow } from './run-now';

interface DashboardHeaderProps {
  scope: TenantScope;
  overview: Overview;
  project: ProjectFacts;
  /** Newest first. */
  chains: readonly ChainItem[];
  clock: Clock;
}

/** State, sentence, and the one thing to do: acknowledge, stop, or run. */
export async function DashboardHeader(props: DashboardHeaderProps) {
  const { scope, overview, project, chains, clock } = props;
  const organizationSlug = scope.organizationSlug;
  const refusal = await refusalOf(scope, 'operator');
  const { condition, mark, hold, since, sentence } = summarizeProject(project, overview, clock);
  const live = chains.find((chain) => chain.status !== 'ended') ?? null;
  const waiting = waitsForPeople(project.lastVerdict)
    ? chains.find((chain) => chain.number === project.lastVerdict?.number)
    : undefined;
  const incident = needsPeople(project);
  const look = waiting || incident ? 'secondary' : 'primary';
  return (
    <PageHeader
      title={project.name}
      marks={
        <>
          <SummaryBadge
            mark={mark}
            detail={
              since && mark.kind === 'service' ? (
                <Duration from={since.toISOString()} to={null} />
              ) : undefined
            }
          />
          {hold ? <SummaryBadge mark={hold} /> : null}
          {project.isDryRun || overview.isDryRunForced ? <ModifierChip modifier="dry_run" /> : null}
          {project.maintenance ? (
            <ModifierChip
              modifier="maintenance"
              detail={`until ${clock(project.maintenance.endsAt)}`}
            />
          ) : null}
          {project.tierPauses.map(({ tier }) => (
            <ModifierChip key={tier} modifier="tier_paused" detail={`tier ${tier}`} />
          ))}
          {AGENTS[project.harness].hasModel ? null : <ModifierChip modifier="demo_agent" />}
        </>
      }
      meta={
        <NextChain
          project={project}
          isHeld={condition.isPaused || usedUpBudget(project) !== null}
          clock={clock}
        />
      }
      sentence={
        <>
          {sentence}{' '}
          <TurnOnTier
            scope={scope}
            projectSlug={project.slug}
            tier={
              project.lastVerdict &&
              tierToTurnOn({ ...project.lastVerdict, reason: project.lastVerdict.outcomeReason })
            }
          />
        </>
      }
      actions={
        <>
          {refusal === null && (await isSample(scope, project)) ? (
            <BreakDemo organizationSlug={organizationSlug} />
          ) : null}
          <ButtonLink
            href={`/${organizationSlug}/projects/${project.slug}/ask`}
            icon={MessageCircleQuestionMark}
          >
            Ask
          </ButtonLink>
          <ProjectMenu
            organizationSlug={organizationSlug}
            project={project.slug}
            name={project.name}
            liveChain={live && { id: live.id, number: live.number }}
            isPaused={condition.isPaused}
            refusal={refusal}
          />
          <NeedsRole refusal={refusal} label="Run now">
            {live ? (
              <StopChain
                organizationSlug={organizationSlug}
                look={look}
                chain={{
                  id: live.id,
                  number: live.number,
                  costMicros: Math.round(live.totalCostUsd * 1_000_000),
                }}
              />
            ) : (
              <RunNow organizationSlug={organizationSlug} project={project.slug} look={look} />
            )}
            {waiting && !incident ? (
              <AcknowledgeChain
                organizationSlug={organizationSlug}
                chain={{ id: waiting.id, number: waiting.number }}
              />
            ) : null}
          </NeedsRole>
          {incident ? (
            <Button asChild look="primary">
              <Link
                href={`/${organizationSlug}/projects/${project.slug}/incidents/${incident.number}`}
              >
                Open Incident #{incident.number}
              </Link>
            </Button>
          ) : null}
        </>
      }
    />
  );
}

interface NextChainProps {
  project: ProjectFacts;
  /** Paused, or without budget. */
  isHeld: boolean;
  clock: Clock;
}

function NextChain({ project, isHeld, clock }: NextChainProps) {
  const { maintenance, tierPauses } = project;
  if (isHeld || tierPauses.some(({ tier }) => tier === 1))
    return <span>No chain is scheduled</span>;
  if (maintenance?.effect === 'no_cycles') {
    return <span>Next chain after maintenance, at {clock(maintenance.endsAt)} or later</span>;
  }
  if (project.hasLostSchedule) return <span>The schedule has no next run. Save it again.</span>;
  if (!project.nextRunAt) return <span>Starts only manually</span>;
  return (
    <span>
      Next chain <Time at={project.nextRunAt.toISOString()} /> ({clock(project.nextRunAt)})
    </span>
  );
}
