import { History } from 'lucide-react';
import { TextLink } from '@/app/_components/ui/link';
import type { RecoveredFrom } from '@/lib/insight/sessions/schema';
import { Time } from '../status/time';

interface RecoveredMarkProps {
  /** "Session #19.1"; left out where only one can be meant. */
  attemptLabel?: string;
  recovery: Pick<RecoveredFrom, 'label' | 'sessionNumber' | 'checkpointId' | 'at'>;
  /** Of the project: "/acme/projects/checkout". */
  root: string;
}

/** "Recovered from Session #18.1's checkpoint, 12 min ago", which leads to it. */
export function RecoveredMark({ attemptLabel, recovery, root }: RecoveredMarkProps) {
  const { label, sessionNumber, checkpointId, at } = recovery;
  const href = `${root}/sessions/${sessionNumber}/checkpoints?checkpoint=${checkpointId}#${checkpointId}`;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 text-text-2 text-ui tabular-nums">
      <History aria-hidden className="size-4 text-text-3" />
      <span>
        {attemptLabel ? `${attemptLabel} recovered from ` : 'Recovered from '}
        <TextLink href={href}>Session {label}’s checkpoint</TextLink>, <Time at={at} />
      </span>
    </span>
  );
}
