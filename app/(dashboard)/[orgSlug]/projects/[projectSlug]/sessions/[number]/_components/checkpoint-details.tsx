import { ChevronRight } from 'lucide-react';
import { Markdown } from '@/app/_components/markdown/markdown';
import { Time } from '@/app/_components/status/time';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { CheckpointDto } from '@/lib/insight/checkpoints/schema';
import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import type { CheckpointTrigger } from '@/lib/protocol/checkpoint';

/** Why a checkpoint was written. */
const TRIGGER_WORDS: Record<CheckpointTrigger, string> = {
  periodic: 'By interval',
  pre_compaction: 'Before a compaction',
  agent: 'By the agent',
  explicit: 'Asked for',
  session_end: 'At the end',
};

interface CheckpointDetailsProps {
  checkpoint: CheckpointDto;
  isOpen: boolean;
}

/** When, why and how much in a line; opened, what the session knew. */
export function CheckpointDetails({ checkpoint, isOpen }: CheckpointDetailsProps) {
  const { id, label, trigger, at, counts, digest, remembered, queries, isLate } = checkpoint;
  // The agent's own digest tells none of them, the runner's cuts what is long.
  const isUntold = (text: string) => !digest.includes(text);
  return (
    <details id={id} open={isOpen} className="group scroll-mt-18">
      <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 hover:bg-hover">
        <ChevronRight
          aria-hidden
          className="size-4 text-text-3 transition-transform group-open:rotate-90"
        />
        <span className="font-medium">{TRIGGER_WORDS[trigger]}</span>
        <Time at={at} className="text-text-2" />
        <span className="text-text-2 text-ui tabular-nums">
          {formatCounted(counts.prompts, 'prompt')}, {formatCounted(counts.toolResults, 'result')},{' '}
          {formatDuration(counts.elapsedMs)} in
        </span>
        <span className="text-meta text-text-3 tabular-nums">{label}</span>
        {isLate ? <span className="text-meta text-text-2">Late, never recovered from</span> : null}
      </summary>
      <div className="flex flex-col gap-4 px-4 pt-1 pb-4 pl-11 max-md:pl-4">
        <Markdown text={digest} />
        <Texts title="Remembered" texts={remembered.filter(isUntold)} />
        <Texts title="Searches" texts={queries.filter(isUntold)} />
      </div>
    </details>
  );
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-medium text-text-2 text-ui">{title}</h3>
      <ul className="flex max-w-prose list-disc flex-col gap-0.5 break-words pl-5 marker:text-text-3">
        {texts.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: texts of one checkpoint never change places
          <li key={index}>
            <SafeText text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}
