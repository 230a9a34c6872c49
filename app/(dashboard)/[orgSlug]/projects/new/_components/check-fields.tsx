'use client';

import { Field } from '@/app/_components/ui/field';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { SpanInput } from '../../_components/span-input';

/** As NEW_MONITORING has it, which would bring its schema along. */
export const CHECK_EVERY_SECONDS = 60;

const CHOICES = [
  { value: 'change', label: 'When a check fails, and by schedule' },
  { value: 'schedule', label: 'By schedule only' },
] as const;

interface CheckFieldsProps {
  /** Null: checks run in chains only. */
  everySeconds: number | null;
  onChange: (everySeconds: number | null) => void;
  error: string | undefined;
}

/** When the agent looks, and how often the checks run without it. */
export function CheckFields({ everySeconds, onChange, error }: CheckFieldsProps) {
  return (
    <>
      <SegmentedChoice
        label="The agent looks"
        name="monitoring"
        choices={CHOICES}
        value={everySeconds === null ? 'schedule' : 'change'}
        onChange={(choice) => onChange(choice === 'change' ? CHECK_EVERY_SECONDS : null)}
      />
      {everySeconds === null ? null : (
        <Field
          id="monitoring.everySeconds"
          label="Check every"
          hint="A runner runs the checks. They need no agent, so they cost nothing."
          error={error}
          className="max-w-80"
        >
          {(control) => <SpanInput {...control} value={everySeconds} onChange={onChange} />}
        </Field>
      )}
    </>
  );
}
