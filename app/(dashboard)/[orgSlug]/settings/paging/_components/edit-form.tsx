'use client';

import { type FormEvent, type ReactNode, useEffect, useRef, useState, useTransition } from 'react';
import type { ActionError } from '@/app/_actions/result';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { PendingButton } from '@/app/_components/ui/spinner';

/** Something to choose: a channel, a schedule or a project. */
export interface Choice {
  id: string;
  name: string;
}

export interface EditFormProps<Draft extends { name: string }> {
  /** Unique on the page. */
  id: string;
  initial: Draft;
  submitLabel: string;
  /** Null when it is saved. */
  onSubmit: (draft: Draft) => Promise<ActionError | null>;
  children: (
    draft: Draft,
    change: (change: Partial<Draft>) => void,
    fields: Readonly<Record<string, string>>,
  ) => ReactNode;
}

/** A field with a problem, or the first choice of a group with one. */
const PROBLEM = '[aria-invalid="true"], fieldset[aria-describedby] input';

/** A name, the fields between, and the button that saves. */
export function EditForm<Draft extends { name: string }>(props: EditFormProps<Draft>) {
  const { id, initial, submitLabel, onSubmit, children } = props;
  const [draft, setDraft] = useState(initial);
  const [error, setError] = useState<ActionError | null>(null);
  const [isPending, startTransition] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  const fields = error?.fields ?? {};
  const change = (changed: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    setError(null);
  };

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    startTransition(async () => setError(await onSubmit(draft)));
  }

  // The button is below a long form, whose first problem may be out of sight.
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>(PROBLEM)?.focus();
  }, [error]);

  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field id={`${id}-name`} label="Name" error={fields.name ?? null}>
        <Input
          autoComplete="off"
          value={draft.name}
          onChange={(event) => change({ name: event.target.value } as Partial<Draft>)}
        />
      </Field>
      {children(draft, change, fields)}
      <FormProblem
        text={
          error && (error.code !== 'invalid' || Object.keys(fields).length === 0)
            ? error.message
            : null
        }
      />
      <PendingButton type="submit" look="primary" isPending={isPending} className="self-end">
        {submitLabel}
      </PendingButton>
    </form>
  );
}
