'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { toast } from 'sonner';
import type { ActionError } from '@/app/_actions/result';
import { Button } from '@/app/_components/ui/button';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Spinner } from '@/app/_components/ui/spinner';
import { NeedsRole } from '../../../_components/needs-role';
import type { Refusal } from '../../../_components/permission';
import { changeOrganization } from '../actions';

interface OrganizationFieldsProps {
  organizationSlug: string;
  name: string;
  slug: string;
  /** Why the reader may not change them. */
  refusal: Refusal;
}

export function OrganizationFields(props: OrganizationFieldsProps) {
  const { organizationSlug, refusal } = props;
  const router = useRouter();
  const [name, setName] = useState(props.name);
  const [slug, setSlug] = useState(props.slug);
  const [error, setError] = useState<ActionError | null>(null);
  const [isPending, startTransition] = useTransition();
  const fields = error?.fields ?? {};
  const isUnchanged = name === props.name && slug === props.slug;
  const isMoving = slug !== props.slug;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending || isUnchanged) return;
    const form = event.currentTarget;
    startTransition(async () => {
      // Without an answer it has led to the new address.
      const answer = await changeOrganization({ organizationSlug, name, slug });
      setError(answer && !answer.ok ? answer.error : null);
      if (!answer || answer.ok) {
        toast.success('Organization saved.');
        router.refresh();
        return;
      }
      const { name: wrongName, slug: wrongSlug } = answer.error.fields;
      if (!wrongName && !wrongSlug) return;
      form.querySelector<HTMLElement>(wrongName ? '#org-name' : '#org-slug')?.focus();
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex max-w-120 flex-col gap-4">
      <Field id="org-name" label="Name" error={fields.name}>
        {(control) => (
          <Input
            {...control}
            readOnly={refusal !== null}
            autoComplete="organization"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field
        id="org-slug"
        label="Short name"
        hint="Used in URLs. Links with the old name stop working."
        error={fields.slug}
      >
        {(control) => (
          <Input
            {...control}
            readOnly={refusal !== null}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            value={slug}
            onChange={(event) => setSlug(event.target.value)}
          />
        )}
      </Field>
      {isMoving ? (
        <p className="rounded-control bg-wait-bg px-3 py-2 text-ui text-wait-fg">
          Bookmarks and links that begin with /{props.slug} stop working, including links in
          messages already sent. Runners, tokens and webhooks keep working.
        </p>
      ) : null}
      <FormProblem text={error && Object.keys(fields).length === 0 ? error.message : null} />
      <div className="flex justify-start">
        <NeedsRole refusal={refusal} label="Save">
          <Button
            type="submit"
            look="primary"
            aria-disabled={isPending || isUnchanged || undefined}
          >
            {isPending ? <Spinner /> : null} Save
          </Button>
        </NeedsRole>
      </div>
    </form>
  );
}
