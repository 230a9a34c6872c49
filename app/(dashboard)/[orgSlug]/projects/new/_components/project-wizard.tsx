'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { usePreferences } from '@/app/_components/shell/preferences-context';
import { ModifierChip } from '@/app/_components/status/status-badge';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { Field } from '@/app/_components/ui/field';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { PendingButton } from '@/app/_components/ui/spinner';
import { useServerPreview } from '@/app/_components/ui/use-server-preview';
import { SpanInput } from '@/app/(dashboard)/[orgSlug]/projects/_components/number-input';
import { ScheduleFields } from '@/app/(dashboard)/[orgSlug]/projects/_components/schedule-fields';
import { SchedulePreview } from '@/app/(dashboard)/[orgSlug]/projects/_components/schedule-preview';
import { previewSchedule } from '@/app/(dashboard)/[orgSlug]/projects/actions';
import type { AgentInfo } from '@/lib/agents/registry';
import { checkOfTemplate, serviceNameOf, TEMPLATES } from '@/lib/projects/templates';
import type { HarnessName } from '@/lib/protocol/spec';
import { createProject } from '../actions';
import { PoolStep, type WizardRunner } from './pool-step';
import { startSentence } from './start-sentence';
import { Step } from './step';
import { type CheckWords, WatchStep } from './watch-step';
import { fieldErrors, missingFields, summaryOf, useWizardDraft } from './wizard-draft';

interface ProjectWizardProps {
  organizationSlug: string;
  pools: readonly string[];
  runners: readonly WizardRunner[];
  agents: readonly AgentInfo[];
  checkWords: CheckWords;
}

/** Four parts on one page; everything else has a default and is in the settings. */
export function ProjectWizard(props: ProjectWizardProps) {
  const { organizationSlug, pools, runners, agents, checkWords } = props;
  const router = useRouter();
  const { localTimeZone } = usePreferences().preferences;
  const { draft, change, forget } = useWizardDraft(organizationSlug, {
    name: '',
    template: 'web',
    target: '',
    serviceName: '',
    checkEverySeconds: CHECK_EVERY_SECONDS,
    schedule: { kind: 'interval', everySeconds: 43_200, timeZone: localTimeZone },
    pool: runners.find((runner) => runner.isOnline)?.pool ?? pools[0] ?? 'default',
    harness: null,
  });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isPending, startTransition] = useTransition();
  const preview = useServerPreview(previewSchedule, {
    organizationSlug,
    schedule: draft.schedule,
  });

  const check = checkOfTemplate(draft.template, draft.target);
  const serviceName = draft.serviceName || (check ? serviceNameOf(check) : '');
  const poolRunners = runners.filter((runner) => runner.pool === draft.pool && runner.isOnline);
  const harness = draft.harness ?? preselectedAgent(agents, poolRunners);

  function start() {
    if (isPending) return;
    const found = missingFields(draft, check);
    setErrors(found);
    if (!check || Object.keys(found).length > 0) return;
    startTransition(async () => {
      const answer = await createProject({
        organizationSlug,
        name: draft.name,
        harness,
        services: [{ name: serviceName, checks: [check] }],
        monitoring: { everySeconds: draft.checkEverySeconds },
        schedule: draft.schedule,
        runnerPool: draft.pool,
        instructions: TEMPLATES[draft.template].instructions,
      });
      if (!answer.ok) {
        setErrors(fieldErrors(answer.error));
        return;
      }
      forget();
      const { slug, number } = answer.data;
      router.push(`/${organizationSlug}/projects/${slug}/chains/${number}`);
    });
  }

  return (
    <div className="flex max-w-180 flex-col gap-4">
      <ErrorSummary errors={summaryOf(errors)} />
      <div className="rounded-card border border-line bg-surface">
        <WatchStep
          organizationSlug={organizationSlug}
          draft={draft}
          check={check}
          checkWords={checkWords}
          errors={errors}
          onChange={change}
        />
        <Step number={2} title="How often">
          <CheckFields
            everySeconds={draft.checkEverySeconds}
            onChange={(checkEverySeconds) => change({ checkEverySeconds })}
            error={errors['monitoring.everySeconds']}
          />
          <ScheduleFields
            schedule={draft.schedule}
            onChange={(schedule) => change({ schedule })}
            errorAt={(path) => errors[path]}
          />
          <SchedulePreview preview={preview} projectZone={draft.schedule.timeZone} />
        </Step>
        <Step number={3} title="Where it runs">
          <PoolStep
            organizationSlug={organizationSlug}
            pool={draft.pool}
            pools={pools}
            runners={runners}
            agents={agents}
            error={errors.runnerPool}
            onChange={(pool) => change({ pool })}
          />
          <AgentChoice
            value={harness}
            agents={agents}
            runners={poolRunners}
            onChange={(next) => change({ harness: next })}
          />
        </Step>
        <Step number={4} title="Start">
          <p className="max-w-prose">
            {startSentence({
              project: draft.name.trim() || 'The project',
              service: serviceName || 'one service',
              pool: draft.pool || 'default',
              checkEverySeconds: draft.checkEverySeconds,
              scheduleWords: preview?.ok ? preview.words : 'on its schedule',
              hasRunner: poolRunners.length > 0,
            })}{' '}
            <span className="text-text-2">
              Only tier 1 starts, whatever the runner allows. Tiers 2 and 3 stay off until you turn
              them on.
            </span>
          </p>
          <PendingButton
            look="primary"
            isPending={isPending}
            onClick={start}
            className="self-start"
          >
            Start first chain
          </PendingButton>
        </Step>
      </div>
    </div>
  );
}

interface AgentChoiceProps {
  value: HarnessName;
  agents: readonly AgentInfo[];
  /** Of the chosen pool, online. */
  runners: readonly WizardRunner[];
  onChange: (harness: HarnessName) => void;
}

/** The first agent with a model that a runner could start; otherwise one that needs none. */
export function preselectedAgent(
  agents: readonly AgentInfo[],
  runners: readonly WizardRunner[],
): HarnessName {
  const usable = usableAgent(agents, runners) ?? standInOf(agents) ?? agents[0];
  if (!usable) throw new Error('No agent is registered.');
  return usable.name;
}

export function AgentChoice({ value, agents, runners, onChange }: AgentChoiceProps) {
  const isStandIn = agents.find(({ name }) => name === value)?.hasModel === false;
  return (
    <div className="flex flex-col gap-2">
      <span className="font-medium text-ui">Agent</span>
      <div className="flex flex-wrap items-center gap-3">
        <SegmentedChoice
          label="Agent"
          name="harness"
          choices={agents.map(({ name, label }) => ({ value: name, label }))}
          value={value}
          onChange={onChange}
          className="self-center"
        />
        {isStandIn ? <ModifierChip modifier="demo_agent" /> : null}
      </div>
      <p className="max-w-prose text-text-2 text-ui">{explanation(agents, runners)}</p>
    </div>
  );
}

function explanation(agents: readonly AgentInfo[], runners: readonly WizardRunner[]): string {
  const usable = usableAgent(agents, runners);
  if (usable) return `A runner of this pool has ${usable.label} and a key for the model.`;
  const withModel = agents.filter(({ hasModel }) => hasModel).map(({ name }) => name);
  const problem = runners
    .flatMap((runner) => runner.agents)
    .find((agent) => agent.problem && withModel.some((name) => name === agent.name))?.problem;
  const standIn = standInOf(agents)?.label.toLowerCase();
  return `${problem ?? 'No runner in this pool has reported a model API key yet.'}${
    standIn ? ` The ${standIn} makes real checks without one; change it later under General.` : ''
  }`;
}

function usableAgent(agents: readonly AgentInfo[], runners: readonly WizardRunner[]) {
  const isUsable = (name: string) =>
    runners.some((runner) => runner.agents.some((agent) => agent.name === name && agent.isUsable));
  return agents.find(({ name, hasModel }) => hasModel && isUsable(name));
}

function standInOf(agents: readonly AgentInfo[]) {
  return agents.find(({ hasModel }) => !hasModel);
}

/** As NEW_MONITORING has it, which would bring its schema along. */
const CHECK_EVERY_SECONDS = 60;

const CHOICES = [
  { value: 'change', label: 'When a check fails, and by schedule' },
  { value: 'schedule', label: 'By schedule only' },
] as const;

interface CheckFieldsProps {
  /** Null: checks run in chains only. */
  everySeconds: number | null;
  onChange: (everySeconds: number | null) => void;
  error: string | undefined;
}

/** When the agent looks, and how often the checks run without it. */
function CheckFields({ everySeconds, onChange, error }: CheckFieldsProps) {
  return (
    <>
      <SegmentedChoice
        label="The agent looks"
        name="monitoring"
        choices={CHOICES}
        value={everySeconds === null ? 'schedule' : 'change'}
        onChange={(choice) => onChange(choice === 'change' ? CHECK_EVERY_SECONDS : null)}
      />
      {everySeconds === null ? null : (
        <Field
          id="monitoring.everySeconds"
          label="Check every"
          hint="A runner runs the checks. They need no agent, so they cost nothing."
          error={error}
          className="max-w-80"
        >
          <SpanInput value={everySeconds} onChange={onChange} />
        </Field>
      )}
    </>
  );
}
