'use client';

import { useActionState } from 'react';
import { formStateOf } from '@/app/_actions/form-errors';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { NewPasswordField } from '@/app/_components/ui/new-password-field';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import { setPassword } from '../../actions';

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
        {(control) => (
          <Input {...control} type="email" autoComplete="username" value={email} readOnly />
        )}
      </Field>
      <NewPasswordField error={fields.password} />
      <SubmitButton pendingLabel="Setting the password" className="w-full">
        Set password
      </SubmitButton>
    </form>
  );
}
