'use client';

import { CirclePause, Ellipsis, Server } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Link } from '@/app/_components/ui/link';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import { PauseDialog } from './pause-dialog';
import type { Refusal } from './permission';

interface OrganizationMenuProps {
  organizationSlug: string;
  name: string;
  isPaused: boolean;
  /** Why the reader may not pause. */
  refusal: Refusal;
}

export function OrganizationMenu(props: OrganizationMenuProps) {
  const { organizationSlug, name, isPaused, refusal } = props;
  const [isPausing, setPausing] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <Button size="icon" aria-label={`More for ${name}`}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem
          disabledReason={refusal ?? (isPaused ? 'It is paused already.' : null)}
          onSelect={() => setPausing(true)}
          icon={CirclePause}
        >
          Pause everything…
        </MenuItem>
        <MenuItem asChild>
          <Link href={`/${organizationSlug}/runners`}>
            <Server aria-hidden /> Runners
          </Link>
        </MenuItem>
      </Menu>
      <PauseDialog
        organizationSlug={organizationSlug}
        what={{ kind: 'organization' }}
        name={name}
        liveChain={null}
        open={isPausing}
        onOpenChange={setPausing}
      />
    </>
  );
}
