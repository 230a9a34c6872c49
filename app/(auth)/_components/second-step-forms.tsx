'use client';

import { KeyRound } from 'lucide-react';
import { useActionState, useState, useTransition } from 'react';
import { formStateOf } from '@/app/_actions/form-errors';
import { askPasskey } from '@/app/_components/proof/ask-passkey';
import { CodeInput } from '@/app/_components/proof/code-input';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { FormProblem } from '@/app/_components/ui/field';
import { PendingButton } from '@/app/_components/ui/spinner';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import {
  finishPasskey,
  finishSignIn,
  startPasskeySignIn,
  startPasskeyStep,
} from '../sign-in/second-step/actions';

interface PasskeyButtonProps {
  /** Where to go afterwards. */
  next: string;
  /** Without a password before: the passkey says who it is. */
  isAlone?: boolean;
  label: string;
}

export function PasskeyButton({ next, isAlone, label }: PasskeyButtonProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();

  function signIn() {
    if (isPending) return;
    setProblem(null);
    startTransition(async () => {
      const options = isAlone ? await startPasskeySignIn({}) : await startPasskeyStep({});
      if (!options.ok) return setProblem(options.error.message);
      const given = await askPasskey(options.data);
      if (!given.ok) return setProblem(given.message);
      const answer = await finishPasskey({ answer: { ...given.answer }, next });
      if (!answer.ok) setProblem(answer.error.message);
    });
  }

  return (
    <div className="flex flex-col gap-2">
      <PendingButton className="w-full" isPending={isPending} onClick={signIn} icon={KeyRound}>
        {label}
      </PendingButton>
      <FormProblem text={problem} />
    </div>
  );
}

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
