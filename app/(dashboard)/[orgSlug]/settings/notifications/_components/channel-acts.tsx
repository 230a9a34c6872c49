'use client';

import { BellOff, BellRing, Ellipsis, KeyRound, Pencil, Send, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { RotateSecret } from '@/app/_components/deliveries/rotate-secret';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';
import { Menu, MenuItem, MenuSeparator } from '@/app/_components/ui/menu';
import { PendingButton } from '@/app/_components/ui/spinner';
import { useAct } from '@/app/_components/ui/use-act';
import type { ProjectChoice } from '@/app/(dashboard)/[orgSlug]/_components/project-select';
import type { TargetForm } from '@/lib/deliveries/channels/form';
import type { ChannelDto } from '@/lib/deliveries/channels/schema';
import { deleteChannel, rotateChannelSecret, testChannel, updateChannel } from '../actions';
import { ChannelForm } from './channel-form';
import { draftOf, updateInputOf } from './draft';

interface ChannelActsProps {
  organizationSlug: string;
  channel: ChannelDto;
  form: TargetForm;
  projects: readonly ProjectChoice[];
  /** Names of the paging policies that notify it. */
  notifiedBy: readonly string[];
}

export function ChannelActs(props: ChannelActsProps) {
  const { organizationSlug, channel, form, projects, notifiedBy } = props;
  const router = useRouter();
  const [asking, setAsking] = useState<'edit' | 'rotate' | 'mute' | 'delete' | null>(null);
  const { act, isPending } = useAct();
  const { id: channelId, name } = channel;
  const isOff = channel.disabledAt !== null;
  const asksBeforeMuting = !isOff && notifiedBy.length > 0;
  const muteLabel = isOff ? 'Switch on' : asksBeforeMuting ? 'Mute…' : 'Mute';

  return (
    <div className="flex items-center justify-end gap-2">
      <PendingButton
        size="sm"
        disabled={isOff}
        title={isOff ? 'Switch the channel on first.' : undefined}
        isPending={isPending}
        aria-label={`Send test to ${name}`}
        onClick={() => act(() => testChannel({ organizationSlug, channelId }))}
        icon={Send}
      >
        Send test
      </PendingButton>
      <Menu
        trigger={
          <Button size="icon-sm" aria-label={`More for ${name}`}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => setAsking('edit')} icon={Pencil}>
          Edit…
        </MenuItem>
        {form.isSigned ? (
          <MenuItem onSelect={() => setAsking('rotate')} icon={KeyRound}>
            Rotate secret…
          </MenuItem>
        ) : null}
        <MenuItem
          onSelect={() => {
            if (asksBeforeMuting) setAsking('mute');
            else act(() => updateChannel({ organizationSlug, channelId, isMuted: !isOff }));
          }}
        >
          {isOff ? <BellRing aria-hidden /> : <BellOff aria-hidden />} {muteLabel}
        </MenuItem>
        <MenuSeparator />
        <MenuItem look="danger" onSelect={() => setAsking('delete')} icon={Trash2}>
          Delete…
        </MenuItem>
      </Menu>
      <Dialog
        open={asking === 'edit'}
        onOpenChange={(isOpen) => setAsking(isOpen ? 'edit' : null)}
        title={`Edit ${name}`}
        description="Messages waiting for a retry go to the new target."
      >
        <ChannelForm
          initial={draftOf(channel, form)}
          forms={[form]}
          isNew={false}
          projects={projects}
          submitLabel="Save channel"
          onSubmit={async (draft) => {
            const answer = await updateChannel({
              organizationSlug,
              channelId,
              ...updateInputOf(draft, form),
            });
            if (!answer.ok) return answer.error;
            setAsking(null);
            router.refresh();
            return null;
          }}
        />
      </Dialog>
      <RotateSecret
        open={asking === 'rotate'}
        onOpenChange={(isOpen) => setAsking(isOpen ? 'rotate' : null)}
        rotate={() => rotateChannelSecret({ organizationSlug, channelId })}
      />
      <ConfirmDialog
        open={asking === 'mute'}
        onOpenChange={(isOpen) => setAsking(isOpen ? 'mute' : null)}
        title={`Mute ${name}`}
        confirmLabel="Mute channel"
        effects={[
          `Paging doesn’t notify it while it is muted. It is named in ${notifiedBy.join(', ')}.`,
          'A step whose channels are all off reaches nobody, and the next one is sent at once.',
        ]}
        onConfirm={() => updateChannel({ organizationSlug, channelId, isMuted: true })}
      />
      <ConfirmDialog
        open={asking === 'delete'}
        onOpenChange={(isOpen) => setAsking(isOpen ? 'delete' : null)}
        title={`Delete ${name}`}
        confirmLabel="Delete channel"
        effects={[
          'It gets no more messages, and pending retries are canceled.',
          'Its addresses and URLs are deleted, too, and can’t be recovered.',
        ]}
        onConfirm={() => deleteChannel({ organizationSlug, channelId })}
      />
    </div>
  );
}
