'use client';

import Link from 'next/link';
import { useState, useTransition } from 'react';
import { Button } from '@/app/_components/ui/button';
import type { PromptPreview as Preview } from '@/lib/insight/preview/prompt-preview';
import type { Tier } from '@/lib/protocol/spec';
import { previewPrompt } from '../actions';

interface PromptPreviewProps {
  organizationSlug: string;
  project: string;
  tier: Tier;
  body: string;
  /** Whether every variable is one that there is. */
  isSound: boolean;
}

/** The prompt as the agent would read it, with the values of the last cycle. */
export function PromptPreview(props: PromptPreviewProps) {
  const { organizationSlug, project, tier, body, isSound } = props;
  const [shown, setShown] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isWorking, startWork] = useTransition();

  function preview() {
    startWork(async () => {
      const answer = await previewPrompt({ organizationSlug, project, tier, body });
      setProblem(answer.ok ? null : answer.error.message);
      setShown(answer.ok ? answer.data : null);
    });
  }

  return (
    <div className="mt-3 flex flex-col gap-2">
      <Button
        size="sm"
        className="self-start"
        disabled={!isSound}
        aria-disabled={isWorking || undefined}
        onClick={preview}
      >
        Preview with the last cycle’s values
      </Button>
      {problem ? (
        <p role="alert" className="text-bad-fg text-ui">
          {problem}
        </p>
      ) : null}
      {shown ? (
        <section aria-label="Preview of the prompt">
          <p className="text-text-2 text-ui">
            {shown.chainNumber === null ? (
              'With examples: no session of this tier has run yet.'
            ) : (
              <>
                With the values of{' '}
                <Link
                  href={`/${organizationSlug}/projects/${project}/chains/${shown.chainNumber}`}
                  className="text-link hover:underline"
                >
                  #{shown.chainNumber}
                </Link>
                .
              </>
            )}
          </p>
          <pre className="mt-1 max-h-80 overflow-y-auto whitespace-pre-wrap break-words rounded-control border border-line bg-sunken px-3 py-2 font-mono text-code">
            {shown.text}
          </pre>
        </section>
      ) : null}
    </div>
  );
}
