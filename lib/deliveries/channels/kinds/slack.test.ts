import { describe, expect, it } from 'vitest';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import { describeKind } from '@/tests/support/describe-kind';
import { alertMessage, signalFixture } from '@/tests/support/signals/alerts';
import type { Message } from '../../message';
import { cutEscaped, escapeSlack, slackMessage, slackPlainMessage, slackResult } from './slack';

const fixture = signalFixture('slack_out_built');
const hostile: string = signalFixture('alertmanager_hostile_text').alerts[0].annotations.summary;

const notice: Message = {
  title: 'Acme: runner eu-1 is offline',
  lines: ['Runner eu-1 stopped responding.', '<!here> <https://evil.example|x> & *bold*'],
  link: { url: 'https://ops.example/acme/runners/rnr_1', label: 'Open the runner' },
  tone: 'failure',
};

const url = 'https://hooks.slack.com/services/T0/B0/secret';

describeKind('slack', {
  accepted: [[{ url: ` ${url} ` }, { url }]],
  refused: [
    [{ url: 'https://hooks.slack.com' }, 'url', 'has no path'],
    [{ url: 'https://hooks.slack.com/••••' }, 'url', 'is masked'],
    [{ url: 'https://10.0.0.5/services/x' }, 'url', 'private address'],
    [{ url: 'http://hooks.slack.com/x' }, 'url', 'Use HTTPS'],
  ],
  shown: [[{ url }, 'hooks.slack.com/••••']],
  entered: [[{ url }, { url }]],
  notices: [{ url }],
});

/** Every text that Slack reads as markup. */
function markupOf(message: ReturnType<typeof slackMessage>): string[] {
  const inBlocks = message.blocks.flatMap((block) => {
    const texts = 'fields' in block ? block.fields : [block.text];
    return texts.filter(({ type }) => type === 'mrkdwn').map(({ text }) => text);
  });
  return [message.text, ...inBlocks];
}

/** The longest message there can be: every character is escaped. */
function enormous(): Message {
  const long = '&<>'.repeat(20_000);
  return alertMessage({
    title: long,
    description: long,
    services: Array.from({ length: 900 }, () => '<svc>'),
    project: { name: long, slug: 'p' },
    url: `https://ops.example/${'a&b'.repeat(300)}`,
    resolvedAt: '2026-11-23T09:58:42.000Z',
  });
}

describe('[INC-2.2] a message to Slack', () => {
  it('about an incident is the one of the fixture, its hostile text quoted', () => {
    expect(slackMessage(alertMessage({ description: hostile }))).toEqual(fixture.message);
  });

  it('about a notice has its text without markup, and a link', () => {
    expect(slackMessage(notice)).toEqual({
      text: 'Acme: runner eu-1 is offline',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: notice.title, emoji: false } },
        {
          type: 'section',
          text: { type: 'plain_text', text: notice.lines.join('\n\n'), emoji: false },
        },
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: '<https://ops.example/acme/runners/rnr_1|Open the runner>',
            verbatim: true,
          },
        },
      ],
    });
  });

  it.each(['title', 'description', 'service', 'project'])(
    'has no mention and no link from the %s',
    (where) => {
      const text = '<!channel> <@U1> <https://evil.example|x> ```*_~`&lt;';
      const message = alertMessage({
        ...(where === 'title' ? { title: text } : {}),
        ...(where === 'description' ? { description: text } : {}),
        ...(where === 'service' ? { services: [text] } : {}),
        ...(where === 'project' ? { project: { name: text, slug: 'p' } } : {}),
      });
      const ours = /<(?:!date\^\d+\^[^<>]*|https:\/\/tierwatch\.example\.test\/[^<>]*)>/g;
      for (const markup of [...markupOf(slackMessage(message)), slackPlainMessage(message).text]) {
        const rest = markup.replaceAll(ours, '');
        expect(rest).not.toMatch(/[<>]/);
        expect(rest.replace(/```[^`]*```/, '')).not.toContain('`');
      }
    },
  );

  it('keeps within the limits of Slack, whatever its text is', () => {
    const message = slackMessage(enormous());
    expect(message.blocks.length).toBeLessThanOrEqual(12);
    expect(JSON.stringify(message).length).toBeLessThanOrEqual(10_000);
    for (const block of message.blocks) {
      if ('fields' in block) {
        expect(block.fields.length).toBeLessThanOrEqual(10);
        for (const { text } of block.fields) expect(text.length).toBeLessThanOrEqual(2_000);
      } else {
        expect(block.text.text.length).toBeLessThanOrEqual(block.type === 'header' ? 150 : 2_800);
      }
    }
    for (const markup of markupOf(message)) expect(markup).not.toMatch(/&(?!amp;|lt;|gt;)/);
    expect(slackPlainMessage(enormous()).text.length).toBeLessThanOrEqual(10_000);
  });

  it.each(['javascript:alert(1)', 'not a URL', `https://ops.example/${'x'.repeat(4_000)}`])(
    'has no link to %.30s',
    (url) => {
      expect(JSON.stringify(slackMessage(alertMessage({ url })))).not.toContain('Open incident');
    },
  );

  it('has a link that its address can’t leave', () => {
    const url = 'https://ops.example/a|b>c?d=<e>&f';
    expect(JSON.stringify(slackMessage(alertMessage({ url })))).toContain(
      '<https://ops.example/a%7Cb%3Ec?d=%3Ce%3E&amp;f|Open incident>',
    );
  });

  it('is never empty', () => {
    const bare = { ...notice, title: '\u202e \n', lines: ['\u0007'], link: null };
    expect(slackMessage(bare).text).toBe('Tierwatch');
    expect(slackMessage(bare).blocks).toHaveLength(1);
    expect(slackPlainMessage(bare)).toEqual({ text: 'Tierwatch' });
  });
});

it.each([
  ['a & b', 'a &amp; b'],
  ['<!channel>', '&lt;!channel&gt;'],
  ['&lt;', '&amp;lt;'],
])('[INC-2.2] escapes %j', (text, escaped) => {
  expect(escapeSlack(text)).toBe(escaped);
});

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a&amp;b', 7, 'a&amp;b'],
  ['a&amp;bc', 7, 'a&amp;…'],
  ['a&amp;bc', 6, 'a…'],
  ['a&amp;bc', 5, 'a…'],
  ['a&amp;bc', 4, 'a…'],
  ['a&amp;bc', 3, 'a…'],
  ['&lt;&gt;x', 8, '&lt;…'],
  ['a😀b', 3, 'a…'],
])('[INC-2.2] cuts %j to %i characters, never inside of an entity', (text, chars, cut) => {
  expect(cutEscaped(text, chars)).toBe(cut);
  expect(cut.length).toBeLessThanOrEqual(Math.max(chars, 1));
});

describe('[INC-2.2] an answer of Slack', () => {
  const answer = ({ status, body = '' }: { status: number; body?: string }): OutboundResult => ({
    ok: true,
    status,
    headers: status === 429 ? { 'retry-after': '30' } : {},
    bodyText: body,
    isBodyTruncated: false,
    durationMs: 1,
    address: '',
  });
  const { responses } = fixture;

  it.each([
    ['ok', responses.ok, { isTaken: true, isGone: false }],
    ['ok with a line break', { status: 200, body: 'ok\n' }, { isTaken: true }],
    [
      'a page of another server',
      { status: 200, body: '<html>' },
      { isTaken: false, error: 'unexpected_answer', isPermanent: false },
    ],
    ['204', { status: 204 }, { isTaken: false, error: 'unexpected_answer' }],
    ['400', responses.bad_payload, { isTaken: false, isPermanent: true, isGone: false }],
    ['403', responses.forbidden, { isTaken: false, isGone: true }],
    ['404', responses.gone, { isTaken: false, isGone: true }],
    ['404 without a webhook', responses.removed, { isTaken: false, isGone: true }],
    ['410', responses.archived, { isTaken: false, isGone: true }],
    [
      '429',
      responses.limited,
      { isTaken: false, isPermanent: false, isGone: false, retryAfter: '30' },
    ],
    ['500', responses.their_fault, { isTaken: false, isPermanent: false, isGone: false }],
  ])('%s', (_what, response, expected) => {
    expect(slackResult(answer(response))).toMatchObject(expected);
  });

  it('is explained', () => {
    expect(slackResult(answer(responses.removed)).text).toBe(
      'Slack responded 404 no_service: the webhook was removed, or the person who added it was deactivated.',
    );
    expect(slackResult(answer({ status: 403, body: 'other' })).text).toBe('other');
  });
});
