'use client';

import { type KeyboardEvent, useRef } from 'react';
import { hopMode } from '@/app/_components/sessions/chain-strip';
import { SessionDuration } from '@/app/_components/sessions/session-cost';
import { useClockText } from '@/app/_components/status/clock';
import { HopLine } from '@/app/_components/status/hop-line';
import { StatusIcon } from '@/app/_components/status/status-badge';
import { type Tier, TierMark, tierName } from '@/app/_components/status/tier-mark';
import { cn } from '@/app/_components/ui/cn';
import { Link } from '@/app/_components/ui/link';
import type { WorkAttempt } from '@/lib/insight/chains/schema';
import type { SessionItem } from '@/lib/insight/sessions/schema';
import { type LaneBar, laneBars } from './lane-layout';
import { SessionCosts } from './session-costs';

interface LanesProps {
  sessions: readonly SessionItem[];
  attempts: readonly WorkAttempt[];
  /** Of the project: "/acme/projects/checkout". */
  root: string;
}

const LANE_PX = 44;
const BAR_TOP_PX = 25;
const BAR_PX = 12;
/** From here on a label would leave the lane at the right, so it ends where its bar ends. */
const LABEL_TURNS_AT = 0.6;

/** One lane a tier, tier 1 at the bottom, so that an escalation climbs. */
export function Lanes({ sessions, attempts, root }: LanesProps) {
  const isMoving = sessions.some((session) => session.endedAt === null);
  const now = Number(useClockText((nowMs) => String(Math.floor(nowMs / 1_000) * 1_000), isMoving));
  const list = useRef<HTMLOListElement>(null);
  const bars = laneBars(sessions, attempts, now);
  const top = Math.max(1, ...sessions.map((session) => session.tier));
  const tiers = Array.from({ length: top }, (_, index) => (top - index) as Tier);
  const topOf = (tier: number) => (top - tier) * LANE_PX;

  function onKeyDown(event: KeyboardEvent) {
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const index = links.findIndex((link) => link.matches(':focus'));
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || index === -1) return;
    event.preventDefault();
    links[index + step]?.focus();
  }

  return (
    <div className="flex gap-3">
      <ul aria-label="Tiers" className="shrink-0">
        {tiers.map((tier) => (
          <li
            key={tier}
            className="flex items-center"
            style={{ height: LANE_PX, paddingTop: BAR_TOP_PX - 16 }}
          >
            <TierMark tier={tier} />
          </li>
        ))}
      </ul>
      <ol
        ref={list}
        onKeyDown={onKeyDown}
        aria-label="Sessions by tier over time"
        className="relative min-w-0 flex-1"
        style={{ height: top * LANE_PX }}
      >
        {tiers.map((tier) => (
          <li
            key={tier}
            aria-hidden
            className="absolute inset-x-0 border-line border-b"
            style={{ top: topOf(tier) + BAR_TOP_PX + BAR_PX }}
          />
        ))}
        {sessions.map((session, index) => {
          const bar = bars[index];
          const before = sessions[index - 1];
          if (!bar) return null;
          return (
            <li key={session.id}>
              {before && before.tier < session.tier ? (
                <span
                  className="absolute -translate-x-1/2"
                  style={{
                    left: `${bar.start * 100}%`,
                    top: topOf(session.tier) + BAR_TOP_PX + BAR_PX / 2,
                  }}
                >
                  <HopLine
                    mode={hopMode(session)}
                    direction="vertical"
                    length={(session.tier - before.tier) * LANE_PX}
                  />
                </span>
              ) : null}
              <Bar
                session={session}
                bar={bar}
                attempts={attempts}
                root={root}
                top={topOf(session.tier)}
              />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

const FILLS: Record<number, string> = {
  1: 'bg-tier-1',
  // Stripes tell tier 2 apart where colours do not.
  2: 'bg-tier-2 [background-image:repeating-linear-gradient(45deg,transparent_0_4px,var(--surface)_4px_6px)]',
  3: 'bg-tier-3',
};

const LINES: Record<number, string> = { 1: 'bg-tier-1', 2: 'bg-tier-2', 3: 'bg-tier-3' };

interface BarProps {
  session: SessionItem;
  bar: LaneBar;
  attempts: readonly WorkAttempt[];
  /** Of its lane. */
  top: number;
  root: string;
}

const percent = (share: number) => `${share * 100}%`;

/** A thin line from made to settled, a segment on it for each process, and their label. */
function Bar({ session, bar, attempts, top, root }: BarProps) {
  const place =
    bar.start > LABEL_TURNS_AT ? { right: percent(1 - bar.end) } : { left: percent(bar.start) };
  return (
    <>
      <span
        aria-hidden
        className={cn('absolute h-0.5', LINES[session.tier])}
        style={{
          top: top + BAR_TOP_PX + BAR_PX / 2 - 1,
          left: percent(bar.start),
          width: percent(bar.end - bar.start),
        }}
      />
      {bar.segments.map((segment) => (
        <span
          key={segment.start}
          aria-hidden
          data-bar
          className={cn('absolute min-w-1 rounded-[2px]', FILLS[session.tier])}
          style={{
            top: top + BAR_TOP_PX,
            height: BAR_PX,
            left: percent(segment.start),
            width: `calc(${percent(segment.end - segment.start)} - 1px)`,
          }}
        />
      ))}
      <Link
        href={`${root}/sessions/${session.number}`}
        className="absolute z-10 flex h-6 items-center gap-2 rounded-badge bg-surface px-1 text-meta text-text-2 whitespace-nowrap tabular-nums after:absolute after:inset-x-0 after:top-full after:h-4 hover:bg-hover"
        style={{ top, ...place }}
      >
        <span className="sr-only">{tierName(session.tier as Tier)}: </span>
        <StatusIcon kind="session" state={session.status} />
        <span className="font-semibold text-text">Session #{session.number}</span>
        {session.model}
        <SessionCosts session={session} attempts={attempts} />
        <SessionDuration {...session} />
      </Link>
    </>
  );
}
