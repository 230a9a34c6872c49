/** They put something in a module's place, or need one as it is before anything was registered. */
export const ALONE = [
  'tests/integration/accounts/sign-in.test.ts',
  'tests/integration/accounts/provider-sign-in.test.ts',
  'tests/integration/agents/third-agent.test.ts',
  'tests/integration/projects/new-project-isolation.test.ts',
  'tests/integration/projects/new-project-monitoring.test.ts',
  'tests/integration/projects/policy-preview-route.test.ts',
  'tests/integration/redaction/no-secret-is-kept.test.ts',
  'tests/integration/tenancy/role-walk.test.ts',
];
