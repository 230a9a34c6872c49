import type { Rule } from './rule';

// No letter or digit before a prefix; `_` and `-` may stand there (`key-sk-ant-…`).
const start = '(?<![A-Za-z0-9])';

function key(kind: string, pattern: string): Rule {
  return { kind, pattern: new RegExp(start + pattern, 'g') };
}

/** Keys that are known by their own shape. The first rule that matches names the kind. */
export const providerKeys: Rule[] = [
  key('anthropic key', 'sk-ant-[A-Za-z0-9_-]{16,}'),
  // A digit is asked for: `sk-toggleable-content-description` is a CSS class, not a key.
  key('openai key', 'sk-(?:proj-|svcacct-|admin-)?(?=[A-Za-z0-9_-]{0,40}[0-9])[A-Za-z0-9_-]{20,}'),
  key('github token', 'gh[opsur]_[A-Za-z0-9]{20,}'),
  key('github token', 'github_pat_[A-Za-z0-9_]{20,}'),
  key('gitlab token', 'gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-[A-Za-z0-9_-]{16,}'),
  key('aws access key', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])'),
  key('slack token', 'xox[a-z](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,}'),
  key('slack token', 'xapp-[0-9]-[A-Za-z0-9-]{10,}'),
  key('slack webhook', 'hooks\\.slack\\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}'),
  key('stripe key', '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}'),
  key('signing secret', 'whsec_[A-Za-z0-9+/=]{16,}'),
  key('google key', 'AIza[A-Za-z0-9_-]{35}'),
  key('google key', '(?:GOCSPX-|ya29\\.)[A-Za-z0-9_-]{20,}'),
  key('npm token', 'npm_[A-Za-z0-9]{36}'),
];
