'use client';

import { Trash2 } from 'lucide-react';
import { useProof } from '@/app/_components/proof/use-proof';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import type { WhatGoes } from '@/lib/identity/organizations/service';
import { formatCounted } from '@/lib/platform/format/count';
import { deleteOrganization } from '../actions';

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
        onConfirm={async () => {
          const answer = await proof.run(() =>
            deleteOrganization({ organizationSlug, confirmSlug: organizationSlug }),
          );
          return answer && !answer.ok ? answer.error.message : undefined;
        }}
      />
    </>
  );
}
