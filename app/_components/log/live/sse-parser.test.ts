import { describe, expect, it } from 'vitest';
import { SseParser } from './sse-parser';

const STREAM = 'retry: 1000\n\nid: 1\ndata: {"a":1}\n\n: here\n\nevent: end\ndata: {}\n\n';

describe('a stream of server-sent events', () => {
  it('gives its messages, without comments and settings', () => {
    expect(new SseParser().read(STREAM)).toEqual([
      { event: 'message', id: '1', data: '{"a":1}' },
      { event: 'end', id: null, data: '{}' },
    ]);
  });

  it('may be cut at any character', () => {
    const whole = new SseParser().read(STREAM);
    for (let cut = 0; cut <= STREAM.length; cut += 1) {
      const parser = new SseParser();
      const parts = [...parser.read(STREAM.slice(0, cut)), ...parser.read(STREAM.slice(cut))];
      expect(parts).toEqual(whole);
    }
  });

  it('does not give a message that was cut off', () => {
    expect(new SseParser().read('id: 7\ndata: {"hal')).toEqual([]);
  });
});
