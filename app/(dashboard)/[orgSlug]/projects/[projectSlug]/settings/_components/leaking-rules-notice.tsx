'use client';

import { TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { DocLink } from '@/app/_components/ui/doc-link';
import type { Refusal } from '../../../../_components/permission';
import { adoptDefaultRules } from '../actions';

interface LeakingRulesNoticeProps {
  organizationSlug: string;
  project: string;
  /** The saved version that `leaking` was read from. */
  version: number;
  leaking: readonly { tier: number; rules: readonly string[] }[];
  /** Why the reader can't save; null where they can. */
  refusal: Refusal;
}

/** Names the default rules of earlier versions that a project still has, and replaces them on request. */
export function LeakingRulesNotice(props: LeakingRulesNoticeProps) {
  const { organizationSlug, project, version, leaking, refusal } = props;
  const router = useRouter();
  const [isSaving, startSaving] = useTransition();
  const [problem, setProblem] = useState<string | null>(null);
  if (leaking.length === 0) return null;

  function adopt() {
    startSaving(async () => {
      const answer = await adoptDefaultRules({ organizationSlug, project, baseVersion: version });
      setProblem(answer.ok ? null : answer.error.message);
      if (answer.ok) {
        toast.success(`Saved as v${answer.data.version}. New chains use it.`);
      }
      router.refresh();
    });
  }

  return (
    <div
      role="status"
      className="flex flex-wrap items-start gap-3 rounded-control border border-wait-mark bg-wait-bg px-3 py-2 text-ui text-wait-fg"
    >
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <p>
          <TriangleAlert
            aria-hidden
            className="mr-1.5 inline size-4 align-text-bottom text-wait-mark"
          />
          This project uses default rules of an earlier version. They let the agent read files of
          the runner’s account, reach other hosts, or start other programs.{' '}
          <DocLink to="tiers-and-policies#default-rules-of-earlier-versions">What changed</DocLink>
        </p>
        <details>
          <summary className="cursor-pointer">Show the rules</summary>
          <ul className="mt-1 flex flex-col gap-1">
            {leaking.map(({ tier, rules }) => (
              <li key={tier} className="break-words">
                Tier {tier}: <code className="text-code">{rules.join(', ')}</code>
              </li>
            ))}
          </ul>
        </details>
        {problem ? <p role="alert">{problem}</p> : null}
      </div>
      {refusal ? (
        <p className="text-text-2">{refusal}</p>
      ) : (
        <Button
          size="sm"
          aria-disabled={isSaving || undefined}
          onClick={isSaving ? undefined : adopt}
        >
          Use the current default rules
        </Button>
      )}
    </div>
  );
}
