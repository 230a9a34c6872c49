import type { ProjectFacts } from '@/lib/insight/dashboard/schema';
import { formatCost } from '@/lib/platform/format/cost';
import { BudgetBar } from '../status/budget-bar';

const WARN_SHARE = 0.8;

interface BudgetLineProps {
  /** "Today", "This month". */
  label: string;
  spentMicros: number;
  limitMicros: number | null;
}

interface BudgetLinesProps {
  project: Pick<ProjectFacts, 'dayMicros' | 'dayLimitMicros' | 'monthMicros' | 'monthLimitMicros'>;
}

/** Both budgets of a project. */
export function BudgetLines({ project }: BudgetLinesProps) {
  return (
    <>
      <BudgetLine
        label="Today"
        spentMicros={project.dayMicros}
        limitMicros={project.dayLimitMicros}
      />
      <BudgetLine
        label="This month"
        spentMicros={project.monthMicros}
        limitMicros={project.monthLimitMicros}
      />
    </>
  );
}

/** What is used of a budget, and where it warns and stops. */
function BudgetLine({ label, spentMicros, limitMicros }: BudgetLineProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <BudgetBar label={label} spentMicros={spentMicros} limitMicros={limitMicros} />
      <p className="text-meta text-text-3">
        {limitMicros === null
          ? 'No limit: nothing warns and nothing stops.'
          : `Warns at ${formatCost(limitMicros * WARN_SHARE)}, stops at ${formatCost(limitMicros)}.`}
      </p>
    </div>
  );
}
