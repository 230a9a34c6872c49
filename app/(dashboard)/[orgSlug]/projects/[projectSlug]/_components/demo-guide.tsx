import type { ReactNode } from 'react';
import { TextLink } from '@/app/_components/ui/link';
import type { ChainItem } from '@/lib/insight/chains/schema';
import { formatCost, microsOf } from '@/lib/platform/format/cost';
import { formatDuration } from '@/lib/platform/format/duration';
import { getDemoStatus } from '@/lib/projects/demo-service/client';
import { demoGuideOf, type DemoGuide as Guide } from '@/lib/projects/demo-service/guide';

interface DemoGuideProps {
  /** `/acme/projects/checkout` */
  root: string;
  /** Its checks run without an agent. */
  isMonitored: boolean;
  /** Newest first. */
  chains: readonly ChainItem[];
}

/** The next step of the demo, and after a repair what it took. */
export async function DemoGuide({ root, isMonitored, chains }: DemoGuideProps) {
  const last = chains.find(({ outcome }) => outcome !== 'skipped');
  const guide = demoGuideOf({
    isMonitored,
    // The supervisor answers one request after the other, and a chain may be restarting a service.
    status: last?.status === 'ended' || !last ? await getDemoStatus() : null,
    lastChain: last
      ? {
          number: last.number,
          outcome: last.outcome,
          highestTier: last.highestTier,
          costMicros: microsOf(last.totalCostUsd),
          durationMs: last.durationMs,
        }
      : null,
  });
  return (
    <section aria-label="Demo" className="rounded-card border border-line bg-surface px-4 py-3">
      <p role="status" className="max-w-prose">
        {wordsOf(guide, root)}
      </p>
    </section>
  );
}

function wordsOf(guide: Guide, root: string): ReactNode {
  switch (guide.kind) {
    case 'not_running':
      return 'The demo’s services aren’t running. They start with npm start on the machine of this installation.';
    case 'break_it':
      return (
        <>
          <b className="font-medium">Try it:</b> press Break it
          {guide.startsAutomatically
            ? '. The checks notice the fault within a minute and start a chain. Watch the tiers repair it, and the checks verify it.'
            : ', then Run now, and watch the tiers find and repair the fault. It takes about a minute.'}
        </>
      );
    case 'run_now':
      return (
        <>
          <b className="font-medium">{guide.service} is down now</b> ({guide.ended}).{' '}
          {guide.startsAutomatically
            ? 'The checks notice it within a minute and start a chain; Run now starts one at once:'
            : 'Press Run now:'}{' '}
          tier 1 finds it, and{' '}
          {guide.needsRepair
            ? 'tier 2 tries a restart. That isn’t enough for a broken configuration, so tier 3 repairs it.'
            : 'tier 2 continues its conversation and restarts the service.'}
        </>
      );
    case 'watch':
      return (
        <>
          <b className="font-medium">Chain #{guide.number} is at work.</b>{' '}
          <TextLink href={`${root}/chains/${guide.number}`}>Watch it</TextLink>
        </>
      );
    case 'repaired':
      return (
        <>
          <b className="font-medium">
            Tier {guide.tier} repaired it in Chain #{guide.number}
          </b>
          {guide.durationMs === null ? '' : `, ${formatDuration(guide.durationMs)} after its start`}
          . All tiers together cost {formatCost(guide.costMicros)} (simulated).{' '}
          <TextLink href={`${root}/chains/${guide.number}`}>See what they did</TextLink>, or{' '}
          <TextLink href={`${root}/ask?chain=${guide.number}`}>ask why</TextLink>.
        </>
      );
  }
}
