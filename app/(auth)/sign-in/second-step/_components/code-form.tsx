'use client';

import { useActionState } from 'react';
import { formStateOf } from '@/app/_actions/form-errors';
import { CodeInput } from '@/app/_components/proof/code-input';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import { finishSignIn } from '../actions';

interface CodeFormProps {
  /** Where to go afterwards. */
  next: string;
  hint: string;
}

export function CodeForm({ next, hint }: CodeFormProps) {
  const [result, submit] = useActionState(finishSignIn, null);
  const { fields, summary } = formStateOf(result);
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <ErrorSummary errors={summary} />
      <input type="hidden" name="next" value={next} />
      <CodeInput id="code" hint={hint} error={fields.code} />
      <SubmitButton pendingLabel="Signing in" className="w-full">
        Sign in
      </SubmitButton>
    </form>
  );
}
