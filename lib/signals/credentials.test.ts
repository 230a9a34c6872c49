import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { hashToken, mintToken } from '@/lib/platform/crypto/tokens';
import { type Credentials, checkSignature, isTokenOf, tokenOf } from './credentials';

const now = new Date('2026-11-23T09:00:10Z');
const seconds = now.getTime() / 1_000;

const [token, previous, other] = [mintToken('alk'), mintToken('alk'), mintToken('alk')];
const source: Credentials = {
  kind: 'alertmanager',
  tokenHash: hashToken(token),
  previousTokenHash: hashToken(previous),
  previousTokenUntil: new Date(now.getTime() + 1),
  signingSecrets: [],
  signatureHeader: null,
  timestampHeader: null,
};

describe('tokenOf', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer   abc', 'abc'],
    [basic('am:abc'), 'abc'],
    [basic(':a:b'), 'a:b'],
    [basic('abc'), null],
    ['Bearer ', null],
    ['Token abc', null],
    ['Bearer a b', null],
  ])('[INC-1.3] of %j is %j', (authorization, expected) => {
    expect(tokenOf(new Headers({ authorization }))).toBe(expected);
  });

  it('is null without the header', () => {
    expect(tokenOf(new Headers())).toBeNull();
  });
});

describe('isTokenOf', () => {
  it.each([
    ['its token', source, token, now, true],
    ['another one', source, other, now, false],
    ['none', source, '', now, false],
    ['its hash', source, source.tokenHash, now, false],
    ['the one before a rotation', source, previous, now, true],
    ['the same, a day later', source, previous, source.previousTokenUntil, false],
    ['any, of a source that is unknown', null, token, now, false],
    ['what an unknown one is compared with', null, 'nobody', now, false],
    [
      'the same, of one without a rotation',
      { ...source, previousTokenHash: null },
      'nobody',
      now,
      false,
    ],
  ])('[INC-1.3] %s', (_, of, given, at, expected) => {
    expect(isTokenOf(of, given, at ?? now)).toBe(expected);
  });
});

interface SignedFixture {
  body: string;
  secret: string;
  secrets: string[];
  headers: Record<string, string>;
  with_timestamp: Record<string, string>;
  without_timestamp: Record<string, string>;
}
const read = (name: string): SignedFixture =>
  JSON.parse(readFileSync(`tests/fixtures/signals/${name}.json`, 'utf8'));

const pagerduty = read('pagerduty_signature_built');
const grafana = read('grafana_signature_built');
const { note: _note, ...grafanaHeaders } = grafana.with_timestamp;
const grafanaAt = new Date(Number(grafana.with_timestamp['X-Grafana-Alerting-Timestamp']) * 1_000);
const whsec = `whsec_${Buffer.from('a secret of 24 characters').toString('base64')}`;
const standard = (at: Date, body = '{}', secret = whsec) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
});
const after = (from: Date, ms: number) => new Date(from.getTime() + ms);

const pd = { ...source, kind: 'pagerduty' as const, signingSecrets: pagerduty.secrets };
const gf = { ...source, kind: 'grafana' as const, signingSecrets: [grafana.secret] };
const std = { ...source, kind: 'generic' as const, signingSecrets: [whsec] };

describe('checkSignature', () => {
  it.each<[string, Credentials, Record<string, string>, string, Date, string | null]>([
    ['PagerDuty, two secrets', pd, pagerduty.headers, pagerduty.body, now, null],
    [
      'PagerDuty, the old secret',
      { ...pd, signingSecrets: pagerduty.secrets.slice(0, 1) },
      pagerduty.headers,
      pagerduty.body,
      now,
      null,
    ],
    [
      'PagerDuty, the new secret',
      { ...pd, signingSecrets: pagerduty.secrets.slice(1) },
      pagerduty.headers,
      pagerduty.body,
      now,
      null,
    ],
    [
      'PagerDuty, another secret',
      { ...pd, signingSecrets: ['other'] },
      pagerduty.headers,
      pagerduty.body,
      now,
      'bad_signature',
    ],
    ['PagerDuty, another body', pd, pagerduty.headers, `${pagerduty.body} `, now, 'bad_signature'],
    ['PagerDuty, no header', pd, {}, pagerduty.body, now, 'bad_signature'],
    [
      'PagerDuty, a version that is unknown',
      pd,
      {
        'x-pagerduty-signature': (pagerduty.headers['X-PagerDuty-Signature'] ?? '').replaceAll(
          'v1=',
          'v2=',
        ),
      },
      pagerduty.body,
      now,
      'bad_signature',
    ],
    ['Grafana, with a time', gf, grafanaHeaders, grafana.body, grafanaAt, null],
    ['Grafana, 300 s later', gf, grafanaHeaders, grafana.body, after(grafanaAt, 300_000), null],
    [
      'Grafana, 301 s later',
      gf,
      grafanaHeaders,
      grafana.body,
      after(grafanaAt, 301_000),
      'stale_signature',
    ],
    [
      'Grafana, 301 s before',
      gf,
      grafanaHeaders,
      grafana.body,
      after(grafanaAt, -301_000),
      'stale_signature',
    ],
    [
      'Grafana, without a time',
      gf,
      grafana.without_timestamp,
      grafana.body,
      grafanaAt,
      'bad_signature',
    ],
    [
      'Grafana, a time that is none',
      gf,
      {
        'X-Grafana-Alerting-Signature': createHmac('sha256', grafana.secret)
          .update(`soon:${grafana.body}`)
          .digest('hex'),
        'X-Grafana-Alerting-Timestamp': 'soon',
      },
      grafana.body,
      grafanaAt,
      'bad_signature',
    ],
    [
      'Grafana, another time',
      gf,
      { ...grafanaHeaders, 'X-Grafana-Alerting-Timestamp': String(seconds + 1) },
      grafana.body,
      now,
      'bad_signature',
    ],
    [
      'Grafana, other names of headers',
      { ...gf, signatureHeader: 'x-sig', timestampHeader: 'x-at' },
      {
        'X-Sig': grafanaHeaders['X-Grafana-Alerting-Signature'] ?? '',
        'X-At': grafanaHeaders['X-Grafana-Alerting-Timestamp'] ?? '',
      },
      grafana.body,
      grafanaAt,
      null,
    ],
    [
      'Grafana, the usual names where others are set',
      { ...gf, signatureHeader: 'x-sig', timestampHeader: 'x-at' },
      grafanaHeaders,
      grafana.body,
      grafanaAt,
      'bad_signature',
    ],
    ['Standard Webhooks', std, standard(now), '{}', now, null],
    [
      'Standard Webhooks, one of several signatures',
      std,
      { ...standard(now), 'webhook-signature': `v1,AAAA ${standard(now)['webhook-signature']}` },
      '{}',
      now,
      null,
    ],
    [
      'Standard Webhooks, another id',
      std,
      { ...standard(now), 'webhook-id': 'msg_2' },
      '{}',
      now,
      'bad_signature',
    ],
    ['Standard Webhooks, another body', std, standard(now), '[]', now, 'bad_signature'],
    [
      'Standard Webhooks, 301 s later',
      std,
      standard(now),
      '{}',
      after(now, 301_000),
      'stale_signature',
    ],
    ['Standard Webhooks, no signature', std, {}, '{}', now, 'bad_signature'],
    ['no secret at all', { ...std, signingSecrets: [] }, standard(now), '{}', now, 'bad_signature'],
  ])('[INC-1.3] %s', (_, of, headers, body, at, expected) => {
    expect(checkSignature(of, new Headers(headers), Buffer.from(body), at)).toBe(expected);
  });

  it('[INC-1.3] of PagerDuty is that of its documentation', () => {
    const [secret = ''] = pagerduty.secrets;
    const mac = createHmac('sha256', secret).update(pagerduty.body).digest('hex');
    expect(pagerduty.headers['X-PagerDuty-Signature']).toContain(`v1=${mac}`);
  });
});
