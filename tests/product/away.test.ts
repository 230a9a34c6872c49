import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { eventually } from '../bootstrap/eventually';
import { processesWith } from '../support/fake-control-plane/processes';
import {
  createProject,
  endedChain,
  eventsOf,
  readChain,
  sessionsOf,
  startChain,
} from '../support/system/chain-run';
import type { RunnerProcess } from '../support/system/runner';
import { useSharedSystem } from '../support/system/use-system';
import { delivered, spooledLines } from './support/spool';
import { type TalkativeAgent, talkativeAgent } from './support/talkative-agent';

const system = useSharedSystem();

/** Every line that the agent has said in one attempt, as often as it is stored. */
function linesOf(events: SessionEventDto[], attemptId: string | undefined): string[] {
  return events
    .filter((event) => event.kind === 'text' && event.attemptId === attemptId)
    .map(({ payload }) => String(payload.text));
}

const expectedLines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`);

describe('processes that are away for a while', () => {
  async function talking(name: string, lines: number) {
    const dir = path.join(system.dataDir, name);
    mkdirSync(dir);
    const agent: TalkativeAgent = await talkativeAgent(dir, lines);
    const runner: RunnerProcess = await system.addRunner({
      name,
      pool: name,
      env: { CLAUDE_BIN: agent.file },
    });
    const project = await createProject(system.api, {
      name,
      harness: 'claude',
      // The program in the CLI's place isn't in the sandbox.
      isolation: 'open',
      runnerPool: name,
      maxTier: 1,
      schedule: { kind: 'manual', timeZone: 'UTC' },
    });
    const { id } = await startChain(system.api, project.id);
    return { agent, runner, chainId: id };
  }

  it('[SAS-3.4] the web process is killed while an attempt runs: every event is stored once, and the result', async () => {
    const { agent, runner, chainId } = await talking('web-away', 1_000);
    agent.letBegin();
    const [session] = (await readChain(system.api, chainId)).sessions;
    await eventually('the first events are stored', async () => {
      const events = await eventsOf(system.api, session?.id ?? '');
      return events.some((event) => event.kind === 'text');
    });
    await system.web.end('SIGKILL');
    agent.letGoOn();
    await eventually('the agent has ended', () => runner.output().includes('attempt ended'));
    system.web.start();
    await system.webAnswers();

    const chain = await endedChain(system.api, chainId);
    expect(chain.outcome).toBe('healthy');
    const [detail] = await sessionsOf(system.api, chain);
    expect(detail?.attempts.map(({ exit }) => exit?.kind)).toEqual(['completed']);
    const events = await eventsOf(system.api, detail?.id ?? '');
    expect(linesOf(events, detail?.attempts[0]?.id)).toEqual(expectedLines(1_000));
    const sequence = events.map(({ seq }) => seq);
    expect(new Set(sequence).size).toBe(sequence.length);
  });

  it('[SAS-3.4] the runner is killed holding 5,000 unsent events: after its restart each is stored exactly once', async () => {
    const { agent, runner, chainId } = await talking('runner-killed', 10_000);
    await eventually('the agent runs', () => runner.output().includes('attempt started'));
    await system.web.end('SIGKILL');
    agent.letBegin();
    await eventually('half of it is said', () => spooledLines(runner) >= 5_000, 60_000);
    await runner.end('SIGKILL');
    const left = processesWith(agent.file);
    expect(left).toHaveLength(1);
    system.web.start();
    await system.webAnswers();
    runner.start();
    await eventually('what was left is found', () =>
      runner.output().includes('left by an earlier'),
    );
    expect(processesWith(agent.file)).not.toContain(left[0]);
    agent.letGoOn();
    await delivered(runner);

    const chain = await endedChain(system.api, chainId);
    expect(chain.outcome).toBe('healthy');
    const [detail] = await sessionsOf(system.api, chain);
    expect(detail?.attempts.map(({ exit }) => exit?.kind)).toEqual(['lost', 'completed']);
    const events = await eventsOf(system.api, detail?.id ?? '');
    expect(linesOf(events, detail?.attempts[0]?.id).slice(0, 5_000)).toEqual(expectedLines(5_000));
    expect(linesOf(events, detail?.attempts[1]?.id)).toEqual(expectedLines(10_000));
    expect(processesWith(agent.file)).toEqual([]);
  });
});
