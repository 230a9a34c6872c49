'use client';

import { Lock } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { toast } from 'sonner';
import type { ActionError } from '@/app/_actions/result';
import { Button } from '@/app/_components/ui/button';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Spinner } from '@/app/_components/ui/spinner';
import { splitVersionList } from '@/lib/platform/version-list';
import { NeedsRole } from '../../../_components/needs-role';
import type { Refusal } from '../../../_components/permission';
import { changeOrganization } from '../actions';

interface DeniedVersionsFormProps {
  organizationSlug: string;
  versions: readonly string[];
  /** Denied for every organization by the operator. */
  installationVersions: readonly string[];
  /** Why the reader may not change them. */
  refusal: Refusal;
}

export function DeniedVersionsForm(props: DeniedVersionsFormProps) {
  const { organizationSlug, installationVersions, refusal } = props;
  const router = useRouter();
  const saved = props.versions.join(', ');
  const [text, setText] = useState(saved);
  const [error, setError] = useState<ActionError | null>(null);
  const [isPending, startTransition] = useTransition();
  const wrong = Object.entries(error?.fields ?? {}).find(([path]) =>
    path.startsWith('deniedCliVersions'),
  )?.[1];
  const deniedCliVersions = splitVersionList(text);
  const isUnchanged = deniedCliVersions.join(', ') === saved;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending || isUnchanged) return;
    const form = event.currentTarget;
    startTransition(async () => {
      const answer = await changeOrganization({ organizationSlug, deniedCliVersions });
      setError(answer && !answer.ok ? answer.error : null);
      if (!answer || answer.ok) {
        toast.success('Denied versions saved.');
        router.refresh();
      } else {
        form.querySelector<HTMLElement>('#denied-cli-versions')?.focus();
      }
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex max-w-120 flex-col gap-4">
      <Field
        id="denied-cli-versions"
        label="Versions"
        hint="Separated by commas. 2.1.197 denies that version, <2.1.330 every version before it. A runner with a denied version doesn’t start Claude Code. Running attempts aren’t stopped."
        error={wrong}
      >
        {(control) => (
          <Input
            {...control}
            readOnly={refusal !== null}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {installationVersions.length > 0 ? (
        <p className="flex items-center gap-2 text-ui">
          <Lock aria-hidden className="size-4 shrink-0 text-text-3" />
          <span>
            TIERWATCH_DENIED_CLI_VERSIONS also denies{' '}
            <span className="font-mono">{installationVersions.join(', ')}</span>.
          </span>
        </p>
      ) : null}
      <FormProblem text={error && !wrong ? error.message : null} />
      <div className="flex justify-start">
        <NeedsRole refusal={refusal} label="Update versions">
          <Button
            type="submit"
            look="primary"
            aria-disabled={isPending || isUnchanged || undefined}
          >
            {isPending ? <Spinner /> : null} Update versions
          </Button>
        </NeedsRole>
      </div>
    </form>
  );
}
