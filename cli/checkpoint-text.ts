import type { CheckpointDto } from '@/lib/insight/checkpoints';
import { formatCounted } from '@/lib/platform/format/count';
import { visibleText } from '@/lib/platform/format/visible-text';

/** Returns a checkpoint as text: a line with time and trigger, then the indented digest. */
export function checkpointText(checkpoint: CheckpointDto): string {
  const { label, at, trigger, counts, isLate } = checkpoint;
  const facts = [
    trigger.replaceAll('_', ' '),
    formatCounted(counts.prompts, 'prompt'),
    formatCounted(counts.toolResults, 'result'),
    ...(isLate ? ['came late'] : []),
  ];
  const digest = checkpoint.digest.split('\n').map((line) => (line ? `  ${line}` : ''));
  return visibleText([`${label} ${at} ${facts.join(', ')}`, ...digest].join('\n'));
}
