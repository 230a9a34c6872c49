'use client';

import { Card } from '@/app/_components/ui/card';
import { ArgvBlock, argvLines, CodeBlock } from '@/app/_components/ui/code-block';
import { Skeleton } from '@/app/_components/ui/skeleton';
import { useServerPreview } from '@/app/_components/ui/use-server-preview';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { Tier } from '@/lib/protocol/spec';
import { previewTier } from '../actions';

interface TierPreviewProps {
  organizationSlug: string;
  name: string;
  config: ProjectConfig;
  /** The active configuration; lines that differ from it are marked. */
  savedConfig: ProjectConfig;
  tier: Tier;
  cliVersion: string | null;
}

/** Exactly what a start of this tier would run, with this draft. */
export function TierPreview({ config, savedConfig, ...about }: TierPreviewProps) {
  const drafted = useServerPreview(previewTier, { ...about, config });
  const saved = useServerPreview(previewTier, { ...about, config: savedConfig });
  const lines = drafted ? argvLines(drafted.argv) : [];
  const before = new Set(saved ? argvLines(saved.argv) : lines);
  const changed = new Set(lines.flatMap((line, index) => (before.has(line) ? [] : [index])));
  return (
    <Card
      title="Command preview"
      note={changed.size > 0 ? 'with your changes' : undefined}
      className="xl:sticky xl:top-16"
    >
      {drafted ? (
        <div className="flex flex-col gap-3">
          <ArgvBlock argv={drafted.argv} changedLines={changed} />
          <details>
            <summary className="w-fit cursor-pointer text-link text-ui">Prompt, by stdin</summary>
            <CodeBlock label="prompt" value={drafted.prompt} className="mt-2">
              {drafted.prompt}
            </CodeBlock>
          </details>
          <details>
            <summary className="w-fit cursor-pointer text-link text-ui">
              System prompt, by file
            </summary>
            <CodeBlock label="system prompt" value={drafted.systemPrompt} className="mt-2">
              {drafted.systemPrompt}
            </CodeBlock>
          </details>
          <p className="text-meta text-text-3">
            Paths and ids are those of the runner at the start; words in angle brackets stand for
            them.
          </p>
        </div>
      ) : (
        <Skeleton className="h-80 w-full" />
      )}
    </Card>
  );
}
