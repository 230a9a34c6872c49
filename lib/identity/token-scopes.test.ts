import { describe, expect, it } from 'vitest';
import { hasTokenScope } from './token-scopes';

describe('[SAS-6.2] a token with', () => {
  it.each([
    [['all'], 'tokens:write', true],
    [['projects:read'], 'projects:read', true],
    [['projects:read'], 'projects:write', false],
    [['projects:write'], 'projects:read', true],
    [['projects:write'], 'chains:read', false],
    [['chains:run'], 'chains:run', true],
    [['chains:run'], 'chains:read', true],
    [['chains:run'], 'chains:write', false],
    [['chains:write'], 'chains:run', true],
    [['chains:read'], 'chains:run', false],
    [['escalation-policies:write'], 'paging-policies:write', true],
    [['escalation-policies:read'], 'paging-policies:write', false],
    [['oncall-schedules:write'], 'paging-policies:read', false],
    [[], 'projects:read', false],
  ] as const)('%j asked for %s: %s', (granted, needed, isAllowed) => {
    expect(hasTokenScope(granted, needed)).toBe(isAllowed);
  });
});
