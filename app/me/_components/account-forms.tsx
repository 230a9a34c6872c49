'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useActionState, useEffect, useRef, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { formStateOf } from '@/app/_actions/form-errors';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { Field, NewPasswordField } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { PendingButton } from '@/app/_components/ui/spinner';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import { changeName, changePassword } from '../actions';

/** The name by which colleagues see the person, in every organization. */
export function NameForm({ name: saved }: { name: string }) {
  const router = useRouter();
  const [name, setName] = useState(saved);
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending || name === saved) return;
    startTransition(async () => {
      const answer = await changeName({ name });
      if (!answer.ok) return setProblem(answer.error.fields.name ?? answer.error.message);
      setProblem(null);
      toast.success('Name saved.');
      router.refresh();
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex items-end gap-2">
      <Field id="name" label="Name" error={problem} className="min-w-0 flex-1">
        <Input autoComplete="name" value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <PendingButton
        type="submit"
        className={problem ? 'mb-6' : undefined}
        isPending={isPending}
        aria-disabled={name === saved || undefined}
      >
        Save name
      </PendingButton>
    </form>
  );
}

interface PasswordFormProps {
  email: string;
  /** Browsers that the change signs out. */
  others: number;
}

export function PasswordForm({ email, others }: PasswordFormProps) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [result, submit] = useActionState(changePassword, null);
  const { fields, summary } = formStateOf(result);

  useEffect(() => {
    if (!result?.ok) return;
    form.current?.reset();
    toast.success('Password changed. Every other browser was signed out.');
    router.refresh();
  }, [result, router]);

  return (
    <form ref={form} action={submit} noValidate className="flex flex-col gap-4">
      <ErrorSummary errors={summary} />
      {/* Tells password managers whose password it is. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <Field id="currentPassword" label="Current password" error={fields.currentPassword}>
        <Input name="currentPassword" type="password" autoComplete="current-password" required />
      </Field>
      <NewPasswordField id="newPassword" error={fields.newPassword} />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton look="secondary" pendingLabel="Changing">
          Change password
        </SubmitButton>
        <span className="text-text-2 text-ui">{othersSentence(others)}</span>
      </div>
    </form>
  );
}

function othersSentence(others: number): string {
  if (others === 0) return 'No other browser is signed in.';
  return others === 1
    ? 'This signs out your other browser.'
    : `This signs out your ${others} other browsers.`;
}
