'use client';

import { CirclePause, Ellipsis, ServerCrash, Settings, Wrench, Zap } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { loadPart } from '@/app/_components/reach/load-part';
import { Button } from '@/app/_components/ui/button';
import { Link } from '@/app/_components/ui/link';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import { Spinner } from '@/app/_components/ui/spinner';
import { useAct } from '@/app/_components/ui/use-act';
import type { DemoFault } from '@/lib/projects/demo-service/schema';
import type { PauseTarget } from '../../../_components/pause-dialog';
import type { Refusal } from '../../../_components/permission';
import { breakDemo } from '../actions';

const PauseDialog = dynamic(
  async () => (await loadPart(() => import('../../../_components/pause-dialog'))).PauseDialog,
  // Without it the whole page would stand still until the code is here.
  { loading: () => null },
);

interface ProjectMenuProps extends Omit<PauseTarget, 'what'> {
  project: string;
  isPaused: boolean;
  /** Why the reader may not pause. */
  refusal: Refusal;
}

export function ProjectMenu({ isPaused, refusal, ...target }: ProjectMenuProps) {
  const [isPausing, setPausing] = useState(false);
  const [wasPausing, setWasPausing] = useState(false);

  function pause() {
    setWasPausing(true);
    setPausing(true);
  }

  return (
    <>
      <Menu
        trigger={
          <Button size="icon" aria-label={`More for ${target.name}`}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem
          disabledReason={refusal ?? (isPaused ? 'It is paused already.' : null)}
          onSelect={pause}
          icon={CirclePause}
        >
          Pause {target.name}…
        </MenuItem>
        <MenuItem asChild>
          <Link href={`/${target.organizationSlug}/projects/${target.project}/settings`}>
            <Settings aria-hidden /> Settings
          </Link>
        </MenuItem>
      </Menu>
      {wasPausing ? (
        <PauseDialog
          {...target}
          what={{ kind: 'project', project: target.project }}
          open={isPausing}
          onOpenChange={setPausing}
        />
      ) : null}
    </>
  );
}

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
