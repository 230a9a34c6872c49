'use client';

import { ChevronDown, FlaskConical, Play, RotateCcw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button, type ButtonProps } from '@/app/_components/ui/button';
import { TextLink } from '@/app/_components/ui/link';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import { Spinner } from '@/app/_components/ui/spinner';
import { runNow } from '../actions';
import { runningChainOf } from './running-chain';

interface RunNowProps {
  organizationSlug: string;
  project: string;
  look: ButtonProps['look'];
}

interface Refused {
  message: string;
  /** Number of the chain that is still running, if that is the reason. */
  running: number | null;
}

/** Starts a chain and opens its page; the menu has the two variants. A refusal stays in place. */
export function RunNow({ organizationSlug, project, look }: RunNowProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const [refused, setRefused] = useState<Refused | null>(null);
  const chainPath = (number: number) => `/${organizationSlug}/projects/${project}/chains/${number}`;

  function run(variant: { dryRun?: boolean; forceFresh?: boolean }) {
    if (isPending) return;
    setRefused(null);
    startTransition(async () => {
      const answer = await runNow({ organizationSlug, project, ...variant });
      if (answer.ok) router.push(chainPath(answer.data.number));
      else setRefused({ message: answer.error.message, running: runningChainOf(answer.error) });
    });
  }

  return (
    <span className="inline-flex flex-col items-end gap-1">
      <span className="inline-flex">
        <Button
          look={look}
          aria-disabled={isPending || undefined}
          onClick={() => run({})}
          className="rounded-r-none"
        >
          {isPending ? <Spinner /> : <Play aria-hidden />}
          Run now
        </Button>
        <Menu
          trigger={
            <Button
              look={look}
              size="icon"
              aria-label="Other ways to run"
              className="rounded-l-none border-l-on-ink/30"
            >
              <ChevronDown aria-hidden />
            </Button>
          }
        >
          <MenuItem onSelect={() => run({ dryRun: true })} icon={FlaskConical}>
            Dry run
          </MenuItem>
          <MenuItem onSelect={() => run({ forceFresh: true })} icon={RotateCcw}>
            Run fresh, without earlier context
          </MenuItem>
        </Menu>
      </span>
      {refused ? (
        <span role="alert" className="max-w-72 text-right text-bad-fg text-ui">
          {refused.message}{' '}
          {refused.running === null ? null : (
            <TextLink href={chainPath(refused.running)}>Open Chain #{refused.running}</TextLink>
          )}
        </span>
      ) : null}
    </span>
  );
}
