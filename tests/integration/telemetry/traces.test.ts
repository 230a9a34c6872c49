/** A chain as one trace, sent to a backend that takes OTLP. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { chainEnded } from '@/lib/engine/domain-events';
import { traceIdOf } from '@/lib/engine/trace-ids';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { subscribe } from '@/lib/platform/domain-events';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import type { RunnerEvent } from '@/lib/protocol/events';
import { flushTelemetry, startExporting } from '@/lib/telemetry/open-telemetry';
import { startTelemetry } from '@/lib/telemetry/start';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { type OtlpReceiver, startOtlpReceiver } from '@/tests/support/otlp/receiver';
import { treeOf } from '@/tests/support/otlp/tree';
import { ask, decide, tierTwoRuns } from '../engine/support/approving';
import { startOne } from '../engine/support/running';

useTestDatabase();
const held = globalThis as unknown as { tierwatchEnv?: unknown };
let receiver: OtlpReceiver;

function useEndpoint(url: string, more: Record<string, string> = {}): void {
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more });
  delete held.tierwatchEnv;
  startTelemetry('worker');
}

beforeAll(async () => {
  receiver = await startOtlpReceiver();
});
beforeEach(() => {
  receiver.answer(200);
  receiver.spans.length = 0;
  receiver.requests.length = 0;
  useEndpoint(receiver.url, { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20secret' });
  receiver.metrics.length = 0;
});
afterEach(() => flushTelemetry());
afterAll(async () => {
  subscribe(chainEnded, 'telemetry', async () => []);
  delete held.tierwatchEnv;
  liveHub().close();
  await receiver.close();
});

/** A question with a secret in it, and everything an agent may say. */
const TEXT = 'the-text-of-an-agent';
const call = (toolUseId: string, tool: string, parentToolUseId: string | null = null) =>
  ({
    kind: 'tool_call',
    messageId: 'm',
    toolUseId,
    tool,
    input: { command: TEXT },
    parentToolUseId,
  }) satisfies RunnerEvent;
const result = (toolUseId: string, isError = false) =>
  ({
    kind: 'tool_result',
    toolUseId,
    isError,
    denied: false,
    content: TEXT,
    stdout: TEXT,
    stderr: null,
    exitCode: null,
    cutBytes: 0,
  }) satisfies RunnerEvent;
const brokered = (phase: 'started' | 'ended', number: number) =>
  ({
    kind: 'brokered',
    phase,
    number,
    argv: ['/usr/bin/docker', 'restart', TEXT],
    rule: `Bash(docker restart ${TEXT})`,
    changes: true,
    refusal: null,
    end:
      phase === 'ended'
        ? {
            exitCode: 0,
            signal: null,
            error: null,
            durationMs: 5,
            output: TEXT,
            outputBytes: 9,
          }
        : null,
  }) satisfies RunnerEvent;
const metered = (messageId: string) =>
  ({
    kind: 'metered',
    messageId,
    model: 'claude-opus-5-x',
    inputTokens: 11,
    outputTokens: 22,
    cacheReadTokens: 33,
    cacheWriteTokens: 44,
    isComplete: true,
  }) satisfies RunnerEvent;

describe('[INC-4.2] traces', () => {
  it('a chain is one trace: its tiers, attempts, requests, tools, commands and approvals', async () => {
    const scene = await tierTwoRuns();
    const { cast, spec, chainId, now } = scene;
    await ask(scene, {}, now);
    const at = new Date(now.getTime() + 45_000);
    await decide(cast.alice, cast, 'approve', at);
    await ask(scene, {}, at);
    expect(receiver.spans).toEqual([]);
    await play(
      cast.runner,
      spec,
      {
        report: { resolved: true },
        text: TEXT,
        events: [
          metered('msg-1'),
          call('t1', 'Bash'),
          brokered('started', 1),
          brokered('ended', 1),
          result('t1'),
          call('t2', 'Task'),
          call('t3', 'Read', 't2'),
          result('t3', true),
          result('t2'),
        ],
      },
      new Date(at.getTime() + 10_000),
    );
    await flushTelemetry();

    const { spans } = receiver;
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(chainId)]));
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(treeOf(spans)).toEqual([
      'invoke_agent checkout',
      '  invoke_agent tier-1',
      '    claude',
      '      chat claude-haiku-test',
      '  invoke_agent tier-2',
      '    claude',
      '      chat claude-opus-5-x',
      '      execute_tool Bash',
      '        docker',
      '          approval',
      '      execute_tool Task',
      '        execute_tool Read !',
    ]);
    const named = (name: string) => spans.find((span) => span.name === name);
    const [root, one, two] = ['checkout', 'tier-1', 'tier-2'].map((agent) =>
      named(`invoke_agent ${agent}`),
    );
    expect(root?.attributes).toMatchObject({
      'tierwatch.chain.id': encodeId('chn', chainId),
      'tierwatch.chain.trigger': 'manual',
      'tierwatch.chain.dry_run': false,
    });
    expect(root?.kind).toBe('internal');
    expect(two?.links).toEqual([
      {
        traceId: traceIdOf(chainId),
        spanId: one?.spanId,
        attributes: { 'tierwatch.link': 'resume' },
      },
    ]);
    expect(two?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'tier-2',
      'gen_ai.provider.name': 'anthropic',
      'tierwatch.tier': 2,
    });
    expect(named('chat claude-opus-5-x')?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.response.model': 'claude-opus-5-x',
      'gen_ai.response.id': 'msg-1',
      'gen_ai.usage.input_tokens': 11,
      'gen_ai.usage.output_tokens': 22,
      'gen_ai.usage.cache_read.input_tokens': 33,
      'gen_ai.usage.cache_write.input_tokens': 44,
    });
    expect(named('docker')).toMatchObject({
      kind: 'client',
      attributes: { 'process.exit.code': 0, 'tierwatch.command.decision': 'approved' },
    });
    const approval = named('approval');
    expect(approval?.attributes['tierwatch.approval.decided_by']).toBe('person');
    expect((approval?.endedAt ?? 0) - (approval?.startedAt ?? 0)).toBe(45_000);
    const work = spans.find(
      ({ name, parentSpanId }) => name === 'claude' && parentSpanId === two?.spanId,
    );
    expect(work).toMatchObject({ kind: 'client', attributes: { 'process.exit.code': 0 } });
    for (const span of spans) {
      expect(span.endedAt).toBeGreaterThanOrEqual(span.startedAt);
      expect(span.scope).toBe('tierwatch');
    }
  });

  it('have nothing in them that an agent said, got or ran', async () => {
    const cast = await makeCast();
    await startOne(cast);
    const spec = await claimNext(cast.runner);
    await play(cast.runner, spec, {
      text: TEXT,
      report: { summary: TEXT },
      events: [call('t1', 'Bash'), brokered('started', 1), brokered('ended', 1), result('t1')],
    });
    await flushTelemetry();
    expect(receiver.spans.length).toBeGreaterThan(4);
    const exported = JSON.stringify(receiver.spans);
    expect(exported).not.toContain(TEXT);
    expect(exported).not.toContain(spec.start.prompt.slice(0, 40));
    expect(exported).not.toContain('@acme.example');
  });

  it('name the process and nothing of its host, and send the headers', async () => {
    Object.assign(process.env, { OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' });
    const cast = await makeCast();
    await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), {});
    await flushTelemetry();
    delete process.env.OTEL_RESOURCE_ATTRIBUTES;
    expect(receiver.spans[0]?.resource).toEqual({
      'service.name': 'tierwatch-worker',
      'service.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      'service.instance.id': expect.any(String),
      'deployment.environment.name': 'test',
    });
    const traces = receiver.requests.find(({ path }) => path === '/v1/traces');
    expect(traces).toMatchObject({
      headers: { 'x-key': 'a secret', 'content-type': 'application/x-protobuf' },
    });
  });

  it('continue in what an attempt starts, which gets the context of its span', async () => {
    const cast = await makeCast();
    const chainId = await startOne(cast);
    const spec = await claimNext(cast.runner);
    await play(cast.runner, spec, {});
    await flushTelemetry();
    const [version, traceId, spanId, flags] = spec.traceparent?.split('-') ?? [];
    expect([version, traceId, flags]).toEqual(['00', traceIdOf(chainId), '01']);
    const attempt = receiver.spans.find((span) => span.spanId === spanId);
    expect(attempt).toMatchObject({ traceId, kind: 'client' });
  });

  it('aren’t continued where no traces are exported', async () => {
    useEndpoint(receiver.url, { OTEL_TRACES_EXPORTER: 'none' });
    const cast = await makeCast();
    await startOne(cast);
    const spec = await claimNext(cast.runner);
    delete process.env.OTEL_TRACES_EXPORTER;
    expect(spec.traceparent).toBeUndefined();
    await play(cast.runner, spec, {});
  });

  it('are exported once for a chain, and under the same ids by whoever exports it again', async () => {
    const cast = await makeCast();
    const chainId = await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), {});
    await stopChain(cast.alice, encodeId('chn', chainId)).catch(() => undefined);
    await flushTelemetry();
    const first = receiver.spans.map(({ spanId }) => spanId);
    expect(new Set(first).size).toBe(first.length);
    startExporting('web')?.add({ scope: cast.alice, chainId });
    await flushTelemetry();
    expect(receiver.spans.slice(first.length).map(({ spanId }) => spanId)).toEqual(first);
  });

  it('say which chain failed, and link a tier that started from a handoff', async () => {
    const cast = await makeCast({ continuation: { tier1To2: 'handoff', tier2To3: 'handoff' } });
    await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    for (let time = 0; time < 2; time += 1) {
      const queued = await inTransaction(cast.alice, (db) =>
        db.attempt.findFirst({ where: { status: 'queued' } }),
      );
      if (!queued) break;
      await play(cast.runner, await claimNext(cast.runner), {
        isSilent: true,
        result: { exit: { code: 7, signal: null } },
      });
    }
    await flushTelemetry();
    const two = receiver.spans.find(({ name }) => name === 'invoke_agent tier-2');
    expect(two?.links.map(({ attributes }) => attributes['tierwatch.link'])).toEqual(['handoff']);
    const failed = receiver.spans.find(({ attributes }) => attributes['process.exit.code'] === 7);
    expect(failed?.isError).toBe(true);
  });
});

describe('[INC-4.2] metrics by OTLP', () => {
  it('are those of a scrape, with the last ones sent at the end', async () => {
    const cast = await makeCast();
    await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), { costUsd: 0.5 });
    await flushTelemetry();
    const named = (name: string) => receiver.metrics.find((metric) => metric.name === name);
    const attempts = named('tierwatch_attempts_total');
    expect(attempts).toMatchObject({ kind: 'sum', isMonotonic: true, isCumulative: true });
    const succeeded = attempts?.points.find(
      ({ attributes }) => attributes.tier === '1' && attributes.outcome === 'succeeded',
    );
    expect(succeeded?.value).toBeGreaterThan(0);
    const durations = named('tierwatch_chain_duration_seconds');
    const [healthy] = (durations?.points ?? []).filter(
      ({ attributes }) => attributes.outcome === 'healthy',
    );
    expect(durations?.kind).toBe('histogram');
    expect(healthy?.count).toBe(healthy?.buckets.reduce((sum, count) => sum + count, 0));
    expect(named('process_resident_memory_bytes')).toMatchObject({ kind: 'gauge' });
    // Of one role only: the web process.
    expect(named('tierwatch_runners')).toBeUndefined();
    expect(attempts?.resource['service.name']).toBe('tierwatch-worker');
  });
});

describe('[INC-4.2] a backend that is away', () => {
  it.each<[string, string | null, number | null]>([
    ['refuses connections', 'http://127.0.0.1:9', 200],
    ['answers 503', null, 503],
    ['refuses what is sent', null, 400],
    ['never answers', null, null],
  ])('costs a chain and the end of its process nothing when it %s', async (_what, url, status) => {
    receiver.answer(status);
    useEndpoint(url ?? receiver.url);
    const cast = await makeCast();
    const chainId = await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), {});
    const chain = await inTransaction(cast.alice, (db) =>
      db.chain.findFirstOrThrow({ where: { id: chainId } }),
    );
    expect(chain.status).toBe('ended');
    // It would wait for as long as the test may take.
    await flushTelemetry(500);
    expect(receiver.spans).toEqual([]);
  });

  it('gets what comes after it is back', async () => {
    receiver.answer(400);
    const cast = await makeCast();
    await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), {});
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(0);
    receiver.answer(200);
    const chainId = await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), {});
    await flushTelemetry();
    expect(receiver.spans.map(({ traceId }) => traceId)).toContain(traceIdOf(chainId));
  });
});
