'use client';

import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { DifferenceList } from './difference-list';
import { draftOf, unsavedChanges } from './draft';
import type { DraftForm } from './use-draft';

/** Someone saved meanwhile: what was typed stays, and can be put on top of theirs. */
export function ConflictNotice({ form }: { form: DraftForm }) {
  const { newer, base, draft, moveToNewer, discard } = form;
  const [isComparing, setComparing] = useState(false);
  if (!newer) return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-control border border-wait-mark bg-wait-bg px-3 py-2 text-ui text-wait-fg"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0 text-wait-mark" />
      <p className="min-w-0 flex-1 basis-60">
        {newer.author} saved v{newer.version} while you edited. Your changes are kept here.
      </p>
      <Button size="sm" onClick={() => setComparing(true)}>
        Compare
      </Button>
      <Button size="sm" onClick={moveToNewer}>
        Apply mine on v{newer.version}
      </Button>
      <Button size="sm" look="quiet" onClick={discard}>
        Discard mine
      </Button>
      <Dialog
        open={isComparing}
        onOpenChange={setComparing}
        title={`Yours and v${newer.version}`}
        className="w-[min(44rem,calc(100vw-2rem))]"
      >
        <div className="flex flex-col gap-4">
          <section>
            <h3 className="text-card">
              What {newer.author} changed, v{base.version} to v{newer.version}
            </h3>
            <DifferenceList changes={unsavedChanges(draftOf(base), draftOf(newer))} />
          </section>
          <section>
            <h3 className="text-card">What you changed, not saved</h3>
            <DifferenceList changes={unsavedChanges(draftOf(base), draft)} />
          </section>
        </div>
      </Dialog>
    </div>
  );
}
