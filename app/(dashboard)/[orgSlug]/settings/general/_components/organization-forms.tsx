'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { toast } from 'sonner';
import type { ActionError } from '@/app/_actions/result';
import { useProof } from '@/app/_components/proof/use-proof';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Field, FormProblem, Input } from '@/app/_components/ui/field';
import { PendingButton } from '@/app/_components/ui/spinner';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { WhatGoes } from '@/lib/identity/organizations/service';
import { formatCounted } from '@/lib/platform/format/count';
import { changeOrganization, deleteOrganization, requireSecondFactor } from '../actions';

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
        <Input
          readOnly={refusal !== null}
          autoComplete="organization"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field
        id="org-slug"
        label="Short name"
        hint="Used in URLs. Links with the old name stop working."
        error={fields.slug}
      >
        <Input
          readOnly={refusal !== null}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          value={slug}
          onChange={(event) => setSlug(event.target.value)}
        />
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
          <PendingButton
            type="submit"
            look="primary"
            isPending={isPending}
            aria-disabled={isUnchanged || undefined}
          >
            Save
          </PendingButton>
        </NeedsRole>
      </div>
    </form>
  );
}

interface SecondFactorRequirementProps {
  organizationSlug: string;
  isRequired: boolean;
  /** Members who have no second factor. */
  without: number;
}

/** Turns the requirement on or off. */
export function SecondFactorRequirement(props: SecondFactorRequirementProps) {
  const { organizationSlug, isRequired, without } = props;
  const proof = useProof();
  const title = isRequired ? 'Stop requiring a second factor' : 'Require a second factor';

  const change = () =>
    proof.run(() => requireSecondFactor({ organizationSlug, isRequired: !isRequired }));

  return (
    <>
      {proof.dialog}
      <ConfirmDialog
        trigger={<Button>{title}</Button>}
        title={title}
        confirmLabel={title}
        look={isRequired ? 'danger' : 'primary'}
        effects={
          isRequired
            ? ['Members can sign in here with a password or a provider alone.']
            : [
                without === 0
                  ? 'Every member has a second factor.'
                  : `${without === 1 ? '1 member has' : `${without} members have`} no second factor and can’t open anything here until they set one up.`,
                'API tokens and runners keep working: they have their own keys.',
              ]
        }
        done={isRequired ? 'A second factor is optional now.' : 'A second factor is required.'}
        onConfirm={change}
      />
    </>
  );
}

interface DeleteOrganizationProps {
  organizationSlug: string;
  name: string;
  whatGoes: WhatGoes;
}

export function DeleteOrganization({ organizationSlug, name, whatGoes }: DeleteOrganizationProps) {
  const { projects, chains, members, runners, tokens } = whatGoes;
  const proof = useProof();
  return (
    <>
      {proof.dialog}
      <ConfirmDialog
        trigger={
          <Button look="danger">
            <Trash2 aria-hidden /> Delete {name}
          </Button>
        }
        title={`Delete ${name}`}
        confirmLabel={`Delete ${name}`}
        typeToConfirm={organizationSlug}
        effects={[
          `${formatCounted(projects, 'project')} and ${formatCounted(chains, 'chain')} with their sessions, logs and costs are deleted.`,
          `${formatCounted(runners, 'runner')} and ${formatCounted(tokens, 'API token')} stop working.`,
          `${members === 1 ? 'You are its only member.' : `${members} members lose access, including you.`}`,
          'This cannot be undone.',
        ]}
        onConfirm={() =>
          proof.run(() => deleteOrganization({ organizationSlug, confirmSlug: organizationSlug }))
        }
      />
    </>
  );
}
