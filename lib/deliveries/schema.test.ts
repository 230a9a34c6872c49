import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { webhookEndpointSchema, webhookEventSchema } from './schema';

const strict = webhookEndpointSchema({ allowPrivate: false });

describe('a webhook endpoint as entered', () => {
  it('is taken with defaults and each event once', () => {
    const input = {
      url: ' https://hooks.acme.example/tierwatch ',
      eventTypes: ['chain.completed', 'chain.completed', 'chain.needs_human'],
    };
    expect(strict.parse(input)).toEqual({
      url: 'https://hooks.acme.example/tierwatch',
      description: '',
      eventTypes: ['chain.completed', 'chain.needs_human'],
      projectId: null,
    });
  });

  it.each([
    ['http://hooks.acme.example/', 'http_not_allowed', 'Use HTTPS'],
    ['https://127.0.0.1/', 'private_address', '127.0.0.1 is a private address'],
    ['https://2130706433/', 'private_address', '127.0.0.1 is a private address'],
    ['http://169.254.169.254/', 'metadata_address', 'metadata address'],
    ['https://user:pass@acme.example/', 'bad_url', 'Leave them out'],
    ['acme', 'bad_url', 'Enter a full URL'],
  ])('is refused early with the reason: %s', (url, reason, message) => {
    const issue = strict.safeParse({ url, eventTypes: ['chain.completed'] }).error?.issues[0];
    expect(issue).toMatchObject({ code: 'custom', path: ['url'], params: { reason } });
    expect(issue?.message).toContain(message);
  });

  it('may be private where the operator allows it', () => {
    const relaxed = webhookEndpointSchema({ allowPrivate: true });
    const input = { url: 'http://127.0.0.1:9000/', eventTypes: ['chain.completed'] };
    expect(relaxed.safeParse(input).success).toBe(true);
  });

  it.each([[[]], [['chain.exploded']], [['webhook.test']]])(
    'wants known events, not %j',
    (eventTypes) => {
      expect(strict.safeParse({ url: 'https://acme.example/', eventTypes }).success).toBe(false);
    },
  );
});

describe('an event as sent', () => {
  const about = {
    organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
    project: { id: 'prj_1', slug: 'checkout', name: 'Checkout' },
    summary: 'Runner eu-1 stopped answering.',
    link: 'https://tierwatch.example/acme',
  };
  const timestamp = '2026-11-21T14:00:00.000Z';

  it('carries no field that its schema does not name', () => {
    const runner = { id: 'rnr_1', name: 'eu-1', pool: 'eu', lastSeenAt: timestamp, key: 'rnk_x' };
    const event = { type: 'runner.offline', timestamp, data: { ...about, runner } };
    const sent = JSON.stringify(webhookEventSchema.parse(event));
    expect(sent).toContain('eu-1');
    expect(sent).not.toContain('rnk_x');
  });

  it('is refused when its data is that of another type', () => {
    const data = {
      ...about,
      chain: { id: 'chn_1', number: 12, trigger: 'api', startedAt: timestamp },
    };
    expect(webhookEventSchema.safeParse({ type: 'chain.started', timestamp, data }).success).toBe(
      true,
    );
    expect(webhookEventSchema.safeParse({ type: 'chain.completed', timestamp, data }).success).toBe(
      false,
    );
  });
});

it('the example in docs/webhooks.md is an event as its schema says', () => {
  const page = readFileSync(path.resolve('docs/webhooks.md'), 'utf8');
  const example: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
  expect(webhookEventSchema.parse(example)).toEqual(example);
});
