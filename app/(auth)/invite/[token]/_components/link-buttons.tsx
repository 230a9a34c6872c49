'use client';

import { useActionState } from 'react';
import { formStateOf } from '@/app/_actions/form-errors';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import { join, switchAccount } from '../actions';

interface LinkButtonProps {
  token: string;
  label: string;
}

export function JoinButton({ token, label }: LinkButtonProps) {
  const [result, submit] = useActionState(join, null);
  return (
    <form action={submit} className="flex flex-col gap-4">
      <ErrorSummary errors={formStateOf(result).summary} />
      <input type="hidden" name="token" value={token} />
      <SubmitButton pendingLabel="Joining" className="self-start">
        {label}
      </SubmitButton>
    </form>
  );
}

export function SwitchAccountButton({ token, label }: LinkButtonProps) {
  const [result, submit] = useActionState(switchAccount, null);
  return (
    <form action={submit} className="flex flex-col gap-4">
      <ErrorSummary errors={formStateOf(result).summary} />
      <input type="hidden" name="token" value={token} />
      <SubmitButton
        pendingLabel="Signing out"
        className="h-auto min-h-control self-start whitespace-normal py-1.5 text-left break-words"
      >
        {label}
      </SubmitButton>
    </form>
  );
}
