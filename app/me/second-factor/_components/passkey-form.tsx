'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { makePasskey } from '@/app/_components/proof/ask-passkey';
import { useProof } from '@/app/_components/proof/use-proof';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { addPasskey, startPasskey } from '../actions';

/** Names a passkey and has the browser make it. */
export function PasskeyForm({ onCodes }: { onCodes: (codes: string[] | null) => void }) {
  const router = useRouter();
  const proof = useProof();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();

  async function add(): Promise<string | null> {
    if (name.trim() === '') return 'Enter a name, such as “Work laptop”.';
    const options = await proof.run(() => startPasskey({}));
    if (!options.ok) return options.error.message;
    const given = await makePasskey(options.data);
    if (!given.ok) return given.message;
    const answer = await addPasskey({ answer: { ...given.answer }, name });
    if (!answer.ok) return answer.error.message;
    setName('');
    toast.success('Passkey added.');
    if (answer.data.recoveryCodes) onCodes(answer.data.recoveryCodes);
    router.refresh();
    return null;
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    startTransition(async () => setProblem(await add()));
  }

  return (
    <form noValidate onSubmit={submit} className="flex items-end gap-2">
      <Field
        id="passkey-name"
        label="Name of the new passkey"
        error={problem}
        className="min-w-0 flex-1"
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            placeholder="Work laptop"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" className={problem ? 'mb-6' : undefined} isPending={isPending}>
        Add passkey
      </Button>
      {proof.dialog}
    </form>
  );
}
