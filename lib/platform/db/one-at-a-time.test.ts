import type { PoolClient } from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { sendOneAtATime } from './tenant-pool';

/** Answers in its own time, and says what it was sent when. */
function slowClient() {
  const sent: string[] = [];
  const answers: Record<string, (error?: Error) => void> = {};
  const client = {
    query: (text: string, callback?: () => void) => {
      sent.push(text);
      if (callback) return callback();
      return new Promise<string>((resolve, reject) => {
        answers[text] = (error) => (error ? reject(error) : resolve(`rows of ${text}`));
      });
    },
  };
  sendOneAtATime(client as unknown as PoolClient);
  return { client, sent, answers };
}

describe('a connection that sends one query at a time', () => {
  it('holds the second back until the first has its answer', async () => {
    const { client, sent, answers } = slowClient();
    const both = [client.query('one'), client.query('two')];
    await Promise.resolve();
    expect(sent).toEqual(['one']);
    answers.one?.();
    await vi.waitFor(() => expect(sent).toEqual(['one', 'two']));
    answers.two?.();
    expect(await Promise.all(both)).toEqual(['rows of one', 'rows of two']);
  });

  it('continues after a query that failed, which only its caller is told', async () => {
    const { client, sent, answers } = slowClient();
    const failing = client.query('bad');
    const next = client.query('good');
    await Promise.resolve();
    answers.bad?.(new Error('no such table'));
    await expect(failing).rejects.toThrow('no such table');
    await vi.waitFor(() => expect(sent).toEqual(['bad', 'good']));
    answers.good?.();
    expect(await next).toBe('rows of good');
  });

  it('leaves a query with a callback as it is', () => {
    const { client, sent } = slowClient();
    let called = 0;
    client.query('single', () => {
      called += 1;
    });
    expect([sent, called]).toEqual([['single'], 1]);
  });
});
