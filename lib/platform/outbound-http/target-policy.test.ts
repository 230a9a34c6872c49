import { describe, expect, it } from 'vitest';
import { checkAddress, checkTarget } from './target-policy';

const strict = { allowPrivate: false };
const relaxed = { allowPrivate: true };

function reasonOf(url: string, rules = strict): string {
  const check = checkTarget(url, rules);
  return check.ok ? 'ok' : check.reason;
}

describe('a target, before its name is resolved', () => {
  it.each([
    ['https://hooks.acme.example/tierwatch', 'ok', 'ok'],
    ['https://hooks.acme.example:8443/a?b=c', 'ok', 'ok'],
    ['https://93.184.216.34/', 'ok', 'ok'],
    ['http://hooks.acme.example/', 'http_not_allowed', 'ok'],
    ['hooks.acme.example', 'bad_url', 'bad_url'],
    ['', 'bad_url', 'bad_url'],
    ['ftp://hooks.acme.example/', 'bad_url', 'bad_url'],
    ['file:///etc/passwd', 'bad_url', 'bad_url'],
    ['gopher://127.0.0.1:6379/_FLUSHALL', 'bad_url', 'bad_url'],
    ['https://user:pass@hooks.acme.example/', 'bad_url', 'bad_url'],
    ['https://user@hooks.acme.example/', 'bad_url', 'bad_url'],
    [`https://hooks.acme.example/${'x'.repeat(2_048)}`, 'bad_url', 'bad_url'],
    ['https://127.0.0.1/', 'private_address', 'ok'],
    ['http://127.0.0.1/', 'private_address', 'ok'],
    ['https://localhost:3000/', 'private_address', 'ok'],
    ['https://LOCALHOST./', 'private_address', 'ok'],
    ['https://a.localhost/', 'private_address', 'ok'],
    ['https://2130706433/', 'private_address', 'ok'],
    ['https://0x7f000001/', 'private_address', 'ok'],
    ['https://0x7f.1/', 'private_address', 'ok'],
    ['https://0177.0.0.1/', 'private_address', 'ok'],
    ['https://127.1/', 'private_address', 'ok'],
    ['https://127.0.0.1./', 'private_address', 'ok'],
    ['https://①②⑦.⓪.⓪.①/', 'private_address', 'ok'],
    ['https://[::1]/', 'private_address', 'ok'],
    ['https://[::ffff:127.0.0.1]/', 'private_address', 'ok'],
    ['https://[2002:7f00:1::]/', 'private_address', 'ok'],
    ['https://[64:ff9b::7f00:1]/', 'private_address', 'ok'],
    ['https://169.254.169.254/latest/', 'metadata_address', 'metadata_address'],
    ['http://169.254.169.254/latest/', 'metadata_address', 'metadata_address'],
    ['http://2852039166/', 'metadata_address', 'metadata_address'],
    ['http://[::ffff:169.254.169.254]/', 'metadata_address', 'metadata_address'],
    ['http://[2002:a9fe:a9fe::]/', 'metadata_address', 'metadata_address'],
    ['http://[fd00:ec2::254]/', 'metadata_address', 'metadata_address'],
    ['http://metadata.google.internal/', 'metadata_address', 'metadata_address'],
  ])('%s: %s, with private targets allowed %s', (url, strictReason, relaxedReason) => {
    expect(reasonOf(url)).toBe(strictReason);
    expect(reasonOf(url, relaxed)).toBe(relaxedReason);
  });

  it('is refused without repeating a password', () => {
    expect(JSON.stringify(checkTarget('https://user:hunter2@acme.example/', strict))).not.toContain(
      'hunter2',
    );
  });
});

it('a refused address is named with the name that led to it', () => {
  expect(checkAddress('hooks.internal', '10.0.4.7', strict)?.message).toBe(
    'hooks.internal resolved to 10.0.4.7, a private address. Deliveries there are refused and not retried.',
  );
  expect(checkAddress('10.0.4.7', '10.0.4.7', strict)?.message).toBe(
    '10.0.4.7 is a private address. Deliveries there are refused and not retried.',
  );
  expect(checkAddress('hooks.acme.example', '93.184.216.34', strict)).toBeNull();
});
