/** What may be seen of this host: by the agent, and by the control plane. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { RUNNER_KEY } from '../../support/fake-control-plane/fake-control-plane';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost;
afterEach(() => host.close());

const MODEL_KEY = 'model-key-canary-8271';
const PROJECT_SECRET = 'project-secret-canary-5519';
const PASSED_SECRET = 'passed-canary-7710';
const REFUSED = 'not-for-the-agent-canary-3301';

const PRINTER = `
  const key = fs.readFileSync('/dev/fd/3', 'utf8');
  const seen = JSON.stringify(process.env);
  transcript(); init();
  text('key ' + key + ' env ' + seen);
  call('t1', 'echo ${PROJECT_SECRET}');
  console.error('stderr ${PROJECT_SECRET} ' + key);
  fs.writeSync(1, 'garbage ${PROJECT_SECRET}\\n');
  fs.writeFileSync(path.join(process.env.CLAUDEOPS_STATE_DIR, 'handoff.json'), '{"note":"${PROJECT_SECRET}"}');
  result({ result: 'done ${PROJECT_SECRET} ' + Buffer.from('${PROJECT_SECRET}').toString('base64'), structured_output: { summary: key } });`;

it('no secret of the host or the project leaves it, in whatever form it is printed', async () => {
  host = await startRunnerHost({
    agent: PRINTER,
    env: {
      ANTHROPIC_API_KEY: MODEL_KEY,
      AWS_SECRET_ACCESS_KEY: REFUSED,
      TIERWATCH_RUNNER_PASS_ENV: 'DEPLOY_TOKEN',
      DEPLOY_TOKEN: PASSED_SECRET,
    },
  });
  mkdirSync(path.join(host.runnerDir, 'secrets'));
  writeFileSync(path.join(host.runnerDir, 'secrets', 'db'), `${PROJECT_SECRET}\n`);
  const attempt = await host.run({
    secretNames: ['db', '../runner-key', 'not-here'],
    start: { writesHandoffFile: true, prompt: `A prompt with ${PROJECT_SECRET}.` },
  });
  const sent = host.plane.bodies.join('\n');
  expect(sent).toContain('garbage [redacted: project secret]');
  for (const secret of [MODEL_KEY, PROJECT_SECRET, PASSED_SECRET, REFUSED, RUNNER_KEY]) {
    expect(sent).not.toContain(secret);
    expect(sent).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
  }
  expect(attempt.results[0]?.handoffFile).toMatchObject({ state: 'read' });
});

it('the agent gets its key by descriptor and only variables of the list', async () => {
  host = await startRunnerHost({
    agent: `init(); text(Object.keys(process.env).sort().join(' ')); text('key has ' + fs.readFileSync('/dev/fd/3', 'utf8').length); result();`,
    env: {
      ANTHROPIC_API_KEY: MODEL_KEY,
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      AWS_SECRET_ACCESS_KEY: REFUSED,
      HOME: '/home/somebody',
      TIERWATCH_RUNNER_KEY: RUNNER_KEY,
      KUBECONFIG: '/etc/kube',
      TIERWATCH_RUNNER_PASS_ENV: 'KUBECONFIG',
      CLAUDE_CODE_SESSION_ID: 'of-another-agent',
    },
  });
  const attempt = await host.run();
  const texts = attempt.events().flatMap((event) => (event.kind === 'text' ? [event.text] : []));
  const names = texts[0]?.split(' ') ?? [];
  expect(names).not.toContain('CLAUDE_CODE_SESSION_ID');
  // What the harness sets for its CLI is its own matter.
  expect(names.filter((name) => !/^(CLAUDE|DISABLE_|MCP_)/.test(name))).toEqual([
    'ANTHROPIC_BASE_URL',
    'GIT_CEILING_DIRECTORIES',
    'HOME',
    'KUBECONFIG',
    'PATH',
    'TIERWATCH_ATTEMPT',
  ]);
  expect(texts[1]).toBe(`key has ${MODEL_KEY.length}`);
  const command = attempt.events()[0];
  expect(command?.kind === 'command' && command.env).toMatchObject({
    KUBECONFIG: 'set',
    HOME: expect.stringContaining(host.runnerDir),
  });
});

it('two organizations never share a work or config folder', async () => {
  host = await startRunnerHost({ agent: `init(); text(process.env.HOME); result();` });
  const places = [];
  for (const organizationId of ['org-a', 'org_a', 'org-a']) {
    const attempt = await host.run({ organizationId, projectId: 'prj_1' });
    const events = attempt.events();
    const init = events.find((event) => event.kind === 'init');
    const text = events.find((event) => event.kind === 'text');
    places.push([init?.cwd, text?.text]);
  }
  expect(places[0]).toEqual(places[2]);
  expect(places[0]?.[0]).not.toBe(places[1]?.[0]);
  expect(places[0]?.[1]).not.toBe(places[1]?.[1]);
});

it('an id that would lead out of the folder starts nothing', async () => {
  host = await startRunnerHost({ agent: 'init(); result();' });
  const attempt = await host.run({ organizationId: '../../elsewhere' });
  expect(attempt.results[0]?.startError).toMatchObject({ code: 'other' });
  expect(attempt.events()).toEqual([]);
});
