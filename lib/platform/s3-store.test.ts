import { expect, it } from 'vitest';
import { failureKind, failureName } from './s3-store';

function failed(name: string, more: object = {}): Error {
  return Object.assign(new Error('UnknownError'), { name }, more);
}
const answered = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } });

it.each<[string, string, unknown]>([
  ['refused', 'SignatureDoesNotMatch', failed('SignatureDoesNotMatch', answered(403))],
  ['refused', 'NoSuchBucket', failed('NoSuchBucket', answered(404))],
  ['refused', 'Unknown', failed('Unknown', answered(403))],
  ['away', 'RequestTimeTooSkewed', failed('RequestTimeTooSkewed', answered(403))],
  ['away', 'SlowDown', failed('SlowDown', answered(503))],
  ['away', 'NoSuchKey', failed('NoSuchKey', answered(404))],
  ['away', 'TimeoutError', failed('TimeoutError')],
  ['away', 'ECONNREFUSED', failed('Error', { code: 'ECONNREFUSED' })],
  ['away', 'aborted', new Error('aborted')],
  ['away', 'unknown', 'text'],
])('[FLT-4.4] %s: %s', (kind, name, error) => {
  expect(failureKind(error)).toBe(kind);
  expect(failureName(error)).toBe(name);
});
