'use client';

import { TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { DocLink } from '@/app/_components/ui/doc-link';
import { leakingRulesOf, withCurrentDefaults } from '@/lib/projects/rules/retired';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { Refusal } from '../../../../_components/permission';
import { adoptDefaultRules } from '../actions';
import { PolicyEffect } from './policy-effect';

interface LeakingRulesNoticeProps {
  organizationSlug: string;
  project: string;
  /** The current version. */
  version: number;
  config: ProjectConfig;
  /** Why the reader can't save; null where they can. */
  refusal: Refusal;
}

/** Names the default rules of earlier versions that a project still has, and replaces them on request. */
export function LeakingRulesNotice(props: LeakingRulesNoticeProps) {
  const { organizationSlug, project, version, config, refusal } = props;
  const router = useRouter();
  const leaking = leakingRulesOf(config.tiers);
  if (leaking.length === 0) return null;

  async function adopt() {
    const answer = await adoptDefaultRules({ organizationSlug, project, baseVersion: version });
    router.refresh();
    if (!answer.ok) return answer.error.message;
    toast.success(`Saved as v${answer.data.version}. New chains use it.`);
    return undefined;
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
      </div>
      {refusal ? (
        <p className="text-text-2">{refusal}</p>
      ) : (
        <ConfirmDialog
          trigger={<Button size="sm">Use the current default rules</Button>}
          form="review"
          title="Use the current default rules"
          look="primary"
          confirmLabel="Use the current default rules"
          effects={[
            'The default rules of earlier versions are replaced in every tier. Your own rules stay.',
            `The project is saved as v${version + 1}, which takes effect from the next chain.`,
          ]}
          onConfirm={adopt}
        >
          <PolicyEffect
            key={version}
            organizationSlug={organizationSlug}
            project={project}
            baseVersion={version}
            next={{ policy: { ...config, tiers: withCurrentDefaults(config.tiers) } }}
          />
        </ConfirmDialog>
      )}
    </div>
  );
}
