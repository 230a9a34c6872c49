'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import type { ProjectChoice } from '@/app/(dashboard)/[orgSlug]/_components/project-select';
import type { NotificationTransports } from '@/lib/deliveries/mail';
import { createChannel } from '../actions';
import { ChannelForm } from './channel-form';
import { createInputOf, NEW_CHANNEL } from './draft';

interface AddChannelProps {
  organizationSlug: string;
  projects: readonly ProjectChoice[];
  transports: NotificationTransports;
}

export function AddChannel({ organizationSlug, projects, transports }: AddChannelProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title="Add notification channel"
      description="Sends one message per chain with a selected outcome."
      trigger={
        <Button look="primary">
          <Plus aria-hidden /> Add channel
        </Button>
      }
    >
      <ChannelForm
        initial={{ ...NEW_CHANNEL, kind: transports.hasMail ? 'email' : 'apprise' }}
        isNew
        projects={projects}
        transports={transports}
        submitLabel="Add channel"
        onSubmit={async (draft) => {
          const answer = await createChannel({ organizationSlug, ...createInputOf(draft) });
          if (!answer.ok) return answer.error;
          setOpen(false);
          router.refresh();
          return null;
        }}
      />
    </Dialog>
  );
}
