'use client';

import { useState, useTransition } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Spinner } from '@/app/_components/ui/spinner';
import type { CheckTest } from '@/lib/fleet/check-tests';
import type { CheckSpec } from '@/lib/protocol/spec';
import { CheckFound } from '../../../_components/check-found';
import { testCheck } from '../actions';

interface CheckTestButtonProps {
  organizationSlug: string;
  /** Its slug. */
  project: string;
  pool: string;
  service: string;
  /** As entered in the form. */
  check: CheckSpec;
}

/** Has a runner look now, and shows what it found beside the fields. */
export function CheckTestButton(props: CheckTestButtonProps) {
  const { organizationSlug, project, pool, service, check } = props;
  const key = JSON.stringify(check);
  const [tested, setTested] = useState<{ key: string; said: CheckTest | string } | null>(null);
  const [isWorking, startWork] = useTransition();
  const isReady = check.target.trim() !== '' && !isWorking;
  // The result is outdated once these fields change.
  const said = tested?.key === key ? tested.said : null;

  function test() {
    if (!isReady) return;
    startWork(async () => {
      const answer = await testCheck({ organizationSlug, project, pool, service, check });
      setTested({ key, said: answer.ok ? answer.data : answer.error.message });
    });
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ui">
      <Button size="sm" aria-disabled={!isReady || undefined} onClick={test}>
        {isWorking ? <Spinner /> : null} Test now
      </Button>
      <span role="status" className="min-w-0 flex-1 basis-60 break-words">
        {isWorking ? <span className="text-text-2">A runner of pool {pool} looks…</span> : null}
        {!isWorking && typeof said === 'string' ? (
          <span className="text-bad-fg">{said}</span>
        ) : null}
        {!isWorking && said && typeof said !== 'string' ? <CheckFound test={said} /> : null}
      </span>
    </div>
  );
}
