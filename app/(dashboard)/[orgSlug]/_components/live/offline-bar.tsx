'use client';

import { Unplug } from 'lucide-react';
import { useTransition } from 'react';
import { serverReach } from '@/app/_components/reach/server-reach';
import { displayTimeZone } from '@/app/_components/shell/preferences';
import { usePreferences } from '@/app/_components/shell/preferences-context';
import { Banner } from '@/app/_components/ui/banner';
import { Button } from '@/app/_components/ui/button';
import { Spinner } from '@/app/_components/ui/spinner';
import { useConnectionPhase } from './use-connection-phase';

/** Says since when the page is stale, once the server has been unreachable for half a minute. */
export function OfflineBar() {
  const { reach, phase } = useConnectionPhase();
  const { preferences } = usePreferences();
  const [isChecking, startChecking] = useTransition();
  if (reach.kind === 'up' || phase !== 'long_offline') return null;
  const since = new Intl.DateTimeFormat('en-GB', {
    timeStyle: 'short',
    timeZone: displayTimeZone(preferences),
  }).format(reach.lastAnswerAt);
  const cause = reach.status === null ? '' : ` A proxy answered with ${reach.status} instead.`;
  return (
    <Banner
      tone="wait"
      icon={Unplug}
      className="sticky top-12 z-20"
      action={
        <Button
          size="sm"
          aria-disabled={isChecking || undefined}
          onClick={() => {
            // A reload would end on the browser's error page and lose what was typed.
            if (!isChecking) startChecking(async () => void (await serverReach.check()));
          }}
        >
          {isChecking ? <Spinner /> : null} Retry now
        </Button>
      }
    >
      Offline since {since}. Showing the last known state, which updates when Tierwatch answers.
      {cause}
    </Banner>
  );
}
