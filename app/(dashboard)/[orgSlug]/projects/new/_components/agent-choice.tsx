'use client';

import { ModifierChip } from '@/app/_components/status/status-badge';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import type { HarnessName } from '@/lib/protocol/spec';
import type { WizardRunner } from './pool-step';

interface AgentChoiceProps {
  value: HarnessName;
  /** Of the chosen pool, online. */
  runners: readonly WizardRunner[];
  onChange: (harness: HarnessName) => void;
}

const CHOICES = [
  { value: 'claude', label: 'Claude Code' },
  { value: 'demo', label: 'Demo agent' },
] as const satisfies { value: HarnessName; label: string }[];

/** The demo agent where no runner has a key for a model. */
export function preselectedAgent(runners: readonly WizardRunner[]): HarnessName {
  return runners.some((runner) => runner.claude?.isUsable) ? 'claude' : 'demo';
}

export function AgentChoice({ value, runners, onChange }: AgentChoiceProps) {
  const problem = runners.find((runner) => runner.claude?.problem)?.claude?.problem;
  const hasKey = preselectedAgent(runners) === 'claude';
  return (
    <div className="flex flex-col gap-2">
      <span className="font-medium text-ui">Agent</span>
      <div className="flex flex-wrap items-center gap-3">
        <SegmentedChoice
          label="Agent"
          name="harness"
          choices={CHOICES}
          value={value}
          onChange={onChange}
          className="self-center"
        />
        {value === 'demo' ? <ModifierChip modifier="demo_agent" /> : null}
      </div>
      <p className="max-w-prose text-text-2 text-ui">
        {hasKey
          ? 'A runner of this pool has Claude Code and a key for the model.'
          : `${problem ?? 'No runner of this pool has told of a key for the model yet.'} The demo agent makes real checks without one; change it later under General.`}
      </p>
    </div>
  );
}
