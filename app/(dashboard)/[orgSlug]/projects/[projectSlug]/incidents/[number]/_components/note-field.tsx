'use client';

import { useId } from 'react';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';

interface NoteFieldProps {
  value: string;
  onChange(note: string): void;
  /** Who reads it, as a sentence. */
  hint?: string;
}

/** An optional note for the timeline of an incident. */
export function NoteField({ value, onChange, hint = 'Shown in the timeline.' }: NoteFieldProps) {
  return (
    <Field id={useId()} label="Note" isOptional hint={hint}>
      {(control) => (
        <Input
          {...control}
          maxLength={300}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
