'use client';

import { Search } from 'lucide-react';
import { useState } from 'react';
import { showAddress } from '@/app/_components/lists/address-params';
import { Button } from '@/app/_components/ui/button';
import { Input } from '@/app/_components/ui/input';
import { Link } from '@/app/_components/ui/link';
import { type ListedResource, searchOperations } from '@/lib/api/reference/search';
import { MethodAndPath } from './method-mark';

interface OperationSearchProps {
  resources: readonly ListedResource[];
  /** From the address, so that a search can be sent to somebody. */
  initial: string;
}

/** Every operation by resource; narrowed while one types. */
export function OperationSearch({ resources, initial }: OperationSearchProps) {
  const [query, setQuery] = useState(initial);
  const found = searchOperations(resources, query);
  const count = found.reduce((sum, { operations }) => sum + operations.length, 0);

  function change(next: string) {
    setQuery(next);
    const search = next.trim() === '' ? '' : `?q=${encodeURIComponent(next.trim())}`;
    showAddress(`${window.location.pathname}${search}`);
  }

  return (
    <div className="flex flex-col gap-6">
      <search className="relative flex items-center">
        <Search aria-hidden className="pointer-events-none absolute left-2.5 size-4 text-text-3" />
        <Input
          type="search"
          aria-label="Search operations"
          placeholder="Search operations, fields, scopes"
          value={query}
          onChange={(event) => change(event.target.value)}
          className="w-full pl-8"
        />
      </search>
      <p role="status" className="sr-only">
        {count} {count === 1 ? 'operation' : 'operations'}
      </p>
      {found.length === 0 ? (
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-text-2">No operations match this search.</p>
          <Button size="sm" onClick={() => change('')}>
            Clear search
          </Button>
        </div>
      ) : null}
      {found.map(({ name, title, operations }) => (
        <section key={name} aria-labelledby={`of-${name}`} className="flex flex-col gap-2">
          <h2 id={`of-${name}`} className="text-section">
            <Link href={`/docs/reference/${name}`} className="hover:underline">
              {title}
            </Link>
          </h2>
          <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
            {operations.map((operation) => (
              <li
                key={operation.href}
                className="relative flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 px-4 py-2 hover:bg-hover"
              >
                <Link
                  href={operation.href}
                  className="min-w-0 -outline-offset-2 after:absolute after:inset-0 after:content-['']"
                >
                  <MethodAndPath method={operation.method} path={operation.path} />
                </Link>
                <span className="text-text-2 text-ui">{operation.summary}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
