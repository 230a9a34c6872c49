import { Check, ChevronRight, Circle } from 'lucide-react';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { type ChecklistStep, getChecklist } from '@/lib/insight/checklist';
import type { TenantScope } from '@/lib/platform/db/scope';
import { DismissChecklist } from './dismiss-checklist';
import { refusalOf } from './permission';

/** What a new team does next, ticked from its rows. Nothing once that is done or dismissed. */
export async function GetStarted({ scope }: { scope: TenantScope }) {
  const steps = await getChecklist(scope);
  if (!steps) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  const mayDismiss = (await refusalOf(scope, 'admin')) === null;
  return (
    <Card
      title="Get started"
      note={`${done} of ${steps.length} done`}
      isFlush
      actions={mayDismiss ? <DismissChecklist organizationSlug={scope.organizationSlug} /> : null}
    >
      <ol>
        {steps.map((step) => (
          <li key={step.key} className="border-line border-t first:border-t-0">
            <Step scope={scope} step={step} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

async function Step({ scope, step }: { scope: TenantScope; step: ChecklistStep }) {
  const { title, isDone, path, needs } = step;
  const text = needs ? await refusalOf(scope, needs) : step.text;
  return (
    <div className="relative flex min-h-11 items-center gap-3 px-4 py-2 text-ui has-[a]:hover:bg-hover">
      {isDone ? (
        <Check aria-hidden className="size-4 shrink-0 text-ok-mark" />
      ) : (
        <Circle aria-hidden className="size-4 shrink-0 text-text-3" />
      )}
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        {path && !needs ? (
          <Link
            href={`/${scope.organizationSlug}${path}`}
            className="font-medium -outline-offset-2 after:absolute after:inset-0 after:content-['']"
          >
            {title}
          </Link>
        ) : (
          <span className={isDone ? 'text-text-2' : 'font-medium'}>{title}</span>
        )}
        <span className="sr-only">{isDone ? 'Done.' : 'Not done yet.'}</span>
        {isDone ? null : <span className="text-text-2">{text}</span>}
      </span>
      {path && !needs ? (
        <ChevronRight aria-hidden className="size-4 shrink-0 text-text-3 max-md:hidden" />
      ) : null}
    </div>
  );
}
