'use client';

import { Radio } from '@/app/_components/ui/input';
import type { TokenScope } from '@/lib/identity/token-scopes';

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

/** One resource of the API and how far a token may go with it. */
interface Grant {
  label: string;
  read: TokenScope;
  /** What reaches further, and the word for it; it includes reading. */
  more: { scope: TokenScope; word: string } | null;
}

/** What can be given one by one, in the order of the form: the resources that the API has. */
export const GRANTS: readonly Grant[] = [
  { label: 'Projects', read: 'projects:read', more: { scope: 'projects:write', word: 'Change' } },
  { label: 'Chains', read: 'chains:read', more: { scope: 'chains:run', word: 'Run and stop' } },
  {
    label: 'Incidents',
    read: 'incidents:read',
    more: { scope: 'incidents:write', word: 'Acknowledge, silence, merge and resolve' },
  },
  {
    label: 'Approvals',
    read: 'approvals:read',
    more: { scope: 'approvals:decide', word: 'Decide' },
  },
  {
    label: 'Sessions',
    read: 'sessions:read',
    more: { scope: 'sessions:write', word: 'Checkpoint and discard' },
  },
  { label: 'Commands', read: 'commands:read', more: null },
  { label: 'Checkpoints', read: 'checkpoints:read', more: null },
  {
    label: 'Conversations',
    read: 'conversations:read',
    more: { scope: 'conversations:write', word: 'Ask' },
  },
  { label: 'Alerts', read: 'alerts:read', more: null },
  {
    label: 'Alert sources',
    read: 'alert-sources:read',
    more: { scope: 'alert-sources:write', word: 'Change' },
  },
  { label: 'Runners', read: 'runners:read', more: { scope: 'runners:write', word: 'Change' } },
  {
    label: 'Webhook endpoints',
    read: 'webhook-endpoints:read',
    more: { scope: 'webhook-endpoints:write', word: 'Change' },
  },
  {
    label: 'Webhook deliveries',
    read: 'webhook-deliveries:read',
    more: { scope: 'webhook-deliveries:write', word: 'Replay' },
  },
  {
    label: 'Organization',
    read: 'organization:read',
    more: { scope: 'organization:write', word: 'Change' },
  },
  { label: 'Members', read: 'members:read', more: { scope: 'members:write', word: 'Manage' } },
  { label: 'API tokens', read: 'tokens:read', more: { scope: 'tokens:write', word: 'Create' } },
  {
    label: 'Notification channels',
    read: 'channels:read',
    more: { scope: 'channels:write', word: 'Change' },
  },
  {
    label: 'Paging policies',
    read: 'paging-policies:read',
    more: { scope: 'paging-policies:write', word: 'Change' },
  },
  { label: 'Audit log', read: 'audit:read', more: null },
  { label: 'Usage', read: 'usage:read', more: null },
  { label: 'Analytics', read: 'analytics:read', more: null },
];
