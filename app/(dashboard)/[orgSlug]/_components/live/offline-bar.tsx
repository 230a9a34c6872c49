'use client';

import { Unplug } from 'lucide-react';
import { useLiveState } from '@/app/_components/shell/live-context';
import { Banner } from '@/app/_components/ui/banner';
import { Button } from '@/app/_components/ui/button';

/** After half a minute without the server: what stands here may no longer be true. */
export function OfflineBar() {
  if (useLiveState()?.kind !== 'offline') return null;
  return (
    <Banner
      tone="wait"
      icon={Unplug}
      action={
        <Button size="sm" onClick={() => window.location.reload()}>
          Reload
        </Button>
      }
    >
      The server doesn’t answer. What you see is as it was then.
    </Banner>
  );
}
