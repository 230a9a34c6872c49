'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Spinner } from '@/app/_components/ui/spinner';
import { changeName } from '../actions';

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
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Button
        type="submit"
        className={problem ? 'mb-6' : undefined}
        aria-disabled={isPending || name === saved || undefined}
      >
        {isPending ? <Spinner /> : null} Save name
      </Button>
    </form>
  );
}
