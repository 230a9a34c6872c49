'use client';

import { ServerCrash, Wrench, Zap } from 'lucide-react';
import { Button } from '@/app/_components/ui/button';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import { Spinner } from '@/app/_components/ui/spinner';
import { useAct } from '@/app/_components/ui/use-act';
import type { DemoFault } from '@/lib/projects/demo-service/schema';
import { breakDemo } from '../actions';

/** Breaks the demo's services for real, so that a chain has something to repair. */
export function BreakDemo({ organizationSlug }: { organizationSlug: string }) {
  const { act, isPending, sayDone } = useAct();
  const breakIt = (fault: DemoFault) =>
    act(
      () => breakDemo({ organizationSlug, fault }),
      ({ message }) => sayDone(`${message} The next chain repairs it.`),
    );

  return (
    <Menu
      className="max-w-88"
      trigger={
        <Button aria-disabled={isPending || undefined}>
          {isPending ? <Spinner /> : <Zap aria-hidden />}
          Break it
        </Button>
      }
    >
      <MenuItem onSelect={() => breakIt('crash')} className="items-start">
        <ServerCrash aria-hidden className="mt-0.5" />
        <Choice title="Crash a service">Fixed by a restart (tier 2).</Choice>
      </MenuItem>
      <MenuItem onSelect={() => breakIt('config')} className="items-start">
        <Wrench aria-hidden className="mt-0.5" />
        <Choice title="Break a configuration">
          A restart doesn’t help; only tier 3 can repair it.
        </Choice>
      </MenuItem>
    </Menu>
  );
}

function Choice({ title, children }: { title: string; children: string }) {
  return (
    <span className="flex flex-col">
      <span className="font-medium">{title}</span>
      <span className="text-meta text-text-3">{children}</span>
    </span>
  );
}
