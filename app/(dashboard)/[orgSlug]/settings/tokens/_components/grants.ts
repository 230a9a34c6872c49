import type { TokenScope } from '@/lib/identity/token-scopes';

/** One resource of the API and how far a token may go with it. */
export interface Grant {
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
