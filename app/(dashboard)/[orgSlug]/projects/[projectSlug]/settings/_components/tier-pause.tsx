'use client';

import { CirclePause } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import type { PauseDto } from '@/lib/identity/pauses/schema';
import type { Tier } from '@/lib/protocol/spec';
import { NeedsRole } from '../../../../_components/needs-role';
import { PauseDialog } from '../../../../_components/pause-dialog';
import { PauseNote } from '../../../../_components/pause-note';
import type { Refusal } from '../../../../_components/permission';
import { ResumeButton } from '../../../../_components/resume-button';

interface TierPauseProps {
  organizationSlug: string;
  project: string;
  tier: Tier;
  /** Null while it is not paused. */
  pause: PauseDto | null;
  refusal: Refusal;
}

/** Takes effect at once and is no part of a version; the switch stays as it is. */
export function TierPause({ organizationSlug, project, tier, pause, refusal }: TierPauseProps) {
  const [isAsking, setAsking] = useState(false);
  const what = { kind: 'tier', project, tier } as const;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-ui">
      <span className="min-w-0 flex-1 basis-60">
        {pause ? (
          <PauseNote pause={pause} />
        ) : (
          <span className="text-text-2">
            Pausing takes effect at once, until you resume; it is no part of a version.
          </span>
        )}
      </span>
      <NeedsRole refusal={refusal} label={pause ? 'Resume' : `Pause tier ${tier}`}>
        {pause ? (
          <ResumeButton
            organizationSlug={organizationSlug}
            what={what}
            label={`Resume tier ${tier}`}
            isAllowed
          />
        ) : (
          <Button size="sm" onClick={() => setAsking(true)}>
            <CirclePause aria-hidden /> Pause tier {tier}
          </Button>
        )}
      </NeedsRole>
      <PauseDialog
        organizationSlug={organizationSlug}
        what={what}
        name={`Tier ${tier}`}
        liveChain={null}
        open={isAsking}
        onOpenChange={setAsking}
      />
    </div>
  );
}
