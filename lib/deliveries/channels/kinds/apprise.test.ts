import { describeKind } from '@/tests/support/describe-kind';

const urls = ['slack://xoxb-secret/ops'];
const kept = { serverUrl: null, urls: [] as string[], configKey: null, tags: null };
const own = { ...kept, serverUrl: 'https://apprise.acme.example/base' };

describeKind('apprise', {
  accepted: [
    [{ urls }, { ...kept, urls }],
    [
      { configKey: ' acme ', tags: '', serverUrl: '' },
      { ...kept, configKey: 'acme' },
    ],
  ],
  refused: [
    [{}, 'urls', 'Enter an Apprise URL'],
    [{ urls, configKey: 'acme' }, 'urls', 'not both'],
    [{ urls: ['slack'] }, 'urls.0', 'names a service'],
    [{ urls, serverUrl: 'https://10.0.0.5' }, 'serverUrl', 'private address'],
    [{ configKey: 'a b' }, 'configKey', 'letters, digits'],
  ],
  shown: [
    [
      { ...own, urls: ['slack://xoxb-secret/ops', 'pover://user@token'] },
      'slack://••••, pover://•••• via apprise.acme.example',
    ],
    [
      { ...own, urls: ['a://1', 'b://2', 'c://3', 'd://4', 'e://5'] },
      'a://••••, b://••••, c://••••, 2 more via apprise.acme.example',
    ],
    [
      { ...kept, configKey: 'acme-ops-2026', tags: 'night' },
      "configuration ••••26, tags night via this installation's Apprise",
    ],
    [{ ...own, configKey: 'short' }, 'configuration •••• via apprise.acme.example'],
  ],
  entered: [
    [
      { urls: 'slack://a/b,c\n\npover://u@t\n' },
      { ...kept, urls: ['slack://a/b,c', 'pover://u@t'] },
    ],
    [
      { configKey: 'acme', tags: 'night' },
      { ...kept, configKey: 'acme', tags: 'night' },
    ],
  ],
  notices: [{ urls }],
});
