/** A runner that ends while it has checks to run. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import { RUNNER_KEY } from '../../support/fake-control-plane/fake-control-plane';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost | null = null;
afterEach(() => host?.close());

const UNTIL_GO = `
  init();
  const look = setInterval(() => {
    if (!fs.existsSync('go')) return;
    clearInterval(look);
    result();
  }, 20);`;

it('[INC-1.1] a runner that ends runs its checks until its last attempt has ended', async () => {
  const env = { TIERWATCH_RUNNER_GRACE_SECONDS: '60' };
  host = await startRunnerHost({ agent: UNTIL_GO, env });
  const { plane, runner, runnerDir } = host;
  const { port } = new URL(plane.url);
  const check = { type: 'tcp', target: `127.0.0.1:${port}`, timeoutSeconds: 1 };
  const checkId = '00000000-0000-4000-8000-000000000000';
  plane.checkPlan = {
    digest: 'one',
    projects: [
      {
        ...{ projectId: '00000000-0000-4000-8000-000000000001', epoch: 1 },
        checks: [{ checkId, service: 'web', check, everySeconds: 1 }],
      },
    ],
  };
  const spec = attemptSpec();
  plane.queue(spec);
  await plane.until(() => plane.attempt(spec.attemptId).events().length > 0, 'the agent');
  await plane.until(() => plane.checkResults.length > 0, 'a result');

  const stopped = runner.stop();
  const before = plane.checkResults.length;
  await plane.until(() => plane.checkResults.length >= before + 4, 'results while it ends');
  const { organizationId, projectId } = spec;
  await writeFile(path.join(runnerDir, 'projects', organizationId, projectId, 'open/work/go'), '');
  await stopped;
  expect(plane.attempt(spec.attemptId).results).toHaveLength(1);
  expect(plane.checkResults.every(({ status }) => status === 'healthy')).toBe(true);
});

it('[INC-1.1] [SEC-2.1] a command that prints secrets of a project or of the runner sends none of them', async () => {
  host = await startRunnerHost({ agent: 'init(); result();' });
  const { plane, runnerDir } = host;
  const secrets = path.join(runnerDir, 'secrets');
  await mkdir(secrets, { recursive: true });
  await writeFile(path.join(secrets, 'db'), 'plain-words-canary-4471\n');
  const printed = path.join(runnerDir, 'printed');
  await writeFile(printed, `plain-words-canary-4471 and ${RUNNER_KEY}\n`);
  const check = {
    ...{ type: 'command' as const, target: `cat ${printed}`, timeoutSeconds: 20 },
    ...{ isAllowedByOwner: true, exitCodes: [7] },
  };
  plane.checkPlan = {
    digest: 'one',
    projects: [
      {
        ...{ projectId: '00000000-0000-4000-8000-000000000001', epoch: 1 },
        checks: [
          {
            ...{ checkId: '00000000-0000-4000-8000-000000000000', service: 'web' },
            ...{ check, everySeconds: 300 },
          },
        ],
      },
    ],
  };
  // Its tier has no secret, so the attempt itself knows none.
  const attempt = await host.run({ services: [{ name: 'web', checks: [check] }], secretNames: [] });
  await plane.until(() => plane.checkResults.length > 0, 'a result');
  const error = expect.stringMatching(
    /^Exit code 0, expected 7: \[redacted: .*\] and \[redacted: .*\]$/,
  );
  expect(plane.checkResults).toMatchObject([{ status: 'down', error }]);
  expect(attempt.events()).toContainEqual(expect.objectContaining({ kind: 'check_result', error }));
  const sent = plane.bodies.join('\n');
  for (const secret of ['plain-words-canary-4471', RUNNER_KEY]) expect(sent).not.toContain(secret);
});
