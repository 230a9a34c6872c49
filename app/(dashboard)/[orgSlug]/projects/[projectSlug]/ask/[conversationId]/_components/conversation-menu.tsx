'use client';

import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Menu, MenuItem, MenuSeparator } from '@/app/_components/ui/menu';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import { formatCounted } from '@/lib/platform/format/count';
import { deleteConversation } from '../../actions';
import { RenameDialog } from './rename-dialog';

interface ConversationMenuProps {
  organizationSlug: string;
  conversation: { id: string; title: string };
  /** In the history, and taken out of it. */
  turns: number;
  removed: number;
  /** "$0.31"; null while no turn has cost anything. */
  cost: string | null;
  isMoving: boolean;
  /** Where the list of conversations is. */
  listHref: string;
  refusals: { rename: Refusal; delete: Refusal };
}

export function ConversationMenu(props: ConversationMenuProps) {
  const { organizationSlug, conversation, turns, removed, cost, isMoving, listHref, refusals } =
    props;
  const { id: conversationId, title } = conversation;
  const router = useRouter();
  const [asking, setAsking] = useState<'rename' | 'delete' | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      <Menu
        trigger={
          <Button size="icon" aria-label="More for this conversation">
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem disabledReason={refusals.rename} onSelect={() => setAsking('rename')}>
          <Pencil aria-hidden /> Rename…
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          look="danger"
          disabledReason={
            refusals.delete ?? (isMoving ? 'A turn waits or runs. Stop it first.' : null)
          }
          onSelect={() => setAsking('delete')}
        >
          <Trash2 aria-hidden /> Delete…
        </MenuItem>
      </Menu>
      {asking === 'rename' ? (
        <RenameDialog
          organizationSlug={organizationSlug}
          conversationId={conversationId}
          title={title}
          onClose={close}
        />
      ) : null}
      <ConfirmDialog
        open={asking === 'delete'}
        onOpenChange={close}
        title="Delete this conversation"
        confirmLabel="Delete conversation"
        effects={[
          `Its messages, answers and logs go for everyone: ${formatCounted(turns, 'turn')}${removed > 0 ? ` and ${removed} that ${removed === 1 ? 'was' : 'were'} taken out` : ''}. Nothing brings them back.`,
          'Runner hosts remove their copies within the hour, or once they are back.',
          cost === null
            ? 'The audit log keeps that it was deleted, and by whom.'
            : `What it cost (${cost}) stays, and the audit log keeps who deleted it.`,
        ]}
        onConfirm={async () => {
          const answer = await deleteConversation({ organizationSlug, conversationId });
          if (!answer.ok) return answer.error.message;
          toast.success('The conversation is deleted.');
          router.push(listHref);
          return undefined;
        }}
      />
    </>
  );
}
