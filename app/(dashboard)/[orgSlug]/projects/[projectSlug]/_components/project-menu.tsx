'use client';

import { CirclePause, Ellipsis, Settings } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Link } from '@/app/_components/ui/link';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import { PauseDialog, type PauseTarget } from '../../../_components/pause-dialog';
import type { Refusal } from '../../../_components/permission';

interface ProjectMenuProps extends Omit<PauseTarget, 'what'> {
  project: string;
  isPaused: boolean;
  /** Why the reader may not pause. */
  refusal: Refusal;
}

export function ProjectMenu({ isPaused, refusal, ...target }: ProjectMenuProps) {
  const [isPausing, setPausing] = useState(false);
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
          onSelect={() => setPausing(true)}
        >
          <CirclePause aria-hidden /> Pause {target.name}…
        </MenuItem>
        <MenuItem asChild>
          <Link href={`/${target.organizationSlug}/projects/${target.project}/settings`}>
            <Settings aria-hidden /> Settings
          </Link>
        </MenuItem>
      </Menu>
      <PauseDialog
        {...target}
        what={{ kind: 'project', project: target.project }}
        open={isPausing}
        onOpenChange={setPausing}
      />
    </>
  );
}
