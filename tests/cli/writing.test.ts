/** The real CLI writes an answer slowly: what of it leaves the host before it is whole. */
import { expect, it } from 'vitest';
import { attemptSpec } from '../support/fake-control-plane/attempt-spec';
import type { StoredAttempt } from '../support/fake-control-plane/attempt-store';
import { say, saySlowly } from '../support/messages-api/reply';
import { askStart, tierStart } from './support/cli-host';
import { newestCli } from './support/clis';
import { withRunner } from './support/with-runner';

const PROJECT = {
  organizationId: '5d0f5a2e-6c1c-4b7f-9a3e-0c8a2f3f1a01',
  projectId: '5d0f5a2e-6c1c-4b7f-9a3e-0c8a2f3f1a02',
};

/** A door for each piece of an answer; the first is open. */
function doors(count: number) {
  const opens: (() => void)[] = [];
  const opened = Array.from(
    { length: count },
    (_, piece) => new Promise<void>((resolve) => (opens[piece] = resolve)),
  );
  opens[0]?.();
  return {
    before: async (piece: number) => opened[piece],
    open: (piece: number) => opens[piece]?.(),
  };
}

const partsOf = (attempt: StoredAttempt) =>
  attempt.events().flatMap((event) => (event.kind === 'answer_part' ? [event.text] : []));
const textsOf = (attempt: StoredAttempt) =>
  attempt.events().flatMap((event) => (event.kind === 'text' ? [event.text] : []));

for (const cli of newestCli()) {
  const test = it.skipIf(cli.problem !== null);

  test(`[CNV-1.1] CLI ${cli.version}: an answer is told while it is written, then whole, and no piece of a secret before`, async () => {
    const texts = ['web answers, ', 'its key is key-of-', 'the-runner, and ', 'db is well.'];
    const door = doors(texts.length);
    await withRunner(cli.binary, [saySlowly(texts, door.before)], async (host) => {
      const spec = attemptSpec({ ...PROJECT, start: askStart('How is it?') });
      host.plane.queue(spec);
      const attempt = host.plane.attempt(spec.attemptId);
      const told = (text: string) =>
        host.plane.until(() => partsOf(attempt).join('').endsWith(text), text);
      await told('web answers, ');
      expect(textsOf(attempt)).toEqual([]);
      door.open(1);
      await told('its key is ');
      door.open(2);
      await told('[redacted: project secret], and ');
      expect(textsOf(attempt)).toEqual([]);
      door.open(3);
      await host.plane.until(() => attempt.results.length > 0, 'the result');
      expect(textsOf(attempt)).toEqual([
        'web answers, its key is [redacted: project secret], and db is well.',
      ]);
      expect(JSON.stringify(attempt.events())).not.toContain('key-of-');
      const kinds = attempt.events().map(({ kind }) => kind);
      expect(kinds.lastIndexOf('answer_part')).toBeLessThan(kinds.indexOf('text'));
      const parts = attempt.events().filter((event) => event.kind === 'answer_part');
      const [text] = attempt.events().filter((event) => event.kind === 'text');
      expect(new Set(parts.map(({ messageId }) => messageId))).toEqual(new Set([text?.messageId]));
    });
  });

  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    test(`CLI ${cli.version}: ${signal} in the middle of an answer leaves what was published`, async () => {
      const door = doors(2);
      const reply = saySlowly(['web is ', 'never said'], door.before);
      await withRunner(cli.binary, [reply], async (host) => {
        const spec = attemptSpec({ ...PROJECT, start: askStart('How is it?') });
        host.plane.queue(spec);
        const attempt = host.plane.attempt(spec.attemptId);
        await host.plane.until(() => partsOf(attempt).length > 0, 'a piece');
        const started = attempt.events().find((event) => event.kind === 'process');
        if (!started?.pid) throw new Error('The runner never told which process it started.');
        if (signal === 'SIGKILL') process.kill(started.pid, signal);
        else host.plane.direct({ kind: 'stop', attemptId: spec.attemptId, reason: 'operator' });
        await host.plane.until(() => attempt.results.length > 0, 'the result');
        expect(partsOf(attempt)).toEqual(['web is ']);
        // Asked to stop, the CLI says itself what it has of the message.
        expect(textsOf(attempt)).toEqual(signal === 'SIGINT' ? ['web is '] : []);
        expect(attempt.results[0]?.stopCause).toBe(signal === 'SIGINT' ? 'operator' : null);
      });
    });
  }

  test(`CLI ${cli.version}: a tier’s words come whole`, () =>
    withRunner(cli.binary, [say('All is well.')], async (host) => {
      const attempt = await host.run({ ...PROJECT, start: tierStart(1, { reportSchema: null }) });
      expect(textsOf(attempt)).toEqual(['All is well.']);
      expect(partsOf(attempt)).toEqual([]);
    }));
}
