import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { REQUEST_REASONS, REQUEST_RESULTS } from './request-schema';
import { reasonSentence, requestSentence } from './sentences';
import { setUpText } from './set-up-text';
import { SOURCE_KINDS } from './source-schema';

const url = 'https://tierwatch.example.test/api/signals/als_1';
const source = { url, signingSecretHints: [], timestampHeader: 'x-at' };

describe('setUpText', () => {
  it.each(SOURCE_KINDS)('[INC-1.3] of %s names the URL, and no token', (kind) => {
    for (const signingSecretHints of [[], ['abcd']]) {
      const { text } = setUpText({ ...source, kind, signingSecretHints });
      expect(text).toContain(url);
      expect(text).not.toContain('alk_');
    }
  });

  it('[INC-1.3] of Alertmanager is YAML that sends the end, without a limit, with the token in a file', () => {
    const config = parse(setUpText({ ...source, kind: 'alertmanager' }).text);
    expect(config.receivers[0].webhook_configs[0]).toEqual({
      url,
      send_resolved: true,
      max_alerts: 0,
      http_config: {
        authorization: {
          type: 'Bearer',
          credentials_file: '/etc/alertmanager/tierwatch-token',
        },
      },
    });
    expect(config.route).toMatchObject({
      receiver: 'tierwatch',
      group_by: ['alertname', 'service'],
      repeat_interval: '4h',
    });
  });
});

const counts = { alertCount: 2, skippedCount: 0, truncatedCount: 0 };
const request = { state: 'processed', reason: null, result: 'alerts', ...counts } as const;

describe('requestSentence', () => {
  it.each([
    [{ state: 'received', result: null } as const, 'Waiting to be processed.'],
    [{}, '2 alerts.'],
    [{ truncatedCount: 3 }, '2 alerts. 3 more alerts were cut off by the sender.'],
    [{ truncatedCount: 1 }, '2 alerts. 1 more alert was cut off by the sender.'],
    [{ alertCount: 1, skippedCount: 1 }, '1 alert. 1 more alert couldn’t be read.'],
    [{ result: 'test_received' } as const, 'Test received. Tests open nothing.'],
    [{ state: 'unparsed', reason: 'not_json' } as const, 'The body isn’t JSON.'],
  ])('[INC-1.3] of %j', (changes, sentence) => {
    expect(requestSentence({ ...request, ...changes })).toBe(sentence);
  });

  it('[INC-1.3] has a sentence for every code', () => {
    for (const reason of REQUEST_REASONS) expect(reasonSentence(reason)).toMatch(/\.$/);
    for (const result of REQUEST_RESULTS) {
      expect(requestSentence({ ...request, result })).toMatch(/\.$/);
    }
  });
});
