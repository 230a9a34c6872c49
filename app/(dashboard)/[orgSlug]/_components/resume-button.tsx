'use client';

import { Button } from '@/app/_components/ui/button';
import { useAct } from '@/app/_components/ui/use-act';
import { type Pausable, resumeIt } from './pause-target';

interface ResumeButtonProps {
  organizationSlug: string;
  what: Pausable;
  isAllowed: boolean;
  /** Where several stand on a page: "Resume tier 2". */
  label?: string;
}

export function ResumeButton({ organizationSlug, what, isAllowed, label }: ResumeButtonProps) {
  const { act, isPending } = useAct();
  if (!isAllowed) return null;
  return (
    <Button
      size="sm"
      aria-disabled={isPending || undefined}
      onClick={() => act<unknown>(() => resumeIt(organizationSlug, what))}
    >
      {label ?? 'Resume'}
    </Button>
  );
}
