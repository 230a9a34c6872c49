/** What the CLI does with the trace context of its attempt. */
import { describe, expect, it } from 'vitest';
import { traceIdOf, traceparentOf } from '@/lib/engine/trace-ids';
import { eventually } from '../bootstrap/eventually';
import { callBash, reportBack } from '../support/messages-api/reply';
import { startOtlpReceiver } from '../support/otlp/receiver';
import { tierStart } from './support/cli-host';
import { everyCli } from './support/clis';
import { withRunner } from './support/with-runner';

const CHAIN = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b';
const traceparent = traceparentOf(CHAIN, 'attempt');
const report = reportBack({ summary: 'all is well' });

for (const cli of everyCli()) {
  describe.skipIf(cli.problem !== null)(`CLI ${cli.version}: a trace`, () => {
    it('[INC-4.2] is passed on to the commands of the agent', () =>
      withRunner(cli.binary, [callBash('printenv TRACEPARENT'), report], async (host) => {
        const start = tierStart(1, { allowedRules: ['Bash(printenv:*)'] });
        const attempt = await host.run({ traceparent, start });
        const results = attempt.events().filter(({ kind }) => kind === 'tool_result');
        expect(JSON.stringify(results)).toContain(traceparent);
      }));

    it('[INC-4.2] is continued by the spans that the CLI exports', async () => {
      const receiver = await startOtlpReceiver();
      const env = {
        CLAUDE_CODE_ENABLE_TELEMETRY: '1',
        CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: '200',
      };
      try {
        await withRunner(
          cli.binary,
          [callBash('echo hello'), report],
          async (host) => {
            const start = tierStart(1, { allowedRules: ['Bash(echo:*)'] });
            await host.run({ traceparent, start });
            await eventually('spans', () => receiver.spans.length > 0, 20_000);
            const spans = receiver.spans.map(({ traceId, parentSpanId, name }) => ({
              name,
              isInTrace: traceId === traceIdOf(CHAIN),
              isBelowAttempt: parentSpanId === traceparent.split('-')[2],
            }));
            expect(spans.every(({ isInTrace }) => isInTrace)).toBe(true);
            expect(spans.some(({ isBelowAttempt }) => isBelowAttempt)).toBe(true);
          },
          { ...env, TIERWATCH_RUNNER_PASS_ENV: Object.keys(env).join(',') },
        );
      } finally {
        await receiver.close();
      }
    });
  });
}
