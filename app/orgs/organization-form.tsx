'use client';

import { useActionState } from 'react';
import { formStateOf } from '@/app/_actions/form-errors';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import { createOrganization } from './actions';

export function OrganizationForm({ isFirst }: { isFirst: boolean }) {
  const [result, submit] = useActionState(createOrganization, null);
  const { fields, summary, values } = formStateOf(result);
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <ErrorSummary errors={summary} />
      <Field
        id="name"
        label="Name"
        hint="Your team’s name. You become its owner."
        error={fields.name}
      >
        <Input name="name" autoComplete="organization" defaultValue={values.name} required />
      </Field>
      <SubmitButton
        look={isFirst ? 'primary' : 'secondary'}
        pendingLabel="Creating"
        className="self-start"
      >
        Create organization
      </SubmitButton>
    </form>
  );
}
