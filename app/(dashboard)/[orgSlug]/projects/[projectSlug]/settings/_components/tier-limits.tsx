'use client';

import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import type { TierPolicy } from '@/lib/projects/schema';
import { NumberInput } from '../../../_components/number-input';
import { SpanInput } from '../../../_components/span-input';

interface TierLimitsProps {
  /** Offered first; others can be typed. */
  models: readonly string[];
  policy: TierPolicy;
  onChange: (changes: Partial<TierPolicy>) => void;
  errorAt: (path: string) => string | undefined;
}

export function TierLimits({ models, policy, onChange, errorAt }: TierLimitsProps) {
  const path = (field: string) => `tiers.${policy.tier - 1}.${field}`;
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-3">
      <Field
        id={path('model')}
        label="Model"
        error={errorAt(path('model'))}
        className="min-w-40 flex-1 basis-40"
      >
        {(control) => (
          <>
            <Input
              {...control}
              list="models"
              spellCheck={false}
              autoComplete="off"
              value={policy.model}
              onChange={(event) => onChange({ model: event.target.value })}
            />
            <datalist id="models">
              {models.map((model) => (
                <option key={model} value={model} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field id={path('maxTurns')} label="Max turns" error={errorAt(path('maxTurns'))}>
        {(control) => (
          <NumberInput
            {...control}
            value={policy.maxTurns}
            onChange={(maxTurns) => onChange({ maxTurns: maxTurns ?? Number.NaN })}
            className="w-20"
          />
        )}
      </Field>
      <Field id={path('timeoutSeconds')} label="Time limit" error={errorAt(path('timeoutSeconds'))}>
        {(control) => (
          <SpanInput
            {...control}
            value={policy.timeoutSeconds}
            onChange={(timeoutSeconds) => onChange({ timeoutSeconds })}
            className="w-24"
          />
        )}
      </Field>
      <Field id={path('stallSeconds')} label="Stall timeout" error={errorAt(path('stallSeconds'))}>
        {(control) => (
          <SpanInput
            {...control}
            value={policy.stallSeconds}
            onChange={(stallSeconds) => onChange({ stallSeconds })}
            className="w-24"
          />
        )}
      </Field>
      <Field id={path('maxBudgetUsd')} label="Max cost" error={errorAt(path('maxBudgetUsd'))}>
        {(control) => (
          <NumberInput
            {...control}
            prefix="$"
            placeholder="none"
            value={policy.maxBudgetUsd}
            onChange={(maxBudgetUsd) => onChange({ maxBudgetUsd })}
            className="w-24"
          />
        )}
      </Field>
      <Field
        id={path('contextWindow')}
        label="Context window"
        error={errorAt(path('contextWindow'))}
      >
        {(control) => (
          <NumberInput
            {...control}
            placeholder="as reported"
            value={policy.contextWindow}
            onChange={(contextWindow) => onChange({ contextWindow })}
            className="w-32"
          />
        )}
      </Field>
    </div>
  );
}
