'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { toast } from 'sonner';
import type { ActionError } from '@/app/_actions/result';
import { Button } from '@/app/_components/ui/button';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Spinner } from '@/app/_components/ui/spinner';
import { NeedsRole } from '../../../_components/needs-role';
import type { Refusal } from '../../../_components/permission';
import { changeOrganization } from '../actions';

interface LogRetentionFormProps {
  organizationSlug: string;
  days: number;
  /** Why the reader may not change them. */
  refusal: Refusal;
}

export function LogRetentionForm({ organizationSlug, days, refusal }: LogRetentionFormProps) {
  const router = useRouter();
  const [text, setText] = useState(String(days));
  const [error, setError] = useState<ActionError | null>(null);
  const [isPending, startTransition] = useTransition();
  const wrong = error?.fields.logRetentionDays;
  const logRetentionDays = text.trim() === '' ? Number.NaN : Number(text);
  const isUnchanged = logRetentionDays === days;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending || isUnchanged) return;
    const form = event.currentTarget;
    startTransition(async () => {
      const answer = await changeOrganization({ organizationSlug, logRetentionDays });
      setError(answer && !answer.ok ? answer.error : null);
      if (!answer || answer.ok) {
        toast.success('Retention saved.');
        router.refresh();
      } else {
        form.querySelector<HTMLElement>('#log-retention-days')?.focus();
      }
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex max-w-120 flex-col gap-4">
      <Field
        id="log-retention-days"
        label="Days"
        hint="How long a session’s log is kept after the session ends. Logs are deleted by the week, so up to 7 days later. Reports, costs and decisions are kept. If you shorten it, older logs are deleted within the hour."
        error={wrong}
      >
        {(control) => (
          <Input
            {...control}
            readOnly={refusal !== null}
            autoComplete="off"
            inputMode="numeric"
            className="max-w-24 font-mono"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <FormProblem text={error && !wrong ? error.message : null} />
      <div className="flex justify-start">
        <NeedsRole refusal={refusal} label="Save retention">
          <Button
            type="submit"
            look="primary"
            aria-disabled={isPending || isUnchanged || undefined}
          >
            {isPending ? <Spinner /> : null} Save retention
          </Button>
        </NeedsRole>
      </div>
    </form>
  );
}
