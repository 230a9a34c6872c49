import { describe, expect, it } from 'vitest';
import { idReference, numberedReference, projectReference } from './references';

const place = { organizationSlug: 'acme', hosts: ['tierwatch.test', '127.0.0.1:3000'] };
const page = 'https://tierwatch.test/acme';

describe('[INC-4.3] what people type for a project', () => {
  it.each([
    ['shop', 'shop'],
    [' shop ', 'shop'],
    ['prj_0000000000000000000001', 'prj_0000000000000000000001'],
    [`${page}/projects/shop`, 'shop'],
    [`${page}/projects/shop/chains/5?tab=log#top`, 'shop'],
    ['http://127.0.0.1:3000/acme/projects/shop/', 'shop'],
  ])('%s', (text, expected) => expect(projectReference(text, place)).toBe(expected));

  it.each([
    [`${page}/runners`, 'not the URL of a project'],
    ['https://elsewhere.test/acme/projects/shop', 'another site'],
    ['https://tierwatch.test:8443/acme/projects/shop', 'another site'],
    ['https://tierwatch.test/other/projects/shop', 'another organization'],
    ['https://tierwatch.test/', 'another organization'],
    ['https://', 'another site'],
  ])('not %s', (text, message) => {
    expect(() => projectReference(text, place)).toThrow(message);
  });
});

describe('[INC-4.3] what people type for a chain or session', () => {
  it.each<[string | number, string | null, unknown]>([
    [5, 'shop', { project: 'shop', number: 5 }],
    ['5', 'shop', { project: 'shop', number: 5 }],
    ['#5', 'shop', { project: 'shop', number: 5 }],
    ['Chain #5', 'shop', { project: 'shop', number: 5 }],
    ['chain 5', `${page}/projects/shop`, { project: 'shop', number: 5 }],
    ['5', null, { project: null, number: 5 }],
    ['chn_0000000000000000000001', null, 'chn_0000000000000000000001'],
    [`${page}/projects/shop/chains/5`, null, { project: 'shop', number: 5 }],
    [`${page}/projects/shop/chains/5`, 'other', { project: 'shop', number: 5 }],
  ])('%s of %s', (input, project, expected) => {
    expect(numberedReference('chain', input, project, place)).toEqual(expected);
  });

  it.each<[string | number]>([
    ['five'],
    [''],
    [0],
    [-1],
    [1.5],
    ['99999999999'],
    [3_000_000_000],
    ['ses_0000000000000000000001'],
    ['Session #5'],
    [`${page}/projects/shop/sessions/5`],
    [`${page}/projects/shop/chains`],
    [`${page}/projects/shop/chains/x`],
  ])('not %s', (input) => {
    expect(() => numberedReference('chain', input, 'shop', place)).toThrow('is not a chain');
  });

  it('a session is one of its own kind', () => {
    const url = `${page}/projects/shop/sessions/8/ledger`;
    expect(numberedReference('session', url, null, place)).toEqual({ project: 'shop', number: 8 });
    expect(numberedReference('session', 'Session #8', 'shop', place)).toEqual({
      project: 'shop',
      number: 8,
    });
  });
});

describe('[INC-4.3] what people type for an approval', () => {
  const kind = { prefix: 'apr', noun: 'an approval', list: 'list_approvals shows them' } as const;
  it.each([['apr_1'], [' apr_1 '], [`${page}/approvals/apr_1`]])('%s', (text) => {
    expect(idReference(kind, text, place)).toBe('apr_1');
  });
  it.each([['1'], ['cnv_1'], [`${page}/approvals`]])('not %s', (text) => {
    expect(() => idReference(kind, text, place)).toThrow('is not an approval');
  });
});
