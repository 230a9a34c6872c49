import { describe, expect, it } from 'vitest';
import { checkAppriseTarget, isOperatorsServer, operatorsRefusal } from './apprise-targets';

const PUBLIC = { allowPrivate: false };
const PRIVATE = { allowPrivate: true };

describe('an Apprise URL for the operator’s server', () => {
  it.each([
    'slack://TokenA/TokenB/TokenC/#general',
    'slack://xoxb-1/@ana',
    'SLACK://a/b/c',
    'discord://id/token?footer=yes',
    'tgram://123:abc/@ops',
    'pagerduty://key@api',
    'https://hooks.slack.com/services/T0/B0/x',
    'https://discord.com:443/api/webhooks/1/x',
    'https://acme.webhook.office.com/webhookb2/x',
    'workflows://prod-1.westeurope.logic.azure.com:443/id/signature',
  ])('[SEC-3.1] %s goes to its vendor', (url) => {
    expect(checkAppriseTarget(url, PUBLIC)).toEqual({ ok: true, host: null });
  });

  it.each([
    'json://169.254.169.254/',
    'json://127.0.0.1:6379/',
    'jsons://hooks.example.com/',
    'xml://10.0.0.5:2375/',
    'form://[::1]/',
    'mailto://user:pass@gmail.com?smtp=10.0.0.5',
    'syslog://',
    'file:///etc/passwd',
    'gotify://rebind.evil.example/token',
    'ntfy://10.0.0.5/topic',
    'http://hooks.slack.com/services/x',
    'https://10.0.0.5/services/x',
    'https://hooks.slack.com:8080/x',
    'https://hooks.slack.com.evil.example/x',
    'https://hooks.slack.com@10.0.0.5/x',
    'https://10.0.0.5\\@hooks.slack.com/x',
    'https://10.0.0.5#@hooks.slack.com/x',
    'https://evil.example/.logic.azure.com',
    'slack+json://10.0.0.5/',
    // Apprise reads these as two URLs.
    'slack://a/b/c,json://10.0.0.5/',
    'slack://a/b/c?x=,xml://10.0.0.5/',
    'slack://a b json://10.0.0.5/',
    'slack://',
    'apprise://10.0.0.5/key',
  ])('[SEC-3.1] %s is refused', (url) => {
    expect(checkAppriseTarget(url, PUBLIC)).toMatchObject({ ok: false });
  });

  it.each(['json://169.254.169.254/', 'json://2852039166/', 'json://[::ffff:a9fe:a9fe]/x'])(
    '[SEC-3.1] %s is refused with private targets, too',
    (url) => {
      expect(checkAppriseTarget(url, PRIVATE)).toMatchObject({ ok: false });
    },
  );

  it.each([
    ['json://user:pass@10.0.0.5:8080/x', '10.0.0.5'],
    ['gotify://gotify.internal/token', 'gotify.internal'],
    ['json://[fd00::1]/', 'fd00::1'],
  ])('[SEC-3.1] %s names %s to resolve, where private targets are allowed', (url, host) => {
    expect(checkAppriseTarget(url, PRIVATE)).toEqual({ ok: true, host });
  });

  it('[SEC-3.1] stands alone: stored configurations are the operator’s', () => {
    for (const rules of [PUBLIC, PRIVATE])
      expect(operatorsRefusal({ urls: [], configKey: 'ops' }, rules)?.field).toBe('configKey');
  });
});

it.each([
  ['http://apprise:8000', 'http://apprise:8000/', true],
  ['http://apprise.:8000/notify', 'http://APPRISE:8000', true],
  ['http://127.0.0.1:8000/x', 'http://localhost:8000', true],
  ['http://[::1]:8000', 'http://127.1:8000', true],
  ['https://apprise.example', 'https://apprise.example:443/', true],
  ['https://apprise.example:8443', 'https://apprise.example', false],
  ['https://apprise.acme.example', 'http://apprise:8000', false],
  ['https://apprise.acme.example', null, false],
])('[SEC-3.1] %s is the operator’s %s: %s', (server, operators, isSame) => {
  expect(isOperatorsServer(server, operators)).toBe(isSame);
});
