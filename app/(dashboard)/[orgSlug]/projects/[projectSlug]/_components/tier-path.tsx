import { HopLine, type HopMode } from '@/app/_components/status/hop-line';
import { TierMark } from '@/app/_components/status/tier-mark';
import type { ChainItem } from '@/lib/insight/chains/schema';

const MODES: readonly HopMode[] = ['resume', 'handoff', 'fresh'];

/** The tiers that a chain went through and how each continued the one before: T1–T2=T3. */
export function TierPath({ sessions }: { sessions: ChainItem['sessions'] }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {sessions.map((session, index) => (
        <span key={session.id} className="inline-flex items-center gap-1.5">
          {index > 0 ? (
            <HopLine
              mode={MODES.find((mode) => mode === session.mechanism) ?? 'wait'}
              length={18}
            />
          ) : null}
          <TierMark tier={session.tier >= 3 ? 3 : session.tier === 2 ? 2 : 1} />
        </span>
      ))}
    </span>
  );
}
