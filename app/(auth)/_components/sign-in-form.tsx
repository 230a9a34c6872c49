'use client';

import { useActionState } from 'react';
import { formStateOf } from '@/app/_actions/form-errors';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import { signIn } from '../actions';

/** `next` is where to go afterwards. */
export function SignInForm({ next }: { next: string }) {
  const [result, submit] = useActionState(signIn, null);
  const { fields, summary, values } = formStateOf(result);
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <ErrorSummary errors={summary} />
      <input type="hidden" name="next" value={next} />
      <Field id="email" label="E-mail" error={fields.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={values.email}
            required
          />
        )}
      </Field>
      <Field id="password" label="Password" error={fields.password}>
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
        )}
      </Field>
      <SubmitButton pendingLabel="Signing in" className="w-full">
        Sign in
      </SubmitButton>
    </form>
  );
}
