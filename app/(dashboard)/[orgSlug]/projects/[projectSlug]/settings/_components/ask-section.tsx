'use client';

import { Plus, Trash2 } from 'lucide-react';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import type { AgentInfo } from '@/lib/agents/registry';
import { MAX_ASK_AGENTS } from '@/lib/projects/limits';
import type { ProjectConfig } from '@/lib/projects/schema';
import { AgentSelect } from './agent-select';
import { SettingsForm } from './settings-form';
import { type SectionProps, useDraft } from './use-draft';

type Agent = ProjectConfig['askAgents'][number];

interface AskSectionProps extends SectionProps {
  agents: readonly AgentInfo[];
}

/** The agents that operators can ask. They all have the tools and rules of tier 1. */
export function AskSection({ organizationSlug, saved, refusal, agents }: AskSectionProps) {
  const form = useDraft(organizationSlug, saved, ['askAgents']);
  const { askAgents, harness, tiers } = form.draft.config;
  const change = (next: readonly Agent[]) => form.configure({ askAgents: [...next] });

  return (
    <SettingsForm form={form} refusal={refusal}>
      <Card title="Agents for conversations">
        <div className="flex flex-col gap-4">
          <p className="max-w-prose text-text-2 text-ui">
            Agents that operators can ask about this project and its chains. Each has the tools and
            rules of tier 1, so it can’t change anything. If none is listed, the project’s default
            agent answers, with the model of tier 1 ({tiers[0].model}).
          </p>
          {askAgents.map((agent, index) => (
            <AgentRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a name may be empty or twice while it is typed
              key={index}
              path={`askAgents.${index}`}
              agent={agent}
              agents={agents}
              errorAt={form.errorAt}
              onChange={(next) => change(askAgents.map((each, at) => (at === index ? next : each)))}
              onRemove={() => change(askAgents.filter((_, at) => at !== index))}
            />
          ))}
          <FormProblem text={form.errorAt('askAgents')} />
          {askAgents.length < MAX_ASK_AGENTS ? (
            <Button
              size="sm"
              onClick={() => change([...askAgents, { name: '', harness, model: tiers[0].model }])}
              className="self-start"
            >
              <Plus aria-hidden /> Add an agent
            </Button>
          ) : null}
        </div>
      </Card>
    </SettingsForm>
  );
}

interface AgentRowProps {
  path: string;
  agent: Agent;
  agents: readonly AgentInfo[];
  errorAt: (path: string) => string | undefined;
  onChange: (agent: Agent) => void;
  onRemove: () => void;
}

function AgentRow({ path, agent, agents, errorAt, onChange, onRemove }: AgentRowProps) {
  const models = agents.find(({ name }) => name === agent.harness)?.models ?? [];
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <Field
        id={`${path}.name`}
        label="Name"
        error={errorAt(`${path}.name`) ?? null}
        className="min-w-40 flex-1"
      >
        {(control) => (
          <Input
            {...control}
            placeholder="Sonnet"
            value={agent.name}
            onChange={(event) => onChange({ ...agent, name: event.target.value })}
          />
        )}
      </Field>
      <Field id={`${path}.harness`} label="Agent" className="min-w-44 flex-1">
        {(control) => (
          <AgentSelect
            {...control}
            agents={agents}
            value={agent.harness}
            onChoose={({ name, models, tierModels }) => {
              const model = models.includes(agent.model) ? agent.model : tierModels[0];
              onChange({ ...agent, harness: name, model });
            }}
          />
        )}
      </Field>
      <Field
        id={`${path}.model`}
        label="Model"
        error={errorAt(`${path}.model`) ?? null}
        className="min-w-40 flex-1"
      >
        {(control) => (
          <>
            <Input
              {...control}
              list={`${path}.models`}
              spellCheck={false}
              autoComplete="off"
              value={agent.model}
              onChange={(event) => onChange({ ...agent, model: event.target.value })}
            />
            <datalist id={`${path}.models`}>
              {models.map((model) => (
                <option key={model} value={model} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Button
        look="quiet"
        size="icon"
        aria-label={`Remove ${agent.name || 'this agent'}`}
        onClick={onRemove}
        className="mt-5.5 max-md:mt-0"
      >
        <Trash2 aria-hidden />
      </Button>
    </div>
  );
}
