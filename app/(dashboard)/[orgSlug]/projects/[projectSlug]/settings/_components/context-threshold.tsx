'use client';

import { Lock } from 'lucide-react';
import { Field } from '@/app/_components/ui/field';
import { useEarlyInput } from '@/app/_components/ui/use-early-input';
import { formatCounted, formatTokens } from '@/lib/platform/format/count';
import { NumberInput } from '../../../_components/number-input';
import { type SettingFacts, type SettingProps, useSetting } from './settings-context';

export interface ContextThresholdFacts {
  /** Context use at each escalation of the last 30 days; null where it is not known. */
  contextShares: readonly (number | null)[];
}

interface ContextThresholdProps extends SettingProps {
  facts: SettingFacts & Partial<ContextThresholdFacts>;
}

export function ContextThreshold({ path, form, facts }: ContextThresholdProps) {
  const { label, hint } = useSetting(path);
  const slider = useEarlyInput<HTMLInputElement>(undefined);
  const forced = facts.forced?.[path];
  const shown = (forced?.value ?? form.valueAt(path)) as number;
  const isNumber = shown > 0 && shown <= 1;
  return (
    <div className="flex flex-col gap-3">
      <Field id={path} label={label} hint={hint} error={form.errorAt(path)}>
        {(control) => (
          <div className="flex flex-wrap items-center gap-4">
            <NumberInput
              {...control}
              disabled={forced !== undefined}
              value={shown}
              onChange={(next) => form.set(path, next ?? Number.NaN)}
            />
            <input
              ref={slider}
              type="range"
              aria-label={`${label}, as a slider`}
              min={0.05}
              max={1}
              step={0.05}
              disabled={forced !== undefined}
              value={isNumber ? shown : 0.8}
              onChange={(event) => form.set(path, Number(event.target.value))}
              className="h-6 min-w-48 flex-1 accent-ink disabled:opacity-50"
            />
          </div>
        )}
      </Field>
      {forced ? (
        <p className="flex items-center gap-2 text-ui">
          <Lock aria-hidden className="size-4 text-text-3" />
          {forced.why}
        </p>
      ) : null}
      {isNumber ? (
        <p role="status" className="text-text-2">
          {thresholdSentence(shown, facts.contextShares ?? [])}
        </p>
      ) : null}
    </div>
  );
}

const WINDOW = 200_000;

/**
 * "At 0.80, chains hand off above 160k of 200k tokens. In the last 30 days: 3 of 41 escalations."
 * `shares` are the context uses at those escalations; one that is not known counts as none above.
 */
export function thresholdSentence(threshold: number, shares: readonly (number | null)[]): string {
  const tokens = formatTokens(Math.round(threshold * WINDOW));
  const effect = `At ${threshold.toFixed(2)}, chains hand off above ${tokens} of ${formatTokens(WINDOW)} tokens.`;
  if (shares.length === 0) return `${effect} No chain has escalated in the last 30 days.`;
  const above = shares.filter((share) => share !== null && share > threshold).length;
  const escalations = formatCounted(shares.length, 'escalation');
  return `${effect} In the last 30 days: ${above} of ${escalations}.`;
}
