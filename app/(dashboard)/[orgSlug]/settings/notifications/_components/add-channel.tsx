'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { SecretOnce } from '@/app/_components/deliveries/rotate-secret';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import type { ProjectChoice } from '@/app/(dashboard)/[orgSlug]/_components/project-select';
import type { TargetForm } from '@/lib/deliveries/channels/form';
import { createChannel } from '../actions';
import { ChannelForm } from './channel-form';
import { createInputOf, newDraft } from './draft';

interface AddChannelProps {
  organizationSlug: string;
  projects: readonly ProjectChoice[];
  forms: readonly TargetForm[];
}

export function AddChannel({ organizationSlug, projects, forms }: AddChannelProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const first = forms.find(({ isAvailable }) => isAvailable)?.kind ?? '';

  function changeOpen(next: boolean) {
    setOpen(next);
    if (!next) setSecret(null);
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={changeOpen}
      title={secret === null ? 'Add notification channel' : 'Channel added'}
      description={
        secret === null ? 'Sends one message per chain with a selected outcome.' : undefined
      }
      trigger={
        <Button look="primary" icon={Plus}>
          Add channel
        </Button>
      }
    >
      {secret === null ? (
        <ChannelForm
          initial={newDraft(first)}
          forms={forms}
          isNew
          projects={projects}
          submitLabel="Add channel"
          onSubmit={async (draft, form) => {
            const answer = await createChannel({ organizationSlug, ...createInputOf(draft, form) });
            if (!answer.ok) return answer.error;
            if (answer.data.secret === null) changeOpen(false);
            else setSecret(answer.data.secret);
            router.refresh();
            return null;
          }}
        />
      ) : (
        <SecretOnce secret={secret} doneLabel="Done" onDone={() => changeOpen(false)} />
      )}
    </Dialog>
  );
}
