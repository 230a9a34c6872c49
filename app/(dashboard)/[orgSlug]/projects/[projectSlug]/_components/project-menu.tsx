'use client';

import { CirclePause, Ellipsis, Settings } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { loadPart } from '@/app/_components/reach/load-part';
import { Button } from '@/app/_components/ui/button';
import { Link } from '@/app/_components/ui/link';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import type { PauseTarget } from '../../../_components/pause-dialog';
import type { Refusal } from '../../../_components/permission';

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
        >
          <CirclePause aria-hidden /> Pause {target.name}…
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
