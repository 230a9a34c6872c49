'use client';

import { CirclePause } from 'lucide-react';
import { useState } from 'react';
import { tierName } from '@/app/_components/status/tier-mark';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Switch } from '@/app/_components/ui/switch';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { PauseDialog } from '@/app/(dashboard)/[orgSlug]/_components/pause-dialog';
import { PauseNote } from '@/app/(dashboard)/[orgSlug]/_components/pause-note';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import { ResumeButton } from '@/app/(dashboard)/[orgSlug]/_components/resume-button';
import type { PauseDto } from '@/lib/identity/pauses';
import { formatCounted } from '@/lib/platform/format/count';
import { gained } from '@/lib/projects/rules/warnings';
import type { TierPolicy } from '@/lib/projects/schema';
import type { Isolation } from '@/lib/protocol/confinement';
import type { Tier } from '@/lib/protocol/spec';

interface TierSwitchProps {
  tiers: readonly TierPolicy[];
  isolation: Isolation;
  /** A tier above it doesn't start, even if its policy is enabled. */
  maxTier: Tier;
  tier: Tier;
  isLocked: boolean;
  /** Begins with the question whether to switch the tier on, where that can be answered. */
  isAskedFirst: boolean;
  /** The highest tier that is to be on. */
  onChange: (highest: Tier) => void;
}

const ISOLATION_EFFECTS: Record<Isolation, string> = {
  confined: 'Its agents run in a sandbox.',
  open: 'Its agents run unconfined, with the rights of the runner’s account.',
};

/**
 * Switching on lists the commands that come with it; switching off also switches off the tiers
 * above.
 */
export function TierSwitch({
  tiers,
  isolation,
  maxTier,
  tier,
  isLocked,
  isAskedFirst,
  onChange,
}: TierSwitchProps) {
  const policy = tiers[tier - 1];
  const below = tiers[tier - 2];
  const isOn = policy?.isEnabled === true && tier <= maxTier;
  const isReady = below?.isEnabled === true && tier - 1 <= maxTier;
  const [isAsking, setAsking] = useState(isAskedFirst && !isLocked && !isOn && isReady);
  if (!policy || !below || tier === 1) {
    return <span className="text-meta text-text-3">always on</span>;
  }
  const gain = gained(policy, below);
  return (
    <>
      <label htmlFor="tier-switch" className="flex items-center gap-2 text-ui">
        <span className="text-text-2">
          {isOn ? 'On' : isReady ? 'Off' : `Off, needs tier ${tier - 1}`}
        </span>
        <Switch
          id="tier-switch"
          aria-label={`${tierName(tier)} may start`}
          checked={isOn}
          disabled={isLocked || (!isOn && !isReady)}
          onCheckedChange={(isChecked) => (isChecked ? setAsking(true) : onChange(lower(tier)))}
        />
      </label>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Switch on ${tierName(tier)}`}
        look="primary"
        confirmLabel={`Switch on tier ${tier}`}
        effects={[
          `Tier ${tier} starts ${policy.requiresApproval ? 'once a person approves it,' : 'automatically'} when tier ${tier - 1} leaves a service unhealthy.`,
          ISOLATION_EFFECTS[isolation],
          ...(isolation === 'confined' && policy.askFirstTools.length > 0
            ? [
                `A person approves each command of its ${formatCounted(policy.askFirstTools.length, 'ask-first rule')}.`,
              ]
            : []),
          `It may use ${gain.tools.length === 0 ? 'no further tool' : gain.tools.join(', ')} and ${formatCounted(gain.rules.length, 'more rule')} than tier ${tier - 1}:`,
        ]}
        onConfirm={async () => onChange(tier)}
      >
        <ul className="max-h-60 overflow-y-auto rounded-control border border-line bg-sunken px-3 py-2">
          {gain.rules.map((rule) => (
            <li key={rule}>
              <code className="wrap-anywhere text-code">{rule}</code>
            </li>
          ))}
        </ul>
        <p className="text-text-2 text-ui">It takes effect with the next save.</p>
      </ConfirmDialog>
    </>
  );
}

function lower(tier: Tier): Tier {
  return tier === 3 ? 2 : 1;
}

interface TierPauseProps {
  organizationSlug: string;
  project: string;
  tier: Tier;
  /** Null while it is not paused. */
  pause: PauseDto | null;
  refusal: Refusal;
}

/** Takes effect immediately and isn’t part of a configuration version; the switch stays as it is. */
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
            Pausing takes effect immediately, until you resume. It isn’t part of a configuration
            version.
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
          <Button size="sm" onClick={() => setAsking(true)} icon={CirclePause}>
            Pause tier {tier}
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
