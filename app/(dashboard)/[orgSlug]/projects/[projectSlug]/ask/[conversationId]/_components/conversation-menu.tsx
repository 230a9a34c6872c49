'use client';

import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useId, useState, useTransition } from 'react';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Menu, MenuItem, MenuSeparator } from '@/app/_components/ui/menu';
import { PendingButton } from '@/app/_components/ui/spinner';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import { MAX_TITLE_CHARS } from '@/lib/conversations/limits';
import { formatCounted } from '@/lib/platform/format/count';
import { deleteConversation, renameConversation } from '../../actions';

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
        <MenuItem
          disabledReason={refusals.rename}
          onSelect={() => setAsking('rename')}
          icon={Pencil}
        >
          Rename…
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          look="danger"
          disabledReason={
            refusals.delete ?? (isMoving ? 'A turn waits or runs. Stop it first.' : null)
          }
          onSelect={() => setAsking('delete')}
          icon={Trash2}
        >
          Delete…
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
        done="The conversation is deleted."
        onConfirm={async () => {
          const answer = await deleteConversation({ organizationSlug, conversationId });
          return answer.ok ? router.push(listHref) : answer;
        }}
      />
    </>
  );
}

interface RenameDialogProps {
  organizationSlug: string;
  conversationId: string;
  title: string;
  onClose: () => void;
}

/** Open for as long as it is drawn. */
function RenameDialog(props: RenameDialogProps) {
  const { organizationSlug, conversationId, title, onClose } = props;
  const id = useId();
  const router = useRouter();
  const [text, setText] = useState(title);
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();

  function rename() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await renameConversation({ organizationSlug, conversationId, title: text });
      if (!answer.ok) return setProblem(answer.error.fields?.title ?? answer.error.message);
      onClose();
      router.refresh();
    });
  }

  return (
    <Dialog open onOpenChange={onClose} title="Rename conversation">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <Field id={id} label="Title" error={problem}>
          <Input
            autoComplete="off"
            maxLength={MAX_TITLE_CHARS}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button type="button" onClick={onClose}>
            Cancel
          </Button>
          <PendingButton look="primary" type="submit" isPending={isPending}>
            Rename conversation
          </PendingButton>
        </div>
      </form>
    </Dialog>
  );
}
