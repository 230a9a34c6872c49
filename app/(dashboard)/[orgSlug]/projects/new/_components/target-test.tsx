'use client';

import { useState, useTransition } from 'react';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Button } from '@/app/_components/ui/button';
import { Spinner } from '@/app/_components/ui/spinner';
import { formatDuration } from '@/lib/platform/format/duration';
import type { TargetTest as Result } from '@/lib/projects/target-test';
import { testTarget } from '../actions';

interface TargetTestProps {
  organizationSlug: string;
  target: string;
}

/** Asks once and shows what came back, as it came. */
export function TargetTest({ organizationSlug, target }: TargetTestProps) {
  const [tested, setTested] = useState<{ target: string; result: Result } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const result = tested?.target === target ? tested.result : null;

  function test() {
    if (isPending || target.trim() === '') return;
    startTransition(async () => {
      const answer = await testTarget({ organizationSlug, target });
      setProblem(answer.ok ? null : answer.error.message);
      if (answer.ok) setTested({ target, result: answer.data });
    });
  }

  return (
    <div className="flex flex-col items-start gap-2">
      <Button
        size="sm"
        aria-disabled={isPending || target.trim() === '' || undefined}
        onClick={test}
      >
        {isPending ? <Spinner /> : null} Test now
      </Button>
      <div role="status" className="w-full text-ui">
        {problem ? <p className="text-bad-fg">{problem}</p> : null}
        {result ? <Outcome result={result} /> : null}
      </div>
    </div>
  );
}

function Outcome({ result }: { result: Result }) {
  if (result.kind === 'runner_only') return <p className="text-text-2">{result.message}</p>;
  if (result.kind === 'failed') {
    return <StatusBadge kind="service" state="down" reason={result.message} />;
  }
  const isGood = result.status < 400;
  return (
    <div className="flex flex-col gap-2">
      <StatusBadge
        kind="service"
        state={isGood ? 'healthy' : 'down'}
        reason={`${result.status} from ${result.address} in ${formatDuration(result.durationMs)}`}
      />
      {result.excerpt ? (
        <pre className="max-h-32 overflow-y-auto whitespace-pre-wrap break-all rounded-control border border-line bg-sunken px-3 py-2 text-code">
          {result.excerpt}
        </pre>
      ) : null}
    </div>
  );
}
