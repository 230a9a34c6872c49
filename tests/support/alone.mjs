/** They load modules again, or need one as it is before anything was registered. */
export const ALONE = [
  'tests/integration/accounts/sign-in.test.ts',
  'tests/integration/agents/third-agent.test.ts',
];
