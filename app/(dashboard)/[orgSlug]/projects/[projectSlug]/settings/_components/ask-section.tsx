'use client';

import { Plus, Trash2 } from 'lucide-react';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { MAX_ASK_AGENTS } from '@/lib/projects/limits';
import type { ProjectConfig } from '@/lib/projects/schema';
import { SettingsForm } from './settings-form';
import { type SectionProps, useDraft } from './use-draft';

type Agent = ProjectConfig['askAgents'][number];

const HARNESSES: Record<Agent['harness'], string> = {
  claude: 'Claude Code',
  demo: 'Demo agent, no model',
};
const MODELS = ['haiku', 'sonnet', 'opus'];

/** Whom operators may ask. They all have the tools and rules of tier 1. */
export function AskSection({ organizationSlug, saved, refusal }: SectionProps) {
  const form = useDraft(organizationSlug, saved, ['askAgents']);
  const { askAgents, harness, tiers } = form.draft.config;
  const change = (agents: readonly Agent[]) => form.configure({ askAgents: [...agents] });

  return (
    <SettingsForm form={form} refusal={refusal}>
      <Card title="Agents for conversations">
        <div className="flex flex-col gap-4">
          <p className="max-w-prose text-text-2 text-ui">
            Whom operators may ask about this project and its chains. Each has the tools and rules
            of tier 1, so it reads and checks, and changes nothing. Where none is named here, it is
            the project’s own agent with the model of tier 1, which is {tiers[0].model}.
          </p>
          {askAgents.map((agent, index) => (
            <AgentRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a name may be empty or twice while it is typed
              key={index}
              path={`askAgents.${index}`}
              agent={agent}
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
  errorAt: (path: string) => string | undefined;
  onChange: (agent: Agent) => void;
  onRemove: () => void;
}

function AgentRow({ path, agent, errorAt, onChange, onRemove }: AgentRowProps) {
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
          <Select
            {...control}
            value={agent.harness}
            onChange={(event) =>
              onChange({ ...agent, harness: event.target.value === 'demo' ? 'demo' : 'claude' })
            }
          >
            {Object.entries(HARNESSES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
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
              list="ask-models"
              spellCheck={false}
              autoComplete="off"
              value={agent.model}
              onChange={(event) => onChange({ ...agent, model: event.target.value })}
            />
            <datalist id="ask-models">
              {MODELS.map((model) => (
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
