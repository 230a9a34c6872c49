'use client';

import type { ComponentProps } from 'react';
import { cn } from '@/app/_components/ui/cn';
import { Input, Select, Textarea, TimeZoneInput } from '@/app/_components/ui/input';
import type { AgentInfo } from '@/lib/agents/registry';
import type { Control } from '@/lib/projects/setting';
import { withAgent } from '@/lib/projects/tier-models';
import type { HarnessName } from '@/lib/protocol/spec';
import { NumberInput, SpanInput } from '../../../_components/number-input';
import { type SettingProps, useSetting } from './settings-context';
import type { DraftForm } from './use-draft';

interface InputProps extends SettingProps {
  control: Control;
  value: unknown;
  set: (value: unknown) => void;
}

/** The control of a setting that has its label above it. */
export function SettingInput(props: InputProps) {
  const { path, control, value, set } = props;
  const { isNullable } = useSetting(path);
  const onText = (event: { target: { value: string } }) => set(event.target.value);
  switch (control.kind) {
    case 'number':
      return (
        <NumberInput
          {...(control.prefix && { prefix: control.prefix })}
          placeholder={control.placeholder}
          value={value as number | null}
          onChange={(next) => set(next ?? (isNullable ? null : Number.NaN))}
        />
      );
    case 'span':
      return (
        <SpanInput
          value={(value as number) / control.perSecond}
          onChange={(seconds) => set(seconds * control.perSecond)}
        />
      );
    case 'long-text':
      return <LongText {...props} maxLength={control.maxLength} />;
    case 'time-zone':
      return <TimeZoneInput value={value as string} onChange={onText} />;
    case 'select':
      return (
        <Select value={String(value)} onChange={onText} className="w-fit">
          {control.choices.map((each) => (
            <option key={each.value} value={each.value}>
              {each.label}
            </option>
          ))}
        </Select>
      );
    case 'agent':
      return <AgentSetting {...props} />;
    case 'text':
      return <SuggestedText {...props} control={control} />;
    default:
      throw new Error(`${path} has an editor of its own.`);
  }
}

function LongText({ value, set, maxLength }: InputProps & { maxLength: number }) {
  const text = value as string;
  return (
    <>
      <Textarea
        rows={6}
        maxLength={maxLength}
        value={text}
        onChange={(event) => set(event.target.value)}
      />
      <p className="text-right text-meta text-text-3 tabular-nums">
        {text.length.toLocaleString('en')} of {maxLength.toLocaleString('en')} characters
      </p>
    </>
  );
}

function SuggestedText(props: InputProps & { control: Control & { kind: 'text' } }) {
  const { path, form, facts, control, value, set } = props;
  const { suggests, isCode, placeholder } = control;
  const models = () => facts.agents.find(({ name }) => name === agentBeside(path, form))?.models;
  const options = (suggests === 'models' ? models() : suggests && facts.pools) ?? [];
  return (
    <>
      <Input
        {...(suggests ? { list: `${path}.suggested` } : {})}
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        value={value as string}
        onChange={(event) => set(event.target.value)}
        className={cn(isCode && 'font-mono text-code')}
      />
      {suggests ? (
        <datalist id={`${path}.suggested`}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      ) : null}
    </>
  );
}

/** Returns the path of the row or group that a setting is in. */
export function parentOf(path: string): string {
  return path.split('.').slice(0, -1).join('.');
}

/** The agent that a model belongs to: of the same row, or that of the chains. */
function agentBeside(path: string, { draft, valueAt }: DraftForm): HarnessName {
  const row = valueAt(parentOf(path)) as { harness?: HarnessName };
  return row.harness ?? draft.config.harness;
}

/** An agent brings its own models along. */
function AgentSetting({ path, form, facts, value }: InputProps) {
  function choose({ name, models, tierModels }: AgentInfo) {
    if (path === 'harness') return form.configure((config) => withAgent(config, name, tierModels));
    const row = form.valueAt(parentOf(path)) as { model: string };
    const model = models.includes(row.model) ? row.model : tierModels[0];
    form.set(parentOf(path), { ...row, harness: name, model });
  }
  const { agents } = facts;
  return <AgentSelect agents={agents} value={value as HarnessName} onChoose={choose} />;
}

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
