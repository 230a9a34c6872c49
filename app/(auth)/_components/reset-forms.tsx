'use client';

import { useActionState } from 'react';
import { formStateOf } from '@/app/_actions/form-errors';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { Field, NewPasswordField } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import { requestReset, setPassword } from '../reset/actions';

export function RequestResetForm() {
  const [result, submit] = useActionState(requestReset, null);
  const { fields, summary, values } = formStateOf(result);
  if (result?.ok) {
    return (
      <p role="status" className="text-text-2">
        If {result.data.email} has an account, a link is on its way. The link works once and expires
        in an hour.
      </p>
    );
  }
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <ErrorSummary errors={summary} />
      <Field id="email" label="E-mail" error={fields.email}>
        <Input
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={values.email}
          required
        />
      </Field>
      <SubmitButton pendingLabel="Sending" className="w-full">
        Send reset link
      </SubmitButton>
    </form>
  );
}

interface NewPasswordFormProps {
  token: string;
  email: string;
}

export function NewPasswordForm({ token, email }: NewPasswordFormProps) {
  const [result, submit] = useActionState(setPassword, null);
  const { fields, summary } = formStateOf(result);
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <ErrorSummary errors={summary} />
      <input type="hidden" name="token" value={token} />
      <Field id="email" label="E-mail">
        <Input type="email" autoComplete="username" value={email} readOnly />
      </Field>
      <NewPasswordField error={fields.password} />
      <SubmitButton pendingLabel="Setting the password" className="w-full">
        Set password
      </SubmitButton>
    </form>
  );
}
