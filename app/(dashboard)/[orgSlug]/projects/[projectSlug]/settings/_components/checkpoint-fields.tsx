'use client';

import { Card } from '@/app/_components/ui/card';
import { Field } from '@/app/_components/ui/field';
import { formatCount } from '@/lib/platform/format/count';
import { formatSpan } from '@/lib/platform/format/duration';
import type { CheckpointSettings } from '@/lib/projects/checkpoint-settings';
import { NumberInput } from '../../../_components/number-input';
import { SpanInput } from '../../../_components/span-input';
import { SwitchRow } from './switch-row';

interface CheckpointFieldsProps {
  checkpoints: CheckpointSettings;
  isLocked: boolean;
  onChange: (checkpoints: CheckpointSettings) => void;
  errorAt: (path: string) => string | undefined;
}

type NumberKey = Exclude<keyof CheckpointSettings, 'enabled' | 'timeIntervalMs'>;

const COUNTS: readonly { key: NumberKey; label: string; hint: string }[] = [
  {
    key: 'promptInterval',
    label: 'Prompts and tool results',
    hint: 'Between two checkpoints.',
  },
  {
    key: 'maxCheckpointsPerSession',
    label: 'Maximum per session',
    hint: 'The oldest are removed first.',
  },
  { key: 'retentionDays', label: 'Days kept', hint: 'Then they are deleted.' },
  {
    key: 'recoveryBudgetChars',
    label: 'Characters recovered',
    hint: 'Maximum read at the start of a session.',
  },
];

/** How a session's knowledge is kept for the time when its context or its process is gone. */
export function CheckpointFields(props: CheckpointFieldsProps) {
  const { checkpoints, isLocked, onChange, errorAt } = props;
  const set = (changes: Partial<CheckpointSettings>) => onChange({ ...checkpoints, ...changes });
  return (
    <Card title="Checkpoints">
      <div className="flex flex-col gap-5">
        <SwitchRow
          id="checkpoints.enabled"
          label="Keep checkpoints"
          hint="Saves what a session knows, so that it survives a full context, a lost process and the end of the chain."
          isOn={checkpoints.enabled}
          isLocked={isLocked}
          onChange={(enabled) => set({ enabled })}
        />
        <div className="grid grid-cols-3 gap-4 max-md:grid-cols-1">
          <Field
            id="checkpoints.timeIntervalMs"
            label="Time"
            hint="Maximum time between checkpoints, even when idle."
            error={errorAt('checkpoints.timeIntervalMs')}
          >
            {(control) => (
              <SpanInput
                {...control}
                value={checkpoints.timeIntervalMs / 1_000}
                onChange={(seconds) => set({ timeIntervalMs: seconds * 1_000 })}
              />
            )}
          </Field>
          {COUNTS.map(({ key, label, hint }) => (
            <Field
              key={key}
              id={`checkpoints.${key}`}
              label={label}
              hint={hint}
              error={errorAt(`checkpoints.${key}`)}
            >
              {(control) => (
                <NumberInput
                  {...control}
                  value={checkpoints[key]}
                  onChange={(value) => set({ [key]: value ?? Number.NaN })}
                />
              )}
            </Field>
          ))}
        </div>
        <p className="max-w-prose text-text-2 text-ui">{checkpointSentence(checkpoints)}</p>
      </div>
    </Card>
  );
}

/** What the settings do, in two sentences; empty while a number is missing. */
export function checkpointSentence(settings: CheckpointSettings): string {
  if (!settings.enabled) {
    return `No checkpoints are written or recovered. Existing ones are kept for ${days(settings)}.`;
  }
  const numbers = Object.values(settings).filter((value) => typeof value === 'number');
  if (numbers.some(Number.isNaN)) return '';
  const { promptInterval, timeIntervalMs, maxCheckpointsPerSession, recoveryBudgetChars } =
    settings;
  return [
    `One after ${formatCount(promptInterval)} prompts and tool results, or after ${formatSpan(timeIntervalMs / 1_000)}; at most ${formatCount(maxCheckpointsPerSession)} per session, kept for ${days(settings)}.`,
    `A retry, the next tier and a chain that starts within 4h get up to ${formatCount(recoveryBudgetChars)} characters of the latest.`,
  ].join(' ');
}

function days({ retentionDays }: CheckpointSettings): string {
  return `${retentionDays}d`;
}
