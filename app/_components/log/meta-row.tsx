import { Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../ui/cn';
import { SafeText } from '../ui/safe-text';
import { LogLine } from './log-line';
import type { MetaRow as MetaRowData } from './log-rows';
import { type MetaText, metaText } from './meta-text';

const TONES: Record<MetaText['tone'], string> = {
  plain: 'text-text-2',
  wait: 'text-wait-fg',
  bad: 'text-bad-fg',
};

interface MetaRowProps {
  row: MetaRowData;
  aside?: ReactNode;
}

/** Started, retried, compacted, checked: one quiet line each. */
export function MetaRow({ row, aside }: MetaRowProps) {
  const { text, tone } = metaText(row.event);
  return (
    <LogLine seq={row.seq} icon={<Minus className="text-text-3" />} aside={aside}>
      <p className={cn('[overflow-wrap:anywhere]', TONES[tone])}>
        <SafeText text={text} />
      </p>
    </LogLine>
  );
}
