'use client';

import { useActionState } from 'react';
import { formStateOf } from '@/app/_actions/form-errors';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import { signIn, signUp } from '../actions';

/** `next` is where to go afterwards. */
export function SignInForm({ next }: { next: string }) {
  const [result, submit] = useActionState(signIn, null);
  const { fields, summary, values } = formStateOf(result);
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <ErrorSummary errors={summary} />
      <input type="hidden" name="next" value={next} />
      <Field id="email" label="E-mail" error={fields.email}>
        <Input
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={values.email}
          required
        />
      </Field>
      <Field id="password" label="Password" error={fields.password}>
        <Input name="password" type="password" autoComplete="current-password" required />
      </Field>
      <SubmitButton pendingLabel="Signing in" className="w-full">
        Sign in
      </SubmitButton>
    </form>
  );
}

const FIELDS = [
  { id: 'name', label: 'Your name', type: 'text', autoComplete: 'name', hint: undefined },
  { id: 'email', label: 'E-mail', type: 'email', autoComplete: 'username', hint: undefined },
  {
    id: 'password',
    label: 'Password',
    type: 'password',
    autoComplete: 'new-password',
    hint: 'At least 10 characters.',
  },
  {
    id: 'organizationName',
    label: 'Organization',
    type: 'text',
    autoComplete: 'organization',
    hint: 'Your team’s name. You become its owner.',
  },
] as const;

/** `next` is where to go afterwards; empty: the new organization. */
export function SignUpForm({ next }: { next: string }) {
  const [result, submit] = useActionState(signUp, null);
  const { fields, summary, values } = formStateOf(result);
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <ErrorSummary errors={summary} />
      <input type="hidden" name="next" value={next} />
      {FIELDS.map(({ id, label, type, autoComplete, hint }) => (
        <Field key={id} id={id} label={label} hint={hint} error={fields[id]}>
          <Input
            name={id}
            type={type}
            autoComplete={autoComplete}
            defaultValue={values[id]}
            required
          />
        </Field>
      ))}
      <SubmitButton pendingLabel="Creating your account" className="w-full">
        Create account
      </SubmitButton>
    </form>
  );
}
