import { Check, Minus, X } from 'lucide-react';
import { cn } from '@/app/_components/ui/cn';
import type { DecisionDto } from '@/lib/sessions/schema';
import { comparedText } from './compared-text';

type Guard = DecisionDto['guards'][number];

const LOOKS = {
  passed: { word: 'Passed', icon: Check, mark: 'text-ok-mark', row: '' },
  stopped: { word: 'Decided', icon: X, mark: 'text-wait-mark', row: 'bg-wait-bg' },
  unasked: { word: 'Not asked', icon: Minus, mark: 'text-text-3', row: 'text-text-3' },
};

/** Every guard in the order it was asked. The first that stopped decided; the others were not asked. */
export function GuardTable({ guards }: { guards: readonly Guard[] }) {
  return (
    <table className="w-full border-line border-t text-ui">
      <caption className="sr-only">Guards, in the order in which they were asked</caption>
      <thead>
        <tr className="text-left text-meta text-text-3">
          <th scope="col" className="h-8 px-4 font-medium md:w-2/5">
            Guard
          </th>
          <th scope="col" className="w-32 px-3 font-medium">
            Answer
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

function GuardRow({ guard }: { guard: Guard }) {
  const answer = guard.passed === null ? 'unasked' : guard.passed ? 'passed' : 'stopped';
  const look = LOOKS[answer];
  const compared = Object.entries(guard.compared).map(([name, value]) => comparedText(name, value));
  return (
    <tr className={cn('border-line border-t align-top', look.row)}>
      <th scope="row" className="px-4 py-1.5 text-left font-normal">
        <code className="mr-2 text-meta text-text-3">{guard.id}</code>
        {guard.name}
        <span className="block text-meta text-text-2 md:hidden">{compared.join(' · ')}</span>
      </th>
      <td className="px-3 py-1.5 whitespace-nowrap">
        <look.icon aria-hidden className={cn('mr-1.5 inline size-3.5', look.mark)} />
        {look.word}
      </td>
      <td className="px-3 py-1.5 text-text-2 tabular-nums max-md:hidden">{compared.join(' · ')}</td>
    </tr>
  );
}
