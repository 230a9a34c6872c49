import { CircleX, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Level } from '@/lib/protocol/events';
import { SafeText } from '../ui/safe-text';
import { LogLine } from './log-line';
import type { NoticeRow as NoticeRowData } from './log-rows';

const LOOKS: Record<Level, { icon: LucideIcon; mark: string; row: string; word: string }> = {
  info: { icon: Info, mark: 'text-idle-mark', row: 'border-transparent', word: 'Info' },
  warning: {
    icon: TriangleAlert,
    mark: 'text-wait-mark',
    row: 'border-wait-mark bg-wait-bg',
    word: 'Warning',
  },
  critical: {
    icon: CircleX,
    mark: 'text-bad-mark',
    row: 'border-bad-mark bg-bad-bg',
    word: 'Critical',
  },
};

interface NoticeRowProps {
  row: NoticeRowData;
  /** The time of the row. */
  aside?: ReactNode;
}

/** What the control plane or the runner has to say: a rule at the left, words, a code. */
export function NoticeRow({ row, aside }: NoticeRowProps) {
  const look = LOOKS[row.level];
  return (
    <LogLine
      seq={row.seq}
      icon={<look.icon className={look.mark} />}
      aside={aside}
      className={look.row}
    >
      <p>
        <span className="sr-only">{look.word}: </span>
        <SafeText text={row.message} /> <code className="text-meta text-text-3">{row.code}</code>
      </p>
    </LogLine>
  );
}
