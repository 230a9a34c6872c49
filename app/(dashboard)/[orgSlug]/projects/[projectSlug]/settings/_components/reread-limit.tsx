'use client';

import { Field } from '@/app/_components/ui/field';
import { NumberInput } from '../../../_components/number-input';

interface RereadLimitProps {
  /** Tokens; null: no limit. */
  value: number | null;
  error: string | undefined;
  onChange: (value: number | null) => void;
}

/** How many tokens resuming a conversation may read again. */
export function RereadLimit({ value, error, onChange }: RereadLimitProps) {
  return (
    <div className="mt-5">
      <Field
        id="maxRereadTokens"
        label="Re-read limit (tokens)"
        hint="Another model reads the whole conversation again, at its full price. Above this many tokens the next tier starts from the handoff. Leave it empty for no limit."
        error={error}
      >
        {(control) => <NumberInput {...control} value={value} onChange={onChange} />}
      </Field>
    </div>
  );
}
