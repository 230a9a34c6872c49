'use client';

import { useActionState } from 'react';
import { formStateOf } from '@/app/_actions/form-errors';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { Field, NewPasswordField } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import { join, joinWithNewAccount, switchAccount } from '../invite/[token]/actions';

interface NewAccountFormProps {
  token: string;
  email: string;
  /** "Join Acme as operator". */
  label: string;
}

/** The invitation contains the address, so the form shows it read-only. */
export function NewAccountForm({ token, email, label }: NewAccountFormProps) {
  const [result, submit] = useActionState(joinWithNewAccount, null);
  const { fields, summary, values } = formStateOf(result);
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <ErrorSummary errors={summary} />
      <input type="hidden" name="token" value={token} />
      <Field id="email" label="E-mail">
        <Input type="email" autoComplete="username" value={email} readOnly />
      </Field>
      <Field id="name" label="Your name" error={fields.name}>
        <Input name="name" autoComplete="name" defaultValue={values.name} required />
      </Field>
      <NewPasswordField label="Password" error={fields.password} />
      <SubmitButton
        pendingLabel="Creating your account"
        className="h-auto min-h-control w-full whitespace-normal py-1.5"
      >
        {label}
      </SubmitButton>
    </form>
  );
}

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
