/** What a session keeps outlives its process, its cycle and nothing else. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { eventually } from '../bootstrap/eventually';
import type { RecordedRequest } from '../support/messages-api/recorded-request';
import { callBash, callTool, hang, reportBack } from '../support/messages-api/reply';
import {
  createProject,
  endedChain,
  eventsOf,
  readChain,
  runChain,
  sessionsOf,
  startChain,
} from '../support/system/chain-run';
import { addClaudeHost, type ClaudeHost } from '../support/system/claude-host';
import { report } from '../support/system/tier-script';
import { useSharedSystem } from '../support/system/use-system';
import { letLeasesExpire } from './support/leases';
import { delivered } from './support/spool';
import { spooledText, tablesWith } from './support/stored-text';
import { asSuperuser } from './support/superuser';

const FOUND = 'The disk of web is full: /var is at 100 percent.';
const SECTION = 'Session Recovery Context';

/** Of many kinds; each is made up, and none may be stored anywhere. */
const CANARIES = [
  'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB',
  'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ',
  'AKIAIOSFODNN7CANARY1',
  'xoxb-123456789012-abcdefghijklmnop',
  'glpat-abcdefghij0123456789',
];

const system = useSharedSystem();
const cli = inject('clis').findLast(({ problem }) => problem === null);

describe.skipIf(cli === undefined)('checkpoints', () => {
  let host: ClaudeHost;
  beforeAll(async () => {
    host = await addClaudeHost(system, { binary: cli?.binary ?? '', name: 'checkpoints' });
  });
  afterAll(async () => {
    await host?.close();
  });

  let projectId = '';
  beforeEach(async () => {
    projectId = (await createProject(system.api, host.project({ maxTier: 1 }))).id;
  });

  const done = () => reportBack(report());
  /** Keeps what it found, then reports. */
  const keepsNotes = ({ lastToolResults }: RecordedRequest) =>
    lastToolResults.length === 0
      ? callTool('mcp__tierwatch__session_digest', { summary: FOUND })
      : done();

  async function firstRequestOf(run: () => Promise<unknown>): Promise<RecordedRequest> {
    const before = host.model.requests.length;
    await run();
    const request = host.model.requests[before];
    if (!request) throw new Error('The agent asked for nothing.');
    return request;
  }

  it('[CKP-4.1] the runner is killed: the next attempt starts with what the first has kept', async () => {
    let wasKept = false;
    host.model.setScript(({ lastToolResults }) => {
      if (lastToolResults.length === 0) {
        return callTool('mcp__tierwatch__session_digest', { summary: FOUND });
      }
      wasKept = true;
      return hang();
    });
    const { id } = await startChain(system.api, projectId);
    await eventually('it was kept', () => wasKept, 60_000);
    const [session] = (await readChain(system.api, id)).sessions;
    await eventually('it has arrived', async () =>
      (await eventsOf(system.api, session?.id ?? '')).some(({ kind }) => kind === 'checkpoint'),
    );
    await host.runner.end('SIGKILL');
    const next = await firstRequestOf(async () => {
      host.model.setScript(done);
      await letLeasesExpire(system);
      host.runner.start();
      await endedChain(system.api, id);
    });
    expect(next.system).toContain(SECTION);
    expect(next.system).toContain(FOUND);
    expect(next.system).toContain(`#${session?.number}.1`);
    await delivered(host.runner);
    const [after] = await sessionsOf(system.api, await readChain(system.api, id));
    expect(after?.attempts.map(({ exit }) => exit?.kind)).toEqual(['lost', 'completed']);
  });

  it('[CKP-4.1] the next cycle gets it for four hours, and not after them', async () => {
    host.model.setScript(keepsNotes);
    const first = await firstRequestOf(() => runChain(system.api, projectId));
    expect(first.system).not.toContain(SECTION);
    const second = await firstRequestOf(() => runChain(system.api, projectId));
    expect(second.system).toContain(SECTION);
    expect(second.system).toContain(FOUND);
    await asSuperuser(system, (client) =>
      client.query(
        `update session_checkpoints set created_at = created_at - interval '4 hours 1 second'`,
      ),
    );
    const third = await firstRequestOf(() => runChain(system.api, projectId));
    expect(third.system).not.toContain(SECTION);
  });

  it('[CKP-5.1] nothing of an agent’s secrets is stored, logged, spooled or served', async () => {
    const all = CANARIES.join(' and ');
    host.model.setScript(({ lastToolResults }) => {
      const said = lastToolResults.join('');
      if (said === '') return callTool('mcp__tierwatch__remember', { text: `Found ${all}.` });
      if (said.includes('Saved for')) {
        return callTool('mcp__tierwatch__session_digest', { summary: `Found ${all}.` });
      }
      return said.includes('Saved.') ? callBash(`echo ${all}`) : done();
    });
    const chain = await runChain(system.api, projectId);
    const [session] = await sessionsOf(system.api, chain);
    await delivered(host.runner);
    const served = JSON.stringify([session, await eventsOf(system.api, session?.id ?? '')]);
    const logged = [host.runner, system.web, system.worker].map((part) => part.output()).join('\n');
    expect(served).toContain('[redacted: ');
    for (const canary of CANARIES) {
      expect(served).not.toContain(canary);
      expect(logged).not.toContain(canary);
      expect(spooledText(host.runner)).not.toContain(canary);
      expect(await tablesWith(system, canary)).toEqual([]);
    }
    expect(await tablesWith(system, 'Found [redacted: ')).toEqual(
      expect.arrayContaining(['public.session_checkpoints', 'public.session_event']),
    );
  });
});
