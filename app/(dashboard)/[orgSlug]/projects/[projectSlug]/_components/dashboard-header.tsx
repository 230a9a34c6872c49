import { MessageCircleQuestionMark } from 'lucide-react';
import { PageHeader } from '@/app/_components/shell/page-header';
import { ModifierChip, StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { Link } from '@/app/_components/ui/link';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import { TurnOnTier } from '@/app/(dashboard)/[orgSlug]/_components/turn-on-tier';
import { AGENTS } from '@/lib/agents/registry';
import { tierToTurnOn } from '@/lib/engine/escalation/tier-to-turn-on';
import type { ChainItem } from '@/lib/insight/chains/schema';
import type { Overview, ProjectFacts, ServiceFacts } from '@/lib/insight/dashboard/schema';
import { projectSentence } from '@/lib/insight/dashboard/sentences';
import { projectState, waitsForPeople } from '@/lib/insight/dashboard/state';
import type { TenantScope } from '@/lib/platform/db/scope';
import { AcknowledgeChain } from './acknowledge-chain';
import { BreakDemo } from './break-demo';
import { isSample } from './is-sample';
import { ProjectMenu } from './project-menu';
import { RunNow } from './run-now';
import { StopChain } from './stop-chain';

interface DashboardHeaderProps {
  scope: TenantScope;
  overview: Overview;
  project: ProjectFacts;
  services: readonly ServiceFacts[];
  /** Newest first. */
  chains: readonly ChainItem[];
  clock: (at: Date) => string;
}

/** State, sentence, and the one thing to do: acknowledge, stop, or run. */
export async function DashboardHeader(props: DashboardHeaderProps) {
  const { scope, overview, project, services, chains, clock } = props;
  const organizationSlug = scope.organizationSlug;
  const refusal = await refusalOf(scope, 'operator');
  const state = projectState(project, overview.organization);
  const live = chains.find((chain) => chain.status !== 'ended') ?? null;
  const waiting = waitsForPeople(project.lastVerdict)
    ? chains.find((chain) => chain.number === project.lastVerdict?.number)
    : undefined;
  return (
    <PageHeader
      title={project.name}
      marks={
        <>
          <StatusBadge kind="project" state={state} />
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
        <NextRun project={project} isHeld={state !== 'active' && state !== 'setup'} clock={clock} />
      }
      sentence={
        <>
          {projectSentence(project, services, overview, clock)}{' '}
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
          <Button asChild>
            <Link href={`/${organizationSlug}/projects/${project.slug}/ask`}>
              <MessageCircleQuestionMark aria-hidden /> Ask
            </Link>
          </Button>
          <ProjectMenu
            organizationSlug={organizationSlug}
            project={project.slug}
            name={project.name}
            liveChain={live && { id: live.id, number: live.number }}
            isPaused={state === 'paused'}
            refusal={refusal}
          />
          <NeedsRole refusal={refusal} label="Run now">
            {live ? (
              <StopChain
                organizationSlug={organizationSlug}
                look={waiting ? 'secondary' : 'primary'}
                chain={{
                  id: live.id,
                  number: live.number,
                  costMicros: Math.round(live.totalCostUsd * 1_000_000),
                }}
              />
            ) : (
              <RunNow
                organizationSlug={organizationSlug}
                project={project.slug}
                look={waiting ? 'secondary' : 'primary'}
              />
            )}
            {waiting ? (
              <AcknowledgeChain
                organizationSlug={organizationSlug}
                chain={{ id: waiting.id, number: waiting.number }}
              />
            ) : null}
          </NeedsRole>
        </>
      }
    />
  );
}

interface NextRunProps {
  project: ProjectFacts;
  /** Paused, or without budget. */
  isHeld: boolean;
  clock: (at: Date) => string;
}

function NextRun({ project, isHeld, clock }: NextRunProps) {
  const { maintenance, tierPauses } = project;
  if (isHeld || tierPauses.some(({ tier }) => tier === 1))
    return <span>No chain is scheduled</span>;
  if (maintenance?.effect === 'no_cycles') {
    return <span>No run before {clock(maintenance.endsAt)}, when maintenance ends</span>;
  }
  if (!project.nextRunAt) return <span>Starts only manually</span>;
  return (
    <span>
      next run <Time at={project.nextRunAt.toISOString()} /> ({clock(project.nextRunAt)})
    </span>
  );
}
