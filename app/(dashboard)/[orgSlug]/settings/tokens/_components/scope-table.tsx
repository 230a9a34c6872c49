'use client';

import { Radio } from '@/app/_components/ui/radio';
import type { TokenScope } from '@/lib/identity/token-scopes';
import { GRANTS, type Grant } from './grants';

interface ScopeTableProps {
  scopes: readonly TokenScope[];
  onChange: (scopes: TokenScope[]) => void;
}

/** For each resource one choice: nothing, read, or more. */
export function ScopeTable({ scopes, onChange }: ScopeTableProps) {
  function choose(grant: Grant, chosen: TokenScope | null) {
    const others = scopes.filter((scope) => scope !== grant.read && scope !== grant.more?.scope);
    onChange(chosen ? [...others, chosen] : others);
  }

  return (
    <ul className="divide-y divide-line rounded-control border border-line">
      {GRANTS.map((grant) => {
        const { label, read, more } = grant;
        const chosen = [read, more?.scope].find((scope) => scope && scopes.includes(scope)) ?? null;
        const choices: [TokenScope | null, string][] = [
          [null, 'Nothing'],
          [read, 'Read'],
          ...(more ? [[more.scope, more.word] satisfies [TokenScope, string]] : []),
        ];
        return (
          <li key={label}>
            <fieldset className="grid grid-cols-[minmax(0,1fr)_5.5rem_4rem_7rem] items-center px-3 py-1.5 text-ui max-md:grid-cols-3 max-md:gap-y-1 max-md:py-2">
              <legend className="sr-only">{label}</legend>
              <span aria-hidden className="font-medium max-md:col-span-3">
                {label}
              </span>
              {choices.map(([scope, word]) => (
                <label key={word} className="flex min-h-6 cursor-pointer items-center gap-1.5">
                  <Radio
                    name={`scope-${read}`}
                    checked={chosen === scope}
                    onChange={() => choose(grant, scope)}
                    className="size-4 accent-ink"
                  />
                  <span className={chosen === scope && scope ? 'font-medium' : 'text-text-2'}>
                    {word}
                  </span>
                </label>
              ))}
            </fieldset>
          </li>
        );
      })}
    </ul>
  );
}
