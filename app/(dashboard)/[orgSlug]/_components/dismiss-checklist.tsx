'use client';

import { Button } from '@/app/_components/ui/button';
import { useAct } from '@/app/_components/ui/use-act';
import { dismissChecklist } from '../actions';

/** Hides the checklist from everybody in the organization. */
export function DismissChecklist({ organizationSlug }: { organizationSlug: string }) {
  const { act, isPending } = useAct();
  return (
    <Button
      look="quiet"
      size="sm"
      aria-label="Dismiss the checklist"
      aria-disabled={isPending || undefined}
      onClick={() => act(() => dismissChecklist({ organizationSlug }))}
    >
      Dismiss
    </Button>
  );
}
