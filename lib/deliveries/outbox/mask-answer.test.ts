import { expect, it } from 'vitest';
import { maskAnswer, secretsOfUrl } from './mask-answer';
import type { SendResult } from './transport';

const answer = (text: string, header = ''): SendResult => ({
  isTaken: false,
  status: 500,
  error: null,
  isPermanent: false,
  isGone: false,
  retryAfter: null,
  text,
  responseHeaders: { 'x-echo': header },
  durationMs: 1,
});
const URL_OF_SLACK =
  'https://hooks.slack.com/services/T0SECRET1/B0SECRET1/xox%2Fsecret?key=k-very-long';

it.each([
  ['No route /services/T0SECRET1/B0SECRET1/xox%2Fsecret', 'No route ••••'],
  ['No route xox/secret here', 'No route •••• here'],
  ['key k-very-long is unknown', 'key •••• is unknown'],
  ['B0SECRET1', '••••'],
  ['services are down', '•••• are down'],
  ['upstream is down', 'upstream is down'],
])('[INC-2.2] an answer that says %j is stored as %j', (text, masked) => {
  const sent = maskAnswer(answer(text, text), secretsOfUrl(URL_OF_SLACK));
  expect(sent.text).toBe(masked);
  expect(sent.responseHeaders['x-echo']).toBe(masked);
});

it('[INC-2.2] masks the longest secret first, and no everyday word', () => {
  const sent = maskAnswer(answer('abcdefgh-ijkl abc'), ['abcdefgh', 'abcdefgh-ijkl', 'abc', '']);
  expect(sent.text).toBe('•••• abc');
});
