'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Kbd } from '@/app/_components/ui/kbd';
import { Spinner } from '@/app/_components/ui/spinner';
import { DifferenceList } from './difference-list';
import { takesEffect } from './draft';
import type { DraftForm } from './use-draft';

/** Says what is not saved, shows the difference, and saves it as the next version. */
export function SaveBar({ form }: { form: DraftForm }) {
  const { changes, base, newer, isSaving, save, discard } = form;
  const [isComparing, setComparing] = useState(false);
  const count = changes.length;
  const isIdle = count === 0 || newer !== null;
  const saveByKey = useEffectEvent(() => {
    if (!isIdle) save();
  });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      saveByKey();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return (
    <div className="sticky bottom-0 z-20 flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface px-4 py-2 shadow-menu max-md:bottom-14">
      <p role="status" className="min-w-0 flex-1 basis-48 text-text-2 text-ui">
        {count === 0
          ? `v${base.version} is in force. Nothing is changed.`
          : `${count} ${count === 1 ? 'change' : 'changes'} not saved · ${takesEffect(changes)}`}
      </p>
      {count > 0 ? (
        <>
          <Button size="sm" look="quiet" onClick={() => setComparing(true)}>
            Show changes
          </Button>
          <Button size="sm" onClick={discard}>
            Discard
          </Button>
        </>
      ) : null}
      <Button
        look="primary"
        aria-disabled={isIdle || isSaving || undefined}
        onClick={() => {
          if (!isIdle) save();
        }}
      >
        {isSaving ? <Spinner /> : null}
        Save as v{base.version + 1}
        <Kbd className="ml-1 max-md:hidden">⌘S</Kbd>
      </Button>
      <Dialog
        open={isComparing}
        onOpenChange={setComparing}
        title={`What v${base.version + 1} changes`}
        className="w-[min(44rem,calc(100vw-2rem))]"
      >
        <DifferenceList changes={changes} />
      </Dialog>
    </div>
  );
}
