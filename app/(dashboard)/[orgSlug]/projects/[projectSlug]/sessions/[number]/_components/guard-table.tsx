import { Check, CircleQuestionMark, Minus, X } from 'lucide-react';
import { cn } from '@/app/_components/ui/cn';
import type { GuardDto } from '@/lib/insight/sessions/schema';
import { comparedText, factWords } from './compared-text';

const LOOKS = {
  passed: { word: 'Passed', icon: Check, mark: 'text-ok-mark', row: '' },
  stopped: { word: 'Decided', icon: X, mark: 'text-wait-mark', row: 'bg-wait-bg' },
  not_checked: { word: 'Not checked', icon: CircleQuestionMark, mark: 'text-text-3', row: '' },
  not_reached: { word: 'Not reached', icon: Minus, mark: 'text-text-3', row: 'text-text-3' },
};

/** Every check in evaluation order. The first that stopped decided, so later ones were not reached. */
export function GuardTable({ guards }: { guards: readonly GuardDto[] }) {
  return (
    <table className="w-full border-line border-t text-ui">
      <caption className="sr-only">Checks in evaluation order</caption>
      <thead>
        <tr className="text-left text-meta text-text-3">
          <th scope="col" className="h-8 px-4 font-medium md:w-2/5">
            Check
          </th>
          <th scope="col" className="w-32 px-3 font-medium">
            Result
          </th>
          <th scope="col" className="px-3 font-medium max-md:hidden">
            Compared
          </th>
        </tr>
      </thead>
      <tbody>
        {guards.map((guard) => (
          <GuardRow key={guard.id} guard={guard} />
        ))}
      </tbody>
    </table>
  );
}

function GuardRow({ guard }: { guard: GuardDto }) {
  const look = LOOKS[guard.state];
  const details = detailsOf(guard);
  return (
    <tr className={cn('border-line border-t align-top', look.row)}>
      <th scope="row" className="px-4 py-1.5 text-left font-normal">
        <code className="mr-2 text-meta text-text-3">{guard.id}</code>
        {guard.name}
        <span className="block text-meta text-text-2 md:hidden">{details}</span>
      </th>
      <td className="px-3 py-1.5 whitespace-nowrap">
        <look.icon aria-hidden className={cn('mr-1.5 inline size-3.5', look.mark)} />
        {look.word}
      </td>
      <td className="px-3 py-1.5 text-text-2 tabular-nums max-md:hidden">{details}</td>
    </tr>
  );
}

/** The facts that were compared, then those that were not, with the reason. */
function detailsOf({ state, compared, unknown }: GuardDto): string {
  const reasons = [...new Set(Object.values(unknown))].join(' ');
  if (state === 'not_checked') return reasons;
  const facts = Object.entries(compared).map(([name, value]) =>
    Object.hasOwn(unknown, name) ? `${factWords(name)}: not checked` : comparedText(name, value),
  );
  return [...facts, ...(reasons === '' ? [] : [reasons])].join(' · ');
}
