'use client';

import { Box, CircleCheck, Hourglass, type LucideIcon, ShieldX } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { Skeleton } from '@/app/_components/ui/skeleton';
import type { NextVersion } from '@/lib/insight/policy-preview/preview-policy';
import type {
  ChangedCommand,
  ChangeGroup,
  ChangeKind,
  PolicyPreview,
} from '@/lib/insight/policy-preview/schema';
import { formatCount, formatCounted } from '@/lib/platform/format/count';

const SHOWN = 10;

const KINDS: Record<ChangeKind, { title: string; Icon: LucideIcon; mark: string }> = {
  newly_allowed: { title: 'Newly allowed', Icon: CircleCheck, mark: 'text-ok-mark' },
  no_longer_asking: {
    title: 'No longer requiring approval',
    Icon: CircleCheck,
    mark: 'text-ok-mark',
  },
  newly_asking: { title: 'Newly requiring approval', Icon: Hourglass, mark: 'text-wait-mark' },
  newly_refused: { title: 'Newly refused', Icon: ShieldX, mark: 'text-wait-mark' },
  newly_inside: { title: 'Newly in the sandbox', Icon: Box, mark: 'text-text-3' },
};

export interface PolicyEffectProps {
  organizationSlug: string;
  /** The slug before the save. */
  project: string;
  /** The version that the next one is compared with. */
  baseVersion: number;
  next: NextVersion;
}

/**
 * What the next version changes about the commands that agents ran; loaded when it is first shown.
 * Give it a key where `next` or its base may change meanwhile.
 */
export function PolicyEffect({ organizationSlug, project, baseVersion, next }: PolicyEffectProps) {
  const headingId = useId();
  const root = `/${organizationSlug}/projects/${project}`;
  const [loaded, setLoaded] = useState<PreviewAnswer | null>(null);
  const load = useEffectEvent((signal: AbortSignal) =>
    loadPreview(root, { baseVersion, next }, signal),
  );

  useEffect(() => {
    if (loaded) return;
    const leaving = new AbortController();
    void load(leaving.signal).then((answer) => {
      if (!leaving.signal.aborted) setLoaded(answer);
    });
    return () => leaving.abort();
  }, [loaded]);

  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4 border-line border-t pt-4">
      <h3 id={headingId} className="text-card">
        Over the last 30 days
      </h3>
      {loaded === null ? (
        <div role="status" className="flex flex-col gap-2">
          <p className="text-text-2 text-ui">Comparing with the commands that agents ran…</p>
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="h-5 w-1/2" />
        </div>
      ) : 'problem' in loaded ? (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-ui">
          <p className="min-w-0 flex-1 basis-60">
            <strong className="font-medium text-bad-fg">
              Couldn’t compare with the commands that agents ran.
            </strong>{' '}
            <span className="text-text-2">
              {loaded.problem}
              {loaded.canContinue ? ' You can continue without it.' : null}
            </span>
          </p>
          <Button size="sm" onClick={() => setLoaded(null)}>
            Try again
          </Button>
        </div>
      ) : (
        <Effect preview={loaded.preview} root={root} />
      )}
    </section>
  );
}

function Effect({ preview, root }: { preview: PolicyPreview; root: string }) {
  const { tiers, groups } = preview;
  const cut = tiers.filter(({ isCut }) => isCut);
  return (
    <>
      <p role="status" className="text-text-2 text-ui">
        {effectSentence(preview)}
        {cut.length > 0
          ? ` Only the newest commands of ${tierList(cut)} were compared, because there are more than 2,000 different ones.`
          : null}
      </p>
      {groups.map((group) => (
        <Group key={`${group.kind} ${group.tier}`} group={group} root={root} />
      ))}
    </>
  );
}

function effectSentence({ tiers, groups }: PolicyPreview): string {
  const compared = tiers.reduce((sum, { commands }) => sum + commands, 0);
  const changed = groups.reduce((sum, { commands }) => sum + commands, 0);
  if (tiers.length === 0) return 'These changes decide no command differently.';
  if (compared === 0) {
    return `Chains ran no commands in ${tierList(tiers)}, so there is nothing to compare.`;
  }
  const all = formatCounted(compared, 'different command');
  if (changed === 0) return `None of ${all} in ${tierList(tiers)} is decided differently.`;
  const are = changed === 1 ? 'is' : 'are';
  return `Of ${all} in ${tierList(tiers)}, ${formatCount(changed)} ${are} decided differently.`;
}

function tierList(tiers: readonly { tier: number }[]): string {
  const numbers = tiers.map(({ tier }) => tier);
  const [last] = numbers.slice(-1);
  if (numbers.length < 2) return `tier ${last}`;
  return `tiers ${numbers.slice(0, -1).join(', ')} and ${last}`;
}

function Group({ group, root }: { group: ChangeGroup; root: string }) {
  const { kind, tier, commands, calls, listed } = group;
  const [isOpen, setOpen] = useState(false);
  const { title, Icon, mark } = KINDS[kind];
  const shown = isOpen ? listed : listed.slice(0, SHOWN);
  return (
    <div className="flex flex-col">
      <h4 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ui">
        <Icon aria-hidden className={`size-4 shrink-0 ${mark}`} />
        <span className="font-medium">{title}</span>
        <TierMark tier={tier} />
        <span className="ml-auto text-text-2 tabular-nums max-md:ml-0 max-md:w-full">
          {formatCounted(commands, 'command')}, {formatCounted(calls, 'call')}
        </span>
      </h4>
      <ul className="mt-1 flex flex-col divide-y divide-line border-line border-y">
        {shown.map((changed) => (
          <Row
            key={`${changed.newest.sessionNumber} ${changed.newest.seq} ${changed.command}`}
            changed={changed}
            root={root}
          />
        ))}
      </ul>
      {isOpen && commands > listed.length ? (
        <p className="mt-2 text-meta text-text-3">
          The {formatCount(listed.length)} most frequent of {formatCount(commands)} are listed.
        </p>
      ) : null}
      {!isOpen && listed.length > SHOWN ? (
        <Button
          size="sm"
          look="quiet"
          className="-ml-2 mt-1 self-start"
          onClick={() => setOpen(true)}
        >
          {commands > listed.length
            ? `Show ${formatCount(listed.length)} of ${formatCount(commands)}`
            : `Show all ${formatCount(commands)}`}
        </Button>
      ) : null}
    </div>
  );
}

function Row({ changed, root }: { changed: ChangedCommand; root: string }) {
  const { command, count, why, newest } = changed;
  const { sessionNumber, seq, at } = newest;
  return (
    <li className="flex justify-between gap-x-4 gap-y-1 py-2 text-ui max-md:flex-col">
      <div className="min-w-0">
        <code className="whitespace-pre-wrap break-words text-code">{command}</code>
        <p className="break-words text-text-2">{why}</p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-x-3 tabular-nums max-md:flex-row">
        <span>{formatCounted(count, 'call')}</span>
        <span className="whitespace-nowrap text-text-2">
          <a
            href={`${root}/sessions/${sessionNumber}?event=${seq}`}
            target="_blank"
            rel="noreferrer"
            className="link"
          >
            Session #{sessionNumber}
            <span className="sr-only"> with its last call, in a new tab</span>
          </a>
          {', '}
          <Time at={at} isPlain />
        </span>
      </div>
    </li>
  );
}

/** `canContinue`: what failed is the preview alone, so saving may work. */
type PreviewAnswer = { preview: PolicyPreview } | { problem: string; canContinue: boolean };

/** The server gives up reading after 8 s. */
const TIMEOUT_MS = 20_000;

const NO_ANSWER: PreviewAnswer = { problem: 'The server didn’t answer.', canContinue: true };

/**
 * Loads what the next version changes about recent commands.
 *
 * @param root `/acme/projects/checkout`
 */
export async function loadPreview(
  root: string,
  { baseVersion, next }: { baseVersion: number; next: NextVersion },
  signal: AbortSignal,
): Promise<PreviewAnswer> {
  try {
    const answer = await fetch(`${root}/policy-preview`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ baseVersion, next: withoutOtherFields(next) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const body = await answer.json();
    if (answer.ok) return { preview: body };
    // A proxy’s answer has no sentence for people.
    if (typeof body.detail !== 'string') return NO_ANSWER;
    return { problem: body.detail, canContinue: answer.status >= 500 || answer.status === 429 };
  } catch {
    return NO_ANSWER;
  }
}

/** A draft also has prompts and limits, which decide nothing about commands. */
function withoutOtherFields(next: NextVersion): NextVersion {
  if (!('policy' in next)) return next;
  const { services, tiers, maxTier, isolation } = next.policy;
  return { policy: { services, tiers, maxTier, isolation } };
}
