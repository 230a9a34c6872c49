import { CHECK_REVISION } from '@/lib/protocol/checks/revision';
import { type Capabilities, RUNNER_VERSION } from '@/lib/protocol/schema';

/** What the runners of tests report. */
export const TEST_CAPABILITIES: Capabilities = {
  runnerVersion: RUNNER_VERSION,
  canRunChecks: true,
  checkRevision: CHECK_REVISION,
  canAsk: true,
  canSeal: true,
  canHoldCommands: true,
  hostname: 'test-host',
  platform: 'linux',
  user: 'ops',
  isRoot: false,
  containment: 'marker',
  slots: 4,
  harnesses: [
    {
      name: 'claude',
      version: '2.1.197',
      fingerprint: 'f1',
      isUsable: true,
      problem: null,
      canaries: [{ mode: 'open', state: 'passed', detail: null }],
    },
    {
      name: 'demo',
      version: 'demo-1',
      fingerprint: 'd1',
      isUsable: true,
      problem: null,
      canaries: [],
    },
  ],
};
