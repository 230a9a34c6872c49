'use client';

import { ModifierChip } from '@/app/_components/status/status-badge';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import type { AgentInfo } from '@/lib/agents/registry';
import type { HarnessName } from '@/lib/protocol/spec';
import type { WizardRunner } from './pool-step';

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
    .find((told) => told.problem && withModel.some((name) => name === told.name))?.problem;
  const standIn = standInOf(agents)?.label.toLowerCase();
  return `${problem ?? 'No runner of this pool has told of a key for the model yet.'}${
    standIn ? ` The ${standIn} makes real checks without one; change it later under General.` : ''
  }`;
}

function usableAgent(agents: readonly AgentInfo[], runners: readonly WizardRunner[]) {
  const isUsable = (name: string) =>
    runners.some((runner) => runner.agents.some((told) => told.name === name && told.isUsable));
  return agents.find(({ name, hasModel }) => hasModel && isUsable(name));
}

function standInOf(agents: readonly AgentInfo[]) {
  return agents.find(({ hasModel }) => !hasModel);
}
