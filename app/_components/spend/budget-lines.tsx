import type { ProjectFacts } from '@/lib/insight/dashboard/schema';
import { formatCost } from '@/lib/platform/format/cost';
import { BudgetBar } from '../status/budget-bar';

const WARN_SHARE = 0.8;

interface BudgetLineProps {
  /** "Today", "This month". */
  label: string;
  spentMicros: number;
  limitMicros: number | null;
  /** Of the month, at the pace of the last week. */
  forecastMicros?: number | null;
}

interface BudgetLinesProps {
  project: Pick<ProjectFacts, 'dayMicros' | 'dayLimitMicros' | 'monthMicros' | 'monthLimitMicros'>;
  forecastMicros?: number | null;
}

/** Both budgets of a project. */
export function BudgetLines({ project, forecastMicros }: BudgetLinesProps) {
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
        forecastMicros={forecastMicros ?? null}
      />
    </>
  );
}

/** What is used of a budget, where it warns and stops, and whether it will last. */
function BudgetLine({ label, spentMicros, limitMicros, forecastMicros }: BudgetLineProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <BudgetBar label={label} spentMicros={spentMicros} limitMicros={limitMicros} />
      <p className="text-meta text-text-3">
        {limitMicros === null
          ? 'Nothing warns, and nothing stops.'
          : `Warns at ${formatCost(limitMicros * WARN_SHARE)}, stops at ${formatCost(limitMicros)}.`}
        {forecastMicros ? (
          <Forecast forecastMicros={forecastMicros} limitMicros={limitMicros} />
        ) : null}
      </p>
    </div>
  );
}

function Forecast(props: { forecastMicros: number; limitMicros: number | null }) {
  const { forecastMicros, limitMicros } = props;
  const words = ` About ${formatCost(forecastMicros)} by its end`;
  if (limitMicros !== null && forecastMicros > limitMicros) {
    return <span className="text-wait-fg">{words}, above the budget.</span>;
  }
  return <>{words}.</>;
}
