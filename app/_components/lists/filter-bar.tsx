'use client';

import { Search } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { type FormEvent, useEffect, useState, useTransition } from 'react';
import { Input, Select } from '../ui/input';
import { hrefWith } from './list-params';

export interface ListFilter {
  /** In the address. */
  name: string;
  /** "Outcome"; also the choice of all. */
  label: string;
  value: string | undefined;
  /** `group` heads the choices that follow each other under one word. */
  choices: readonly { value: string; label: string; group?: string }[];
  /** Shown while nothing is selected; null if one value is always selected. */
  allLabel: string | null;
}

interface FilterBarProps {
  filters: readonly ListFilter[];
  /** A text to look for, under `?q=`. */
  search?: { label: string; value: string };
}

/** Each filter is a part of the address, so that a view can be sent to somebody. */
export function FilterBar({ filters, search }: FilterBarProps) {
  const router = useRouter();
  const path = usePathname();
  const params = useSearchParams();
  const [isPending, startTransition] = useTransition();

  function change(name: string, value: string) {
    const href = hrefWith(path, Object.fromEntries(params), { [name]: value || null });
    startTransition(() => router.push(href, { scroll: false }));
  }

  return (
    <search
      aria-busy={isPending}
      className="flex flex-wrap items-center gap-2 max-md:grid max-md:grid-cols-2"
    >
      {search ? (
        <SearchBox key={search.value} {...search} onSearch={(text) => change('q', text)} />
      ) : null}
      {filters.map((filter) => (
        <Select
          key={filter.name}
          aria-label={filter.label}
          value={filter.value ?? ''}
          onChange={(event) => change(filter.name, event.target.value)}
          className="w-auto max-md:w-full"
        >
          {filter.allLabel === null ? null : <option value="">{filter.allLabel}</option>}
          <Options choices={filter.choices} />
        </Select>
      ))}
    </search>
  );
}

function Options({ choices }: Pick<ListFilter, 'choices'>) {
  const groups = [...new Set(choices.map(({ group }) => group))];
  return groups.map((group) => {
    const options = choices
      .filter((choice) => choice.group === group)
      .map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ));
    return group ? (
      <optgroup key={group} label={group}>
        {options}
      </optgroup>
    ) : (
      options
    );
  });
}

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSearch(text.trim());
  }
  return (
    <form onSubmit={submit} className="relative flex items-center max-md:col-span-2">
      <Search aria-hidden className="pointer-events-none absolute left-2.5 size-4 text-text-3" />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="w-56 pl-8 max-md:w-full"
      />
    </form>
  );
}
