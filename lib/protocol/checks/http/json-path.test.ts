import { describe, expect, it } from 'vitest';
import { parseJsonPath, selectJson } from './json-path';
import { judgeJson } from './probe';

const DOCUMENT = {
  status: 'ok',
  'a.b': { "it's": 1 },
  items: [{ name: 'one', up: true }, { name: 'two', up: false }, { up: null }],
  grün: 2,
};

function selected(path: string): unknown {
  const parsed = parseJsonPath(path);
  return parsed.ok ? selectJson(DOCUMENT, parsed.steps) : parsed.problem;
}

describe('[INC-1.1] a JSON path', () => {
  it.each([
    ['$', [DOCUMENT]],
    ['$.status', ['ok']],
    [' $.status ', ['ok']],
    ['$.grün', [2]],
    ["$['a.b']['it\\'s']", [1]],
    ['$["a.b"]["it\'s"]', [1]],
    ['$.items[0].name', ['one']],
    ['$.items[-1].up', [null]],
    ['$.items[9].name', []],
    ['$.items[-4]', []],
    ['$.items[*].up', [true, false, null]],
    ['$.items.*.name', ['one', 'two']],
    ['$.none.deeper', []],
    ['$.status.length', []],
    ['$.items.length', []],
    // Inherited names are no members.
    ['$.constructor', []],
    ['$.__proto__', []],
  ])('%s selects %j', (path, expected) => {
    expect(selected(path)).toEqual(expected);
  });

  it.each([
    '',
    'status',
    '$status',
    '$..a',
    '$.items[?(@.up)]',
    '$.items[0:2]',
    '$.a[',
    "$['a]",
    '$.',
  ])('%j is refused with a reason', (path) => {
    const parsed = parseJsonPath(path);
    expect(parsed).toMatchObject({ ok: false });
    expect(parsed.ok ? '' : parsed.problem).toMatch(/^(A path begins with|The path can’t be read)/);
  });

  it('selects no more than 1,000 values', () => {
    const parsed = parseJsonPath('$[*][*]');
    const wide = Array.from({ length: 400 }, () => Array.from({ length: 400 }, () => 1));
    expect(parsed.ok ? selectJson(wide, parsed.steps) : []).toHaveLength(1_000);
  });
});

describe('[INC-1.1] an expected JSON value', () => {
  const body = JSON.stringify({
    status: 'ok',
    count: 3,
    nodes: [{ up: true }, { up: false }],
    none: null,
  });
  it.each([
    [{ path: '$.status', equals: 'ok' }, 'healthy', ''],
    [{ path: '$.status', equals: 'no' }, 'degraded', '$.status is "ok", not "no".'],
    [{ path: '$.count', equals: '3' }, 'degraded', '$.count is 3, not "3".'],
    [{ path: '$.none', equals: null }, 'healthy', ''],
    [{ path: '$.none', exists: true }, 'healthy', ''],
    [{ path: '$.gone', exists: true }, 'degraded', 'The response has no value at $.gone.'],
    [{ path: '$.gone', exists: false }, 'healthy', ''],
    [{ path: '$.status', exists: false }, 'degraded', 'The response has a value at $.status.'],
    [{ path: '$.status', oneOf: ['up', 'ok'] }, 'healthy', ''],
    [{ path: '$.status', oneOf: ['up', 1] }, 'degraded', '$.status is "ok", not one of "up", 1.'],
    [{ path: '$.count', atLeast: 3, atMost: 3 }, 'healthy', ''],
    [{ path: '$.count', atLeast: 4 }, 'degraded', '$.count is 3, not at least 4.'],
    [{ path: '$.count', atMost: 2 }, 'degraded', '$.count is 3, not at most 2.'],
    [{ path: '$.status', atLeast: 0 }, 'degraded', '$.status is "ok", not at least 0.'],
    // Every selected value has to fit.
    [{ path: '$.nodes[*].up', equals: true }, 'degraded', '$.nodes[*].up is false, not true.'],
    [{ path: '$.nodes[0].up', equals: true }, 'healthy', ''],
    [{ path: 'status', equals: 'ok' }, 'degraded', 'A path begins with $, such as $.status.'],
  ])('%j is %s', (expected, status, error) => {
    expect(judgeJson(expected, body)).toEqual({ status, error });
  });

  it('is degraded for what is not JSON', () => {
    expect(judgeJson({ path: '$', exists: true }, '<html>')).toMatchObject({
      status: 'degraded',
      error: 'The response is not JSON.',
    });
  });
});
