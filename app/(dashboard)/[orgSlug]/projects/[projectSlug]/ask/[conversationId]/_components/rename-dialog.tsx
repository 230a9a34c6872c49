'use client';

import { useRouter } from 'next/navigation';
import { useId, useState, useTransition } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Spinner } from '@/app/_components/ui/spinner';
import { MAX_TITLE_CHARS } from '@/lib/conversations/limits';
import { renameConversation } from '../../actions';

interface RenameDialogProps {
  organizationSlug: string;
  conversationId: string;
  title: string;
  onClose: () => void;
}

/** Open for as long as it is drawn. */
export function RenameDialog(props: RenameDialogProps) {
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
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={MAX_TITLE_CHARS}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button type="button" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" aria-disabled={isPending || undefined}>
            {isPending ? <Spinner /> : null}
            Rename conversation
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
