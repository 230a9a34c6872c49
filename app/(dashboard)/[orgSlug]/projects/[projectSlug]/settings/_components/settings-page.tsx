import { Suspense } from 'react';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { SettingsLayout } from '@/app/_components/shell/settings-layout';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { PartBoundary } from '@/app/_components/ui/part-boundary';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { type Refusal, refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { ProjectChoice } from '@/app/(dashboard)/[orgSlug]/_components/project-select';
import { AddEndpoint } from '@/app/(dashboard)/[orgSlug]/webhooks/_components/add-endpoint';
import { EndpointTable } from '@/app/(dashboard)/[orgSlug]/webhooks/_components/endpoint-table';
import { listAgents } from '@/lib/agents/registry';
import { listEndpoints } from '@/lib/deliveries/endpoints/manage-endpoints';
import type { EndpointDto } from '@/lib/deliveries/endpoints/schema';
import { listRunners } from '@/lib/fleet/manage-runners';
import { getFleetAround } from '@/lib/fleet/overview';
import { listChains } from '@/lib/insight/chains/list-chains';
import { shippedPrompt } from '@/lib/insight/preview';
import { getContextShares } from '@/lib/insight/project-settings';
import { formatCost } from '@/lib/platform/format/cost';
import { encodeId } from '@/lib/platform/ids';
import { ownPromptInputs } from '@/lib/projects/prompts';
import { findSection, SECTIONS, type SectionKey } from '@/lib/projects/sections';
import { SHOWN_SETTINGS } from '@/lib/projects/settings';
import { type CurrentProject, getCurrentProject, listVersions } from '@/lib/projects/versions';
import type { HarnessName, Tier } from '@/lib/protocol/spec';
import { listRequests, listSignals } from '@/lib/signals/list-signals';
import { listSignalSources } from '@/lib/signals/manage-sources';
import { loadProject } from '../../_components/load-project';
import { DangerSection } from './danger-section';
import { changesDecisions } from './draft';
import { FileSection } from './file-section';
import { LazySignalsSection } from './lazy-signals-section';
import { ServicesSection } from './services-section';
import { type SettingFacts, SettingsProvider } from './settings-context';
import { SettingsSection } from './settings-section';
import { TiersSection } from './tiers-section';
import type { SectionProps } from './use-draft';
import { VersionsSection } from './versions-section';

interface SettingsPageProps {
  orgSlug: string;
  projectSlug: string;
  section: SectionKey;
  /** The list of sections, which is its own page on phones. */
  isIndex?: boolean;
  tier?: Tier;
  /** The tier is to be switched on: its question is open. */
  isSwitchingOn?: boolean;
  /** The alert source that is shown, `als_…`. */
  source?: string | undefined;
}

export async function SettingsPage({ isIndex, section, ...at }: SettingsPageProps) {
  const { orgSlug, projectSlug } = at;
  const { scope, project } = await loadProject(orgSlug, projectSlug);
  const inForce = await getCurrentProject(scope, projectSlug);
  const root = `/${orgSlug}/projects/${projectSlug}/settings`;
  return (
    <PageBody width={section === 'tiers' ? 'wide' : 'page'}>
      <PageHeader
        title={`Settings of ${project.name}`}
        sentence={`v${inForce.version} is active (saved by ${inForce.author}). Each save creates a new version; running chains keep theirs.`}
      />
      <SettingsLayout
        label={`Settings of ${project.name}`}
        sections={SECTIONS.map(({ key, label }) => ({ href: `${root}/${key}`, label }))}
        currentHref={isIndex ? null : `${root}/${section}`}
        indexHref={root}
      >
        <h2 className="sr-only">{findSection(section)?.label}</h2>
        <PartBoundary title="Couldn’t load this section.">
          <Suspense fallback={<SkeletonRows label="Loading" />}>
            <SettingsProvider settings={SHOWN_SETTINGS}>
              <Section {...at} section={section} inForce={inForce} root={root} />
            </SettingsProvider>
          </Suspense>
        </PartBoundary>
      </SettingsLayout>
    </PageBody>
  );
}

interface SectionSwitchProps extends SettingsPageProps {
  inForce: CurrentProject;
  root: string;
}

async function Section(props: SectionSwitchProps) {
  const { orgSlug, projectSlug, section, inForce, root, tier = 1, isSwitchingOn = false } = props;
  const { scope, project } = await loadProject(orgSlug, projectSlug);
  const { name, slug, version, author, config } = inForce;
  const common: SectionProps = {
    organizationSlug: orgSlug,
    saved: { name, slug, version, author, config },
    refusal: await refusalOf(scope, 'admin'),
  };
  switch (section) {
    case 'general':
    case 'schedule':
    case 'ask':
    case 'thresholds':
    case 'budgets':
      return <SettingsSection {...common} section={section} facts={await factsOf(props)} />;
    case 'services':
      return <ServicesSection {...common} />;
    case 'tiers':
      return (
        <TiersSection
          {...common}
          tier={tier}
          isSwitchingOn={isSwitchingOn}
          href={`${root}/tiers`}
          shippedPrompts={shippedPromptsOf(config.harness)}
          agents={listAgents()}
          cliVersion={await cliVersionOf(props)}
          tierPauses={project.tierPauses.map(({ at, endsAt, ...pause }) => ({
            ...pause,
            at: at.toISOString(),
            endsAt: endsAt?.toISOString() ?? null,
          }))}
          pauseRefusal={await refusalOf(scope, 'operator')}
        />
      );
    case 'alerts': {
      const { data: sources } = await listSignalSources(scope, { limit: 50, project: projectSlug });
      const source = sources.find(({ id }) => id === props.source) ?? sources[0];
      const shown = source && {
        source,
        deliveries: (await listRequests(scope, source.id, { limit: 20 })).data,
        firing: (await listSignals(scope, { limit: 20, source: source.id, status: 'firing' })).data,
      };
      return (
        <LazySignalsSection
          organizationSlug={orgSlug}
          project={projectSlug}
          href={`${root}/alerts`}
          sources={sources}
          shown={shown ?? null}
          refusal={common.refusal}
        />
      );
    }
    case 'webhooks': {
      const { data } = await listEndpoints(scope, { limit: 50, project: projectSlug });
      return (
        <WebhooksSection
          organizationSlug={orgSlug}
          project={{ id: encodeId('prj', inForce.id), name }}
          endpoints={data}
          refusal={common.refusal}
        />
      );
    }
    case 'versions': {
      const versions = await listVersions(scope, projectSlug);
      return (
        <VersionsSection
          organizationSlug={orgSlug}
          project={projectSlug}
          versions={versions.map(({ restores, createdAt, ...item }) => ({
            ...item,
            createdAt: createdAt.toISOString(),
            decidesCommands: changesDecisions(restores),
          }))}
          refusal={common.refusal}
        />
      );
    }
    case 'file':
      return (
        <FileSection organizationSlug={orgSlug} project={projectSlug} refusal={common.refusal} />
      );
    case 'danger': {
      const { data: chains } = await listChains(scope, { project: projectSlug, limit: 1 });
      const live = chains.find((chain) => chain.status !== 'ended');
      return (
        <DangerSection
          organizationSlug={orgSlug}
          project={projectSlug}
          name={name}
          liveChain={live ? { id: live.id, number: live.number } : null}
          isPaused={project.pause !== null}
          counts={{ chains: chains[0]?.number ?? 0, versions: version }}
          pauseRefusal={await refusalOf(scope, 'operator')}
          deleteRefusal={await refusalOf(scope, 'owner')}
        />
      );
    }
  }
}

/** What the controls of a section show apart from the settings' own values. */
async function factsOf({ orgSlug, projectSlug, section, inForce }: SectionSwitchProps) {
  const { scope, overview, project } = await loadProject(orgSlug, projectSlug);
  const { isDryRunForced, thresholdOverride } = overview;
  const agents = listAgents();
  const forced: SettingFacts['forced'] = {
    ...(isDryRunForced && {
      dryRun: {
        value: true,
        why: 'Locked: CLAUDEOPS_DRY_RUN is set, so no project of this installation escalates.',
      },
    }),
    ...(thresholdOverride !== null && {
      contextThreshold: {
        value: thresholdOverride,
        why: `Set to ${thresholdOverride.toFixed(2)} by CLAUDEOPS_RESUME_CONTEXT_THRESHOLD. The project’s own value, ${inForce.config.contextThreshold.toFixed(2)}, applies once that variable is unset.`,
      },
    }),
  };
  const hints = {
    harness: agents.flatMap(({ needs }) => needs || []).join(' '),
    'budgets.dayUsd': `Spent today: ${formatCost(project.dayMicros)}.`,
    'budgets.monthUsd': `Spent this month: ${formatCost(project.monthMicros)}.`,
  };
  return {
    agents,
    forced,
    hints,
    ...(section === 'general' && { pools: (await getFleetAround(scope)).pools }),
    ...(section === 'thresholds' && { contextShares: await getContextShares(scope, inForce.id) }),
  };
}

function shippedPromptsOf(harness: HarnessName) {
  const of = (tier: Tier) => ({
    body: shippedPrompt(tier, harness),
    inputs: ownPromptInputs(tier),
  });
  return { 1: of(1), 2: of(2), 3: of(3) };
}

/** Of the agent's CLI on a runner of the project's pool, since some flags exist from a version on. */
async function cliVersionOf({ orgSlug, projectSlug, inForce }: SectionSwitchProps) {
  const { scope } = await loadProject(orgSlug, projectSlug);
  const { data: runners } = await listRunners(scope, { limit: 100 });
  const { runnerPool, harness } = inForce.config;
  const reported = runners
    .filter((runner) => runner.pool === runnerPool && runner.status !== 'revoked')
    .flatMap((runner) => runner.capabilities?.harnesses ?? []);
  return reported.find((each) => each.name === harness)?.version ?? null;
}

interface WebhooksSectionProps {
  organizationSlug: string;
  project: ProjectChoice;
  /** Its own, and those of every project. */
  endpoints: readonly EndpointDto[];
  refusal: Refusal;
}

function WebhooksSection(props: WebhooksSectionProps) {
  const { organizationSlug, project, endpoints, refusal } = props;
  return (
    <Card
      title="Endpoints of this project"
      note={endpoints.length || undefined}
      actions={
        <NeedsRole refusal={refusal} label="Add endpoint" look="primary">
          <AddEndpoint
            organizationSlug={organizationSlug}
            projects={[project]}
            projectId={project.id}
          />
        </NeedsRole>
      }
      isFlush
    >
      {endpoints.length === 0 ? (
        <EmptyState title="No endpoints yet.">
          An endpoint receives a signed message when a chain ends, needs a human, and for other
          events.
        </EmptyState>
      ) : (
        <EndpointTable
          orgSlug={organizationSlug}
          endpoints={endpoints}
          projectNames={new Map([[project.id, project.name]])}
        />
      )}
    </Card>
  );
}
