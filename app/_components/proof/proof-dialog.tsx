'use client';

import { KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { ActionError, ActionResult } from '@/app/_actions/result';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { PendingButton, Spinner } from '@/app/_components/ui/spinner';
import { signOut } from '@/app/(auth)/actions';
import type { ConfirmationMethods } from '@/lib/identity/auth/schema';
import {
  confirmWithCode,
  confirmWithPassword,
  finishPasskeyConfirmation,
  getMethods,
  startPasskeyConfirmation,
} from './actions';
import { askPasskey } from './ask-passkey';
import { CodeInput } from './code-input';

/** Asks the person to show again who they are; `onEnd` is called once. */
export function ProofDialog({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const [methods, setMethods] = useState<ConfirmationMethods | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    void getMethods({}).then((answer) => {
      if (answer.ok) setMethods(answer.data);
      else setProblem(answer.error.message);
    });
  }, []);

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onEnd(false);
      }}
      title="Confirm it’s you"
      description="This is a sensitive action. It needs a confirmation from the last 10 minutes."
    >
      <div className="flex flex-col gap-4">
        <FormProblem text={problem} />
        {methods === null && problem === null ? <Spinner /> : null}
        {methods ? <Methods methods={methods} onConfirmed={() => onEnd(true)} /> : null}
      </div>
    </Dialog>
  );
}

interface MethodsProps {
  methods: ConfirmationMethods;
  onConfirmed: () => void;
}

function Methods({ methods, onConfirmed }: MethodsProps) {
  const { hasCode, hasPasskey, hasPassword } = methods;
  const [error, setError] = useState<ActionError | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [value, setValue] = useState('');
  // No transition: those wait for one another, and the act that asked for this runs in one.
  const [isPending, setPending] = useState(false);

  async function confirm(work: () => Promise<void>) {
    if (isPending) return;
    setPending(true);
    await work().finally(() => setPending(false));
  }

  function take(answer: ActionResult<unknown>) {
    if (answer.ok) return onConfirmed();
    setError(answer.error);
    setProblem(Object.keys(answer.error.fields).length > 0 ? null : answer.error.message);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The dialog may belong to another form, whose handler this would reach as well.
    event.stopPropagation();
    void confirm(async () =>
      take(
        hasPassword
          ? await confirmWithPassword({ password: value })
          : await confirmWithCode({ code: value }),
      ),
    );
  }

  function askForPasskey() {
    void confirm(async () => {
      const options = await startPasskeyConfirmation({});
      if (!options.ok) return take(options);
      const given = await askPasskey(options.data);
      if (!given.ok) return setProblem(given.message);
      take(await finishPasskeyConfirmation({ answer: { ...given.answer } }));
    });
  }

  if (!hasCode && !hasPasskey && !hasPassword) return <SignInAgain />;
  return (
    <>
      <FormProblem text={problem} />
      {hasPasskey ? (
        <Button
          look={hasCode ? 'secondary' : 'primary'}
          aria-disabled={isPending || undefined}
          onClick={askForPasskey}
          icon={KeyRound}
        >
          Use a passkey
        </Button>
      ) : null}
      {hasCode || hasPassword ? (
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          {hasPassword ? (
            <Field id="proof-password" label="Password" error={error?.fields.password}>
              <Input
                type="password"
                autoComplete="current-password"
                value={value}
                onChange={(event) => setValue(event.target.value)}
              />
            </Field>
          ) : (
            <CodeInput
              id="proof-code"
              hint="From your authenticator app, or a recovery code."
              error={error?.fields.code}
              value={value}
              onChange={setValue}
            />
          )}
          <PendingButton type="submit" look="primary" isPending={isPending} className="self-end">
            Confirm
          </PendingButton>
        </form>
      ) : null}
    </>
  );
}

/** For people who sign in with a provider and have no second factor. */
function SignInAgain() {
  return (
    <form
      action={signOut}
      onSubmit={(event) => event.stopPropagation()}
      className="flex flex-col gap-4"
    >
      <p className="text-text-2">
        Your account has no password and no second factor. Sign out, sign in again, and repeat this
        within 10 minutes.
      </p>
      <Button type="submit" look="primary" className="self-end">
        Sign out
      </Button>
    </form>
  );
}
