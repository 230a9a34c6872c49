import { expect, it } from 'vitest';
import type { AuditTarget } from '@/lib/insight/audit-targets';
import { targetLink } from './target-link';

const project = { slug: 'checkout', name: 'Checkout' };
const root = '/acme/projects/checkout';

it.each<[string, AuditTarget | null, string, string | null]>([
  [
    'ses_1',
    { kind: 'session', number: 18, tier: 1, project, conversationId: null },
    'Session #18, Checkout',
    `${root}/sessions/18`,
  ],
  [
    'ses_1',
    { kind: 'session', number: 9, tier: 1, project, conversationId: 'cnv_1' },
    'Session #9, Checkout',
    `${root}/ask/cnv_1`,
  ],
  ['chn_1', { kind: 'chain', number: 12, project }, 'Chain #12, Checkout', `${root}/chains/12`],
  [
    'inc_1',
    { kind: 'incident', number: 3, project },
    'Incident #3, Checkout',
    `${root}/incidents/3`,
  ],
  [
    'als_1',
    { kind: 'alert_source', name: 'Grafana', project },
    'Grafana, Checkout',
    `${root}/settings/alerts?source=als_1`,
  ],
  ['prj_1', { kind: 'project', project }, 'Checkout', root],
  [
    'apr_1',
    { kind: 'approval', chainNumber: 12, tier: 2, project },
    'Approval in tier 2 of Chain #12, Checkout',
    '/acme/approvals/apr_1',
  ],
  ['cnv_1', { kind: 'conversation', title: 'Why?', project }, 'Why?', `${root}/ask/cnv_1`],
  ['rnr_1', { kind: 'runner', name: 'eu-1' }, 'Runner eu-1', '/acme/runners/rnr_1'],
  [
    'whk_1',
    { kind: 'endpoint', url: 'https://hooks.acme.example/x?key=1' },
    'hooks.acme.example',
    '/acme/webhooks/whk_1',
  ],
  ['esp_1', { kind: 'policy', name: 'Nights' }, 'Nights', '/acme/settings/paging#esp_1'],
  ['esp_1', null, 'A deleted paging policy', null],
  ['tok_1', { kind: 'token', name: 'CI' }, 'CI', '/acme/settings/tokens'],
  ['mem_1', { kind: 'member', name: 'Tom' }, 'Tom', '/acme/settings/members'],
  ['org_1', null, 'The organization', null],
  ['usr_1', { kind: 'member', name: 'Tom' }, 'Tom', '/acme/settings/members'],
  ['usr_1', null, 'A former member', null],
  ['als_1', null, 'A deleted alert source', null],
  ['rnr_1', null, 'A deleted runner', null],
  ['xyz_1', null, 'xyz_1', null],
])('%s, %j reads %s and leads to %s', (id, target, label, href) => {
  expect(targetLink('acme', id, target)).toEqual({ label, href });
});
