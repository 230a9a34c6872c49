import type { ComponentProps } from 'react';
import { Select } from '@/app/_components/ui/select';
import type { AgentInfo } from '@/lib/agents/registry';
import type { HarnessName } from '@/lib/protocol/spec';

interface AgentSelectProps extends Omit<ComponentProps<typeof Select>, 'value' | 'onChange'> {
  agents: readonly AgentInfo[];
  value: HarnessName;
  onChoose: (agent: AgentInfo) => void;
}

/** One of the agents that this installation knows. */
export function AgentSelect({ agents, value, onChoose, ...control }: AgentSelectProps) {
  return (
    <Select
      {...control}
      value={value}
      onChange={(event) => {
        const chosen = agents.find(({ name }) => name === event.target.value);
        if (chosen) onChoose(chosen);
      }}
    >
      {agents.map(({ name, label, hasModel }) => (
        <option key={name} value={name}>
          {hasModel ? label : `${label}, no model`}
        </option>
      ))}
    </Select>
  );
}
