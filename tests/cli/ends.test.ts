import { expect, it } from 'vitest';
import { classifyAttemptEnd } from '@/lib/agents/claude/classify';
import type { StartSpec } from '@/lib/protocol/spec';
import {
  callBash,
  failWith,
  hang,
  type Reply,
  refuse,
  reportBack,
  say,
} from '../support/messages-api/reply';
import { resumeOf, tierStart } from './support/cli-host';
import { describeCli } from './support/describe-cli';
import { endFacts } from './support/end-facts';

const always = (reply: Reply) => () => reply;
const limits = (changes: Partial<StartSpec['limits']>): Partial<StartSpec> => ({
  limits: { ...tierStart(1).limits, ...changes },
});

describeCli('ends', (withBench) => {
  it.each<[string, () => Reply, Partial<StartSpec>, string, string]>([
    ['a report', always(reportBack({ summary: 'ok' })), {}, 'completed', 'kept'],
    ['401', always(failWith(401, 'invalid x-api-key')), {}, 'auth', 'kept'],
    ['403', always(failWith(403)), {}, 'auth', 'kept'],
    [
      '429',
      always(failWith(429, 'slow down', { 'x-should-retry': 'false' })),
      {},
      'rate_limited',
      'kept',
    ],
    ['529', always(failWith(529, 'Overloaded')), {}, 'overloaded', 'kept'],
    ['500', always(failWith(500)), {}, 'overloaded', 'kept'],
    ['400', always(failWith(400, 'max_tokens is wrong')), {}, 'bad_request', 'kept'],
    ['404', always(failWith(404, 'model: none')), {}, 'bad_request', 'kept'],
    [
      'too long',
      always(failWith(400, 'prompt is too long: 214000 tokens > 200000 maximum')),
      {},
      'context_exhausted',
      'retired',
    ],
    ['refusal', always(refuse()), {}, 'refused_by_model', 'retired'],
    ['turns', always(callBash('docker ps')), limits({ maxTurns: 2 }), 'max_turns', 'kept'],
    [
      'budget',
      always(callBash('docker ps')),
      limits({ maxBudgetUsd: 0.000_01 }),
      'max_budget',
      'kept',
    ],
    [
      'a report of the wrong form',
      always(reportBack({ wrong: true })),
      {},
      'report_missing',
      'kept',
    ],
    ['no report at all', always(say('All is well.')), {}, 'report_missing', 'kept'],
  ])('%s', (_, script, changes, end, pointer) =>
    withBench(script, async ({ run }) => {
      const spec = tierStart(1, changes);
      expect(classifyAttemptEnd(endFacts(spec, await run(spec)))).toMatchObject({ end, pointer });
    }),
  );

  it('the provider is not there', () =>
    withBench([], async ({ api, run }) => {
      await api.close();
      const spec = tierStart(1);
      expect(classifyAttemptEnd(endFacts(spec, await run(spec))).end).toBe('unreachable');
    }));

  it('a resumed history that the provider refuses', () =>
    withBench([reportBack({ summary: 'ok' })], async ({ api, run }) => {
      const one = tierStart(1);
      await run(one);
      api.setScript(
        always(failWith(400, 'messages.2: `tool_use` ids were found without `tool_result` blocks')),
      );
      const two = tierStart(2, { continuation: resumeOf(one) });
      expect(classifyAttemptEnd(endFacts(two, await run(two)))).toMatchObject({
        end: 'history_unreplayable',
        pointer: 'retired',
      });
    }));

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    '%s from elsewhere, waiting for the model',
    (signal) =>
      withBench([hang()], async ({ api, start }) => {
        const spec = tierStart(1);
        const cli = await start(spec);
        await api.waitForRequests(1);
        cli.child.kill(signal);
        expect(classifyAttemptEnd(endFacts(spec, await cli.ended)).end).toBe('killed');
      }),
  );

  it('a conversation id that is taken', () =>
    withBench(always(reportBack({ summary: 'ok' })), async ({ run }) => {
      const spec = tierStart(1);
      await run(spec);
      const again = await run(spec);
      expect(classifyAttemptEnd(endFacts(spec, again, { transcriptSeen: true }))).toMatchObject({
        end: 'start_failed',
        pointer: 'none',
        retry: { kind: 'once' },
      });
    }));
});
