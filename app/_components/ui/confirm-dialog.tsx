'use client';

import { useRouter } from 'next/navigation';
import { AlertDialog } from 'radix-ui';
import { type ReactNode, useId, useRef, useState, useTransition } from 'react';
import type { ActionResult } from '@/app/_actions/result';
import { Button } from './button';
import { cn } from './cn';
import { REVIEW_SIZE } from './dialog';
import { Field, FormProblem } from './field';
import { Input } from './input';
import { PendingButton } from './spinner';
import { useAct } from './use-act';

interface ConfirmDialogProps {
  trigger?: ReactNode;
  open?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  /** The act itself: "Stop Session #19". */
  title: string;
  /** Its exact effects, from live data, one sentence each. */
  effects: readonly ReactNode[];
  /** Verb and object, as in the title: "Stop session". */
  confirmLabel: string;
  look?: 'danger' | 'primary';
  /** `review` is wide, and keeps its height while its children load. */
  form?: 'question' | 'review';
  /** For acts that cannot be undone and take much with them: must be typed to continue. */
  typeToConfirm?: string;
  /** More choices, such as "also stop 2 running sessions". */
  children?: ReactNode;
  /** Said once it is done. */
  done?: string | undefined;
  /** Takes it back. */
  undo?: (() => Promise<ActionResult<unknown>>) | undefined;
  /**
   * The act. The page is read again after an action's answer. An error, or a string, which is one,
   * stays visible; otherwise the dialog closes.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: one that leads to another page returns nothing
  onConfirm: () => Promise<ActionResult<unknown> | string | undefined | void>;
}

const FORMS = {
  question: 'max-h-[calc(100dvh-2rem)] w-[min(28rem,calc(100vw-2rem))]',
  review: REVIEW_SIZE,
};

/** Focus starts on Cancel, so that Enter by habit changes nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [ownOpen, setOwnOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const [isPending, startTransition] = useTransition();
  const router = useRouter();
  const { sayDone } = useAct();
  const cancel = useRef<HTMLButtonElement>(null);
  const focusedBefore = useRef<Element>(null);
  const typeFieldId = useId();
  const isOpen = props.open ?? ownOpen;
  const { form = 'question' } = props;
  const isBlocked = props.typeToConfirm !== undefined && typed !== props.typeToConfirm;

  function setOpen(next: boolean) {
    setOwnOpen(next);
    setTyped('');
    setError(undefined);
    props.onOpenChange?.(next);
  }

  function confirm() {
    if (isPending || isBlocked) return;
    startTransition(async () => {
      const answer = await props.onConfirm();
      if (typeof answer === 'object') router.refresh();
      const problem = typeof answer === 'object' && !answer.ok ? answer.error.message : answer;
      if (typeof problem === 'string') return setError(problem);
      if (props.done) sayDone(props.done, props.undo);
      setOpen(false);
    });
  }

  return (
    <AlertDialog.Root open={isOpen} onOpenChange={setOpen}>
      {props.trigger ? <AlertDialog.Trigger asChild>{props.trigger}</AlertDialog.Trigger> : null}
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <AlertDialog.Content
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            focusedBefore.current = document.activeElement;
            cancel.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            const before = focusedBefore.current;
            // With a trigger, the dialog returns focus to it automatically.
            if (props.trigger || !(before instanceof HTMLElement) || !before.isConnected) return;
            event.preventDefault();
            before.focus();
          }}
          className={cn(
            'fixed top-1/2 left-1/2 z-50 flex -translate-x-1/2 -translate-y-1/2 animate-enter flex-col rounded-dialog border border-line bg-surface shadow-dialog',
            FORMS[form],
          )}
        >
          <AlertDialog.Title className="px-4 pt-4 text-section">{props.title}</AlertDialog.Title>
          <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
            <AlertDialog.Description asChild>
              <ul className="flex list-disc flex-col gap-1 pl-4 text-text-2 marker:text-text-3">
                {props.effects.map((effect, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of sentences
                  <li key={index}>{effect}</li>
                ))}
              </ul>
            </AlertDialog.Description>
            {props.children}
            {props.typeToConfirm ? (
              <Field
                id={typeFieldId}
                label={
                  <>
                    Type <code className="text-code">{props.typeToConfirm}</code> to continue
                  </>
                }
              >
                <Input
                  autoComplete="off"
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              </Field>
            ) : null}
          </div>
          <div
            className={cn(
              'flex flex-col gap-4 px-4 pb-4',
              form === 'review' && 'border-line border-t py-3',
            )}
          >
            <FormProblem text={error} />
            <div className="flex flex-wrap justify-end gap-2">
              <AlertDialog.Cancel asChild>
                <Button ref={cancel}>Cancel</Button>
              </AlertDialog.Cancel>
              <PendingButton
                look={props.look ?? 'danger'}
                isPending={isPending}
                aria-disabled={isBlocked || undefined}
                onClick={confirm}
              >
                {props.confirmLabel}
              </PendingButton>
            </div>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
