'use client';

import { ChevronDown, FlaskConical, Play, RotateCcw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { Button, type ButtonProps } from '@/app/_components/ui/button';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import { Spinner } from '@/app/_components/ui/spinner';
import { runNow } from '../actions';

interface RunNowProps {
  organizationSlug: string;
  project: string;
  look: ButtonProps['look'];
}

/** Starts a cycle at once; the menu has its two variants. */
export function RunNow({ organizationSlug, project, look }: RunNowProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  function run(variant: { dryRun?: boolean; forceFresh?: boolean }) {
    if (isPending) return;
    startTransition(async () => {
      const answer = await runNow({ organizationSlug, project, ...variant });
      if (!answer.ok) {
        toast.error(answer.error.message);
        return;
      }
      const { number } = answer.data;
      toast.success(`Chain #${number} started.`, {
        action: {
          label: 'Open',
          onClick: () => router.push(`/${organizationSlug}/projects/${project}/chains/${number}`),
        },
      });
      router.refresh();
    });
  }

  return (
    <span className="inline-flex">
      <Button
        look={look}
        aria-disabled={isPending || undefined}
        onClick={() => run({})}
        className="rounded-r-none"
      >
        {isPending ? <Spinner /> : <Play aria-hidden />}
        Run now
      </Button>
      <Menu
        trigger={
          <Button
            look={look}
            size="icon"
            aria-label="Other ways to run"
            className="rounded-l-none border-l-on-ink/30"
          >
            <ChevronDown aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => run({ dryRun: true })}>
          <FlaskConical aria-hidden /> Dry run
        </MenuItem>
        <MenuItem onSelect={() => run({ forceFresh: true })}>
          <RotateCcw aria-hidden /> Run fresh, without earlier context
        </MenuItem>
      </Menu>
    </span>
  );
}
