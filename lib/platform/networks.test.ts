import { describe, expect, it } from 'vitest';
import { clientOf, isNetwork, networkOf } from './networks';

const PROXIES = ['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48'];

describe('[SEC-1.2] the client’s address', () => {
  it.each([
    // Nobody is trusted: the header is whatever the client wrote.
    ['203.0.113.9', '198.51.100.1', [], '203.0.113.9'],
    ['127.0.0.1', '198.51.100.1', [], '127.0.0.1'],
    // Someone who reaches the port without the proxy.
    ['203.0.113.9', '198.51.100.1', PROXIES, '203.0.113.9'],
    ['203.0.113.9', '198.51.100.1, 10.0.0.1', PROXIES, '203.0.113.9'],
    ['127.0.0.1', undefined, PROXIES, '127.0.0.1'],
    ['127.0.0.1', '', PROXIES, '127.0.0.1'],
    ['127.0.0.1', '198.51.100.1', PROXIES, '198.51.100.1'],
    ['::ffff:127.0.0.1', '198.51.100.1', PROXIES, '198.51.100.1'],
    // Text of the client's own, which the proxy appends to.
    ['127.0.0.1', '192.0.2.1, 198.51.100.1', PROXIES, '198.51.100.1'],
    ['127.0.0.1', '10.9.9.9, 198.51.100.1', PROXIES, '198.51.100.1'],
    ['127.0.0.1', '192.0.2.1, 198.51.100.1, 10.1.2.3', PROXIES, '198.51.100.1'],
    ['2001:db8:1::5', '2001:DB8:0:0::1', PROXIES, '2001:db8::1'],
    // What isn't an address ends the walk at the last sender that is known.
    ['127.0.0.1', 'unknown', PROXIES, '127.0.0.1'],
    ['127.0.0.1', '198.51.100.1, <script>', PROXIES, '127.0.0.1'],
    ['127.0.0.1', '198.51.100.1, 127.1', PROXIES, '127.0.0.1'],
    // With a port, as some proxies write it.
    ['127.0.0.1', '198.51.100.1:51812', PROXIES, '198.51.100.1'],
    ['127.0.0.1', '[2001:db8::1]:443', PROXIES, '2001:db8::1'],
    ['127.0.0.1', '10.0.0.7, 10.0.0.8', PROXIES, '10.0.0.7'],
  ])('of peer %s with the header %j and proxies %j is %s', (peer, header, proxies, address) => {
    expect(clientOf(peer, header, proxies)).toBe(address);
  });
});

describe('[SEC-1.2] one client in a limit', () => {
  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['2001:db8:1:2:3::4', '2001:db8:1::/56'],
    ['2001:db8:1:ff:ffff::1', '2001:db8:1::/56'],
    ['2001:db8:1:100::1', '2001:db8:1:100::/56'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

it.each([
  ['10.0.0.0/8', true],
  ['127.0.0.1', true],
  ['::1', true],
  ['2001:db8::/32', true],
  ['10.0.0.0/33', false],
  ['127.1', false],
  ['loopback', false],
  ['*', false],
])('[SEC-1.2] %s names addresses: %s', (text, isValid) => {
  expect(isNetwork(text)).toBe(isValid);
});
