'use client';

import type { ReactNode } from 'react';
import { cn } from '@/app/_components/ui/cn';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import type { Refusal } from '../../../../_components/permission';
import { ConflictNotice } from './conflict-notice';
import { LeaveGuard } from './leave-guard';
import { SaveBar } from './save-bar';
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
      {refusal ? <p className="text-text-2 text-ui">{refusal} You can read all of it.</p> : null}
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
