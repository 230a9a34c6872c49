'use client';

import { CirclePause } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { PauseDialog } from '../../../_components/pause-dialog';
import { ResumeButton } from '../../../_components/resume-button';

interface RunnerPauseProps {
  organizationSlug: string;
  runner: { id: string; name: string };
  isPaused: boolean;
}

export function RunnerPause({ organizationSlug, runner, isPaused }: RunnerPauseProps) {
  const [isAsking, setAsking] = useState(false);
  const what = { kind: 'runner', runnerId: runner.id } as const;
  if (isPaused) return <ResumeButton organizationSlug={organizationSlug} what={what} isAllowed />;
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <CirclePause aria-hidden /> Pause
      </Button>
      <PauseDialog
        organizationSlug={organizationSlug}
        what={what}
        name={runner.name}
        liveChain={null}
        open={isAsking}
        onOpenChange={setAsking}
      />
    </>
  );
}
