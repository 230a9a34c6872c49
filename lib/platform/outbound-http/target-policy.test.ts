import { describe, expect, it } from 'vitest';
import { type AddressKind, checkAddress, checkTarget, classifyAddress } from './target-policy';

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
    'hooks.internal doesn’t resolve to an address that deliveries may be sent to. Check its spelling and its DNS records.',
  );
  expect(checkAddress('10.0.4.7', '10.0.4.7', strict)?.message).toBe(
    '10.0.4.7 is a private address. Deliveries there are refused and not retried.',
  );
  expect(checkAddress('hooks.acme.example', '93.184.216.34', strict)).toBeNull();
});

const cases: [kind: AddressKind, what: string, addresses: string[]][] = [
  [
    'public',
    'ordinary IPv4',
    ['93.184.216.34', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.128.0.1'],
  ],
  ['public', 'ordinary IPv6', ['2606:4700::1111', '2a00:1450:4001::1', '2606:4700::a9fe:a9fe']],
  ['private', 'loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  ['private', 'unspecified', ['0.0.0.0', '0.1.2.3', '::']],
  ['private', 'RFC 1918', ['10.0.4.7', '172.16.0.1', '172.31.255.255', '192.168.1.1']],
  ['private', 'link-local IPv6', ['fe80::1', 'fe80::1%eth0', 'febf::1']],
  ['private', 'unique-local', ['fc00::1', 'fd12:3456::1']],
  ['private', 'site-local of old', ['fec0::1']],
  ['private', 'carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
  ['private', 'multicast', ['224.0.0.1', '239.255.255.250', 'ff02::1']],
  [
    'private',
    'broadcast and reserved',
    ['255.255.255.255', '240.0.0.1', '198.18.0.1', '192.0.2.1'],
  ],
  ['private', 'IPv4-mapped', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:93.184.216.34']],
  ['private', 'IPv4-translated', ['::ffff:0:7f00:1']],
  ['private', 'IPv4-compatible', ['::127.0.0.1', '::10.0.0.1']],
  ['private', '6to4', ['2002:7f00:1::', '2002:a00:1::1', '2002:5db8:d822::1']],
  ['private', 'Teredo', ['2001:0:4136:e378:8000:63bf:3fff:fdd2']],
  ['private', 'NAT64', ['64:ff9b::7f00:1', '64:ff9b::a00:1', '64:ff9b:1::a00:1']],
  ['private', 'documentation and discard', ['2001:db8::1', '3fff::1', '100::1']],
  ['private', 'outside global unicast', ['4000::1', '5f00::1']],
  ['private', 'decimal, hex and octal forms', ['2130706433', '0x7f000001', '0177.0.0.1', '127.1']],
  ['private', 'no address at all', ['', 'example.com', '1.2.3.4.5', '300.1.1.1']],
  ['metadata', 'IPv4 of clouds', ['169.254.169.254', '169.254.170.2', '169.254.170.23']],
  ['metadata', 'IPv6 of clouds', ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254']],
  ['metadata', 'of other clouds', ['100.100.100.200', '192.0.0.192', '168.63.129.16']],
  ['metadata', 'IPv4-mapped', ['::ffff:169.254.169.254', '::ffff:a9fe:a9fe']],
  ['metadata', 'IPv4-translated', ['::ffff:0:a9fe:a9fe']],
  ['metadata', 'IPv4-compatible', ['::169.254.169.254']],
  ['metadata', '6to4', ['2002:a9fe:a9fe::1']],
  ['metadata', 'Teredo', ['2001:0:4136:e378:8000:63bf:5601:5601']],
  ['metadata', 'NAT64', ['64:ff9b::a9fe:a9fe']],
  ['metadata', 'decimal, hex and octal forms', ['2852039166', '0xa9fea9fe', '0251.0376.0251.0376']],
];

describe.each(cases)('%s: %s', (kind, _what, addresses) => {
  it.each(addresses)('%s', (address) => {
    expect(classifyAddress(address)).toBe(kind);
  });
});
