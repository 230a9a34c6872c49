'use client';

import {
  Bot,
  CalendarClock,
  CirclePause,
  FlaskConical,
  Gauge,
  type LucideIcon,
  SlidersHorizontal,
  Unplug,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Tone } from '../status/tone';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';

type BannerKind =
  | 'paused'
  | 'tier_paused'
  | 'maintenance'
  | 'budget'
  | 'no_runner'
  | 'dry_run'
  | 'override'
  | 'demo_agent';

export interface ShellBanner {
  kind: BannerKind;
  /** "Checkout is paused by Ana Ruiz since 13:40. No chain starts." */
  text: ReactNode;
  /** [Resume] */
  action?: ReactNode;
}

/** Worst first. */
const LOOKS: Record<BannerKind, { rank: number; tone: Tone; icon: LucideIcon }> = {
  budget: { rank: 0, tone: 'bad', icon: Gauge },
  no_runner: { rank: 1, tone: 'bad', icon: Unplug },
  paused: { rank: 2, tone: 'idle', icon: CirclePause },
  tier_paused: { rank: 3, tone: 'idle', icon: CirclePause },
  maintenance: { rank: 4, tone: 'idle', icon: CalendarClock },
  dry_run: { rank: 5, tone: 'wait', icon: FlaskConical },
  override: { rank: 6, tone: 'idle', icon: SlidersHorizontal },
  demo_agent: { rank: 7, tone: 'idle', icon: Bot },
};

/** One line under the top bar; the others behind "+1". */
export function BannerStack({ banners }: { banners: readonly ShellBanner[] }) {
  const [isWhole, setWhole] = useState(false);
  const sorted = [...banners].sort((a, b) => LOOKS[a.kind].rank - LOOKS[b.kind].rank);
  const shown = isWhole ? sorted : sorted.slice(0, 1);
  const hidden = sorted.length - 1;
  return shown.map((banner, index) => (
    <Banner
      key={banner.kind}
      tone={LOOKS[banner.kind].tone}
      icon={LOOKS[banner.kind].icon}
      action={
        <>
          {banner.action}
          {index === 0 && hidden > 0 ? (
            <Button
              look="quiet"
              size="sm"
              aria-expanded={isWhole}
              aria-label={isWhole ? 'Less: show one notice' : `+${hidden}: show all notices`}
              onClick={() => setWhole(!isWhole)}
            >
              {isWhole ? 'Less' : `+${hidden}`}
            </Button>
          ) : null}
        </>
      }
    >
      {banner.text}
    </Banner>
  ));
}
