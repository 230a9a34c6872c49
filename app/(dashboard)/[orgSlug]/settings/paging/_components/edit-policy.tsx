'use client';

import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';
import type { PolicyDto } from '@/lib/paging/schema';
import { createPolicy, deletePolicy, updatePolicy } from '../actions';
import { NEW_POLICY, policyDraftOf, policyInputOf } from './draft';
import type { Choice } from './edit-form';
import { PolicyForm } from './policy-form';

interface EditPolicyProps {
  organizationSlug: string;
  /** Left out: a new one. */
  policy?: PolicyDto;
  policies: readonly PolicyDto[];
  channels: readonly Choice[];
  members: readonly Choice[];
  projects: readonly Choice[];
}

/** A button that opens the form of a policy. */
export function EditPolicy(props: EditPolicyProps) {
  const { organizationSlug, policy, policies, channels, members, projects } = props;
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const taken = policies.filter((each) => each.id !== policy?.id);
  const free = projects.filter(
    ({ id }) => !taken.some(({ projectIds }) => projectIds.includes(id)),
  );
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title={policy ? `Edit ${policy.name}` : 'Add paging policy'}
      description="Applies to incidents that are announced from now on. A project uses at most one policy."
      trigger={
        policy ? (
          <Button size="icon-sm" aria-label={`Edit ${policy.name}`}>
            <Pencil aria-hidden />
          </Button>
        ) : (
          <Button look="primary">
            <Plus aria-hidden /> Add policy
          </Button>
        )
      }
    >
      <PolicyForm
        initial={policy ? policyDraftOf(policy) : NEW_POLICY}
        channels={channels.map(({ id, name }) => ({ id, name }))}
        members={members}
        projects={free}
        submitLabel={policy ? 'Save policy' : 'Add policy'}
        onSubmit={async (draft) => {
          const input = { organizationSlug, ...policyInputOf(draft) };
          const answer = policy
            ? await updatePolicy({ ...input, policyId: policy.id })
            : await createPolicy(input);
          if (!answer.ok) return answer.error;
          setOpen(false);
          router.refresh();
          return null;
        }}
      />
    </Dialog>
  );
}

type DeletePolicyProps = Pick<EditPolicyProps, 'organizationSlug'> & { policy: PolicyDto };

/** A button that deletes a policy, once that is confirmed. */
export function DeletePolicy({ organizationSlug, policy }: DeletePolicyProps) {
  const { id: policyId, name } = policy;
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      confirmLabel="Delete policy"
      effects={['Nobody is paged for incidents of its projects that are announced afterwards.']}
      trigger={
        <Button size="icon-sm" aria-label={`Delete ${name}`}>
          <Trash2 aria-hidden />
        </Button>
      }
      onConfirm={() => deletePolicy({ organizationSlug, policyId })}
    />
  );
}
