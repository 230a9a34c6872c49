'use client';

import { useId } from 'react';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { parseSpan } from '@/lib/platform/format/duration';

interface OptionalEndProps {
  value: string;
  onChange: (text: string) => void;
  /** What holds without one: "until someone resumes it". */
  otherwise: string;
}

/** For how long; empty for no end. */
export function OptionalEnd({ value, onChange, otherwise }: OptionalEndProps) {
  const id = useId();
  return (
    <Field id={id} label="For" isOptional hint={`Such as 30m, 4h or 2d. Empty: ${otherwise}.`}>
      <Input value={value} onChange={(event) => onChange(event.target.value)} />
    </Field>
  );
}

/** Minutes of a typed time, null for none, undefined for what is no time. */
export function asMinutes(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const seconds = parseSpan(text);
  return seconds === null || seconds <= 0 ? undefined : Math.ceil(seconds / 60);
}
