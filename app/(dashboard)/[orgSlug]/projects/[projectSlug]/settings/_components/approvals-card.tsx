'use client';

import { Card } from '@/app/_components/ui/card';
import { DocLink } from '@/app/_components/ui/doc-link';
import { Field } from '@/app/_components/ui/field';
import type { ApprovalSettings } from '@/lib/projects/approval-settings';
import type { Tier } from '@/lib/protocol/spec';
import { SpanInput } from '../../../_components/span-input';
import { ChoiceRow } from './choice-row';

interface ApprovalsCardProps {
  approvals: ApprovalSettings;
  onChange: (approvals: ApprovalSettings) => void;
  errorAt: (path: string) => string | undefined;
}

const TIERS = [
  { value: '1', label: 'Tier 1' },
  { value: '2', label: 'Tier 2' },
  { value: '3', label: 'Tier 3' },
] as const;

const TIERS_MEAN: Record<Tier, string> = {
  1: 'Operators decide in tier 1, admins and owners in every tier.',
  2: 'Operators decide in tiers 1 and 2, admins and owners in every tier.',
  3: 'Operators, admins and owners decide in every tier.',
};

const PEOPLE = [
  { value: '1', label: 'One' },
  { value: '2', label: 'Two' },
] as const;

const PEOPLE_MEAN = {
  1: 'One person approves. The person who started the chain can’t.',
  2: 'Two people approve; one refusal is enough. The person who started the chain can’t decide.',
} as const;

const REFUSALS = [
  { value: 'resume', label: 'Continue' },
  { value: 'end', label: 'End' },
] as const;

const REFUSALS_MEAN: Record<ApprovalSettings['onRefusal'], string> = {
  resume: 'The agent continues without the command, and reads the reason.',
  end: 'The chain ends and needs a human.',
};

/** Who decides about commands that ask first and about starts that need approval, and for how long. */
export function ApprovalsCard({ approvals, onChange, errorAt }: ApprovalsCardProps) {
  const { operatorsUpToTier, people, onRefusal } = approvals;
  const set = (changes: Partial<ApprovalSettings>) => onChange({ ...approvals, ...changes });
  return (
    <Card
      title="Approvals"
      actions={<DocLink to="tiers-and-policies#approvals">How approvals work</DocLink>}
    >
      <div className="flex flex-col gap-5">
        <p className="max-w-prose text-text-2 text-ui">
          For commands that ask first, and for tiers whose starts need approval. Both are set for
          each tier, under Tiers and tools.
        </p>
        <div className="flex flex-col gap-4">
          <ChoiceRow
            name="approvals.operatorsUpToTier"
            label="Operators up to"
            choices={TIERS}
            value={`${operatorsUpToTier}`}
            onChange={(tier) => set({ operatorsUpToTier: Number(tier) as Tier })}
            meaning={TIERS_MEAN[operatorsUpToTier]}
          />
          <ChoiceRow
            name="approvals.people"
            label="People needed"
            choices={PEOPLE}
            value={people === 2 ? '2' : '1'}
            onChange={(count) => set({ people: Number(count) })}
            meaning={PEOPLE_MEAN[people === 2 ? 2 : 1]}
          />
          <ChoiceRow
            name="approvals.onRefusal"
            label="Refused command"
            choices={REFUSALS}
            value={onRefusal}
            onChange={(next) => set({ onRefusal: next })}
            meaning={REFUSALS_MEAN[onRefusal]}
          />
        </div>
        <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
          <Field
            id="approvals.holdSeconds"
            label="Hold a command for"
            hint="0s to 1m 30s. Then the process ends until the decision."
            error={errorAt('approvals.holdSeconds')}
          >
            {(control) => (
              <SpanInput
                {...control}
                value={approvals.holdSeconds}
                onChange={(holdSeconds) => set({ holdSeconds })}
              />
            )}
          </Field>
          <Field
            id="approvals.expiresSeconds"
            label="Requests expire after"
            hint="5m to 7d. Then the chain ends and needs a human."
            error={errorAt('approvals.expiresSeconds')}
          >
            {(control) => (
              <SpanInput
                {...control}
                value={approvals.expiresSeconds}
                onChange={(expiresSeconds) => set({ expiresSeconds })}
              />
            )}
          </Field>
        </div>
      </div>
    </Card>
  );
}
