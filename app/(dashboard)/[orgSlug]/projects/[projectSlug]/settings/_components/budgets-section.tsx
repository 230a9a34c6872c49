'use client';

import { Card } from '@/app/_components/ui/card';
import { Field } from '@/app/_components/ui/field';
import { formatCost } from '@/lib/platform/format/cost';
import type { Budgets } from '@/lib/projects/schema';
import { NumberInput } from '../../../_components/number-input';
import { SettingsForm } from './settings-form';
import { type SectionProps, useDraft } from './use-draft';

interface BudgetsSectionProps extends SectionProps {
  spent: { dayMicros: number; monthMicros: number };
}

const WARN_SHARE = 0.8;
const MICROS = 1_000_000;

export function BudgetsSection({ organizationSlug, saved, refusal, spent }: BudgetsSectionProps) {
  const form = useDraft(organizationSlug, saved, ['budgets']);
  const { budgets } = form.draft.config;
  const set = (next: Partial<Budgets>) => form.configure({ budgets: { ...budgets, ...next } });
  return (
    <SettingsForm form={form} refusal={refusal}>
      <Card title="Budgets">
        <div className="flex flex-col gap-5">
          <BudgetField
            id="budgets.chainUsd"
            label="Per chain"
            after="At the limit, the chain stops and needs a human."
            value={budgets.chainUsd}
            onChange={(chainUsd) => set({ chainUsd })}
            error={form.errorAt('budgets.chainUsd')}
          />
          <BudgetField
            id="budgets.dayUsd"
            label="Per day"
            after={`Spent today: ${formatCost(spent.dayMicros)}. At the limit, no new chain starts until the next day (UTC); running chains continue.`}
            value={budgets.dayUsd}
            onChange={(dayUsd) => set({ dayUsd })}
            error={form.errorAt('budgets.dayUsd')}
          />
          <BudgetField
            id="budgets.monthUsd"
            label="Per month"
            after={`Spent this month: ${formatCost(spent.monthMicros)}. At the limit, no new chain starts until the next month (UTC).`}
            value={budgets.monthUsd}
            onChange={(monthUsd) => set({ monthUsd })}
            error={form.errorAt('budgets.monthUsd')}
          />
        </div>
        <p className="mt-5 border-line border-t pt-3 text-text-2 text-ui">
          Each tier’s process also has its own maximum cost, under Tiers and tools. The lowest
          remaining budget applies.
        </p>
      </Card>
    </SettingsForm>
  );
}

interface BudgetFieldProps {
  id: string;
  label: string;
  /** What happens at the limit. */
  after: string;
  value: number | null;
  onChange: (value: number | null) => void;
  error: string | undefined;
}

function BudgetField({ id, label, after, value, onChange, error }: BudgetFieldProps) {
  const isSet = value !== null && value > 0;
  return (
    <Field id={id} label={label} hint={after} error={error}>
      {(control) => (
        <div className="flex flex-wrap items-center gap-3">
          <NumberInput
            {...control}
            prefix="$"
            placeholder="none"
            value={value}
            onChange={onChange}
          />
          <span className="text-text-2 text-ui tabular-nums">
            {isSet
              ? `warns at ${formatCost(value * WARN_SHARE * MICROS)}, stops at ${formatCost(value * MICROS)}`
              : 'no limit'}
          </span>
        </div>
      )}
    </Field>
  );
}
