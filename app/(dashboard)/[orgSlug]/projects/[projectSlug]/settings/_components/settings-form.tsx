'use client';

import { TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { ModKbd } from '@/app/_components/keys/platform-context';
import { Button } from '@/app/_components/ui/button';
import { cn } from '@/app/_components/ui/cn';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { PendingButton } from '@/app/_components/ui/spinner';
import { reachWarnings } from '@/lib/projects/rules/reach';
import type { Refusal } from '../../../../_components/permission';
import { DifferenceList } from './difference-list';
import { changesRules, draftOf, takesEffect, unsavedChanges } from './draft';
import { ReviewDialog } from './review-dialog';
import type { DraftForm } from './use-draft';

interface SettingsFormProps {
  form: DraftForm;
  /** Why the reader may not save; they read everything. */
  refusal: Refusal;
  /** Stands above the fields and works for readers, too. */
  above?: ReactNode;
  /** Stands beside the fields where there is room, and works for readers, too. */
  aside?: ReactNode;
  children: ReactNode;
}

/** What every section has around its fields: the reader's rights, errors, conflict, save. */
export function SettingsForm({ form, refusal, above, aside, children }: SettingsFormProps) {
  const fields = Object.entries(form.errors);
  const errors =
    fields.length > 0
      ? fields.map(([fieldId, message]) => ({ fieldId, message }))
      : form.problem && !form.newer
        ? [{ fieldId: null, message: form.problem }]
        : [];
  return (
    <div className="flex flex-col gap-6">
      {refusal ? <p className="text-text-2 text-ui">{refusal} You can view all settings.</p> : null}
      <ConflictNotice form={form} />
      <ErrorSummary errors={errors} />
      {above}
      <div
        className={cn(
          aside &&
            'grid grid-cols-[minmax(0,1fr)_minmax(0,26rem)] items-start gap-6 max-xl:grid-cols-1',
        )}
      >
        <fieldset
          disabled={refusal !== null}
          className="flex min-w-0 flex-col gap-6"
          onBlur={(event) => form.touch(event.target.id)}
        >
          {children}
        </fieldset>
        {aside}
      </div>
      {refusal ? null : <SaveBar form={form} />}
      <LeaveGuard changes={refusal ? 0 : form.changes.length} />
    </div>
  );
}

/** Asks once before unsaved changes are left behind: by a link of the page, or by closing the tab. */
function LeaveGuard({ changes }: { changes: number }) {
  const router = useRouter();
  const [target, setTarget] = useState<string | null>(null);

  useEffect(() => {
    if (changes === 0) return;
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      const href = link?.getAttribute('href');
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
      const isElsewhere = link?.getAttribute('target') === '_blank';
      if (!href || href.startsWith('#') || !isPlain || isElsewhere) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(href);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener('click', onClick, { capture: true });
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, { capture: true });
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [changes]);

  return (
    <ConfirmDialog
      open={target !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) setTarget(null);
      }}
      title="Leave without saving"
      confirmLabel="Leave without saving"
      effects={[
        changes === 1
          ? 'The change on this page is lost.'
          : `The ${changes} changes on this page are lost.`,
      ]}
      onConfirm={async () => {
        if (target) router.push(target);
      }}
    />
  );
}

/** Shown when someone else saved: your changes stay and can be applied on top of theirs. */
function ConflictNotice({ form }: { form: DraftForm }) {
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

/**
 * Says what is not saved, shows the difference, and saves it as the next version. Changed rules are
 * shown first, with what they change about the commands of the last 30 days.
 */
function SaveBar({ form }: { form: DraftForm }) {
  const { organizationSlug, changes, base, draft, newer, isSaving, save, discard } = form;
  const [isComparing, setComparing] = useState(false);
  const count = changes.length;
  const isMonitored = draft.config.monitoring.everySeconds !== null;
  const isIdle = count === 0 || newer !== null;
  const warnings = count === 0 ? [] : reachWarnings(base.config, draft.config);

  function review() {
    if (isIdle) return;
    const isSeen = isComparing || !(changesRules(changes) || warnings.length > 0);
    setComparing(!isSeen);
    if (isSeen) save();
  }
  const saveByKey = useEffectEvent(review);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      saveByKey();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const saveButton = (
    <PendingButton
      look="primary"
      isPending={isSaving}
      aria-disabled={isIdle || undefined}
      onClick={review}
    >
      Save as v{base.version + 1}
      <ModKbd className="ml-1 max-md:hidden">S</ModKbd>
    </PendingButton>
  );

  return (
    <div className="sticky bottom-0 z-20 flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface px-4 py-2 shadow-menu max-md:bottom-14">
      <p role="status" className="min-w-0 flex-1 basis-48 text-text-2 text-ui">
        {count === 0
          ? `v${base.version} is the current version. You have no changes.`
          : `${count} ${count === 1 ? 'change' : 'changes'} not saved · ${takesEffect(changes, isMonitored)}`}
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
      {saveButton}
      <ReviewDialog
        open={isComparing}
        onOpenChange={setComparing}
        organizationSlug={organizationSlug}
        project={base.slug}
        baseVersion={base.version}
        next={{ policy: draft.config }}
        changes={changes}
        warnings={warnings}
        footer={
          <>
            <Button onClick={() => setComparing(false)}>Keep editing</Button>
            {saveButton}
          </>
        }
      />
    </div>
  );
}
