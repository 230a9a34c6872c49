'use client';

import { Lock } from 'lucide-react';
import { Field } from '@/app/_components/ui/field';
import { useEarlyInput } from '@/app/_components/ui/use-early-input';
import { formatCounted, formatTokens } from '@/lib/platform/format/count';
import { NumberInput } from '../../../_components/number-input';

interface ContextThresholdProps {
  value: number;
  /** Stands above the project's own value. */
  override: number | null;
  contextShares: readonly (number | null)[];
  error: string | undefined;
  onChange: (value: number) => void;
}

export function ContextThreshold(props: ContextThresholdProps) {
  const { value, override, contextShares, error, onChange } = props;
  const slider = useEarlyInput<HTMLInputElement>(undefined);
  const isLocked = override !== null;
  const shown = override ?? value;
  const isNumber = shown > 0 && shown <= 1;
  return (
    <div className="flex flex-col gap-3">
      <Field
        id="contextThreshold"
        label="Resume up to"
        hint="Share of the continuing model’s window. A conversation that uses more isn’t resumed: the next tier starts from the handoff."
        error={error}
      >
        {(control) => (
          <div className="flex flex-wrap items-center gap-4">
            <NumberInput
              {...control}
              disabled={isLocked}
              value={shown}
              onChange={(next) => onChange(next ?? Number.NaN)}
            />
            <input
              ref={slider}
              type="range"
              aria-label="Resume up to, as a slider"
              min={0.05}
              max={1}
              step={0.05}
              disabled={isLocked}
              value={isNumber ? shown : 0.8}
              onChange={(event) => onChange(Number(event.target.value))}
              className="h-6 min-w-48 flex-1 accent-ink disabled:opacity-50"
            />
          </div>
        )}
      </Field>
      {isLocked ? (
        <p className="flex items-center gap-2 text-ui">
          <Lock aria-hidden className="size-4 text-text-3" />
          Set to {override.toFixed(2)} by CLAUDEOPS_RESUME_CONTEXT_THRESHOLD. The project’s own
          value, {value.toFixed(2)}, applies once that variable is unset.
        </p>
      ) : null}
      {isNumber ? (
        <p role="status" className="text-text-2">
          {thresholdSentence(shown, contextShares)}
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
