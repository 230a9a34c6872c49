import { anyEnd, ends, type Hint, marker, type Rule } from './rule';

// A digit or capital is required in some: `sk-toggleable-content-description` is a CSS class.
const withDigit = '(?=[A-Za-z0-9_-]{0,40}[0-9])';
const end = '(?![A-Za-z0-9])';
// As they are, and in a query.
const slash = `(?:/|%2[${ends('fF')}])`;
const colon = `(?::|%3[${ends('aA')}])`;

/**
 * Keys that are known by their own form: a prefix, and what has to follow it. The first one that
 * matches names the kind. The prefix is what the text is searched for, so it holds letters.
 */
const FORMATS: [kind: string, prefix: string, rest: string][] = [
  // Models
  ['anthropic key', 'sk-ant-', '[A-Za-z0-9_-]{16,}'],
  ['openai key', 'sk-', `(?:proj-|svcacct-|admin-|or-)?${withDigit}[A-Za-z0-9_-]{20,}`],
  ['hugging face token', '(?:hf|api_org)_', '[A-Za-z0-9]{24,}'],
  ['model provider key', '(?:gsk|r8|pcsk)_', `${withDigit}[A-Za-z0-9_]{24,}`],
  ['model provider key', '(?:xai|pplx|nvapi|tvly)-', `${withDigit}[A-Za-z0-9_-]{24,}`],
  ['model provider key', 'lsv2_(?:pt|sk)_', '[A-Za-z0-9_]{32,}'],
  ['aws bedrock key', 'ABSK', '[A-Za-z0-9+/]{60,}={0,2}'],
  // Code, packages, continuous integration
  ['github token', 'gh[opsur]_', '[A-Za-z0-9]{20,}'],
  ['github token', 'github_pat_', '[A-Za-z0-9_]{20,}'],
  ['gitlab token', 'gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-', '[A-Za-z0-9_.-]{16,}'],
  ['gitlab token', 'GR1348941', '[A-Za-z0-9_-]{20,}'],
  ['bitbucket token', 'ATBB', '[A-Za-z0-9]{28,}'],
  ['atlassian token', 'AT(?:ATT|CTT)3', '[A-Za-z0-9_=.-]{20,}'],
  ['npm token', 'npm_', `[A-Za-z0-9]{36}${end}`],
  ['pypi token', 'pypi-', '(?:AgE[A-Za-z0-9_-]{13,}|(?=[a-z0-9_-]{0,60}[A-Z])[A-Za-z0-9_-]{24,})'],
  ['rubygems token', 'rubygems_', '[a-f0-9]{40,}'],
  ['nuget token', 'oy2', `[a-z0-9]{43}${end}`],
  ['docker token', 'dckr_(?:pat|oat)_', '[A-Za-z0-9_-]{16,}'],
  ['artifactory token', 'AKCp', '[A-Za-z0-9]{60,}'],
  ['buildkite token', 'bk(?:ua|ct|aj)_', '[A-Za-z0-9]{32,}'],
  ['circleci token', 'CCI(?:PAT|PRJ)_', '[A-Za-z0-9_]{20,}'],
  ['sourcegraph token', 'sgp_', '[A-Za-z0-9_]{40,}'],
  ['linear token', 'lin_(?:api|oauth|wh)_', '[A-Za-z0-9]{20,}'],
  ['postman key', 'PMAK-', '[A-Za-z0-9-]{30,}'],
  ['notion token', '(?:ntn|secret)_', `${withDigit}[A-Za-z0-9]{40,}`],
  ['airtable token', 'pat', '[A-Za-z0-9]{14}\\.[a-f0-9]{40,}'],
  ['figma token', 'fig[dor]_', '[A-Za-z0-9_-]{30,}'],
  // Clouds and hosting
  ['aws access key', 'A(?:KIA|SIA|BIA|CCA)', `[A-Z0-9]{16}${end}`],
  ['aws session token', 'IQoJb3JpZ2lu', '[A-Za-z0-9+/=]{50,}'],
  ['google key', 'AIza', '[A-Za-z0-9_-]{35}'],
  ['google key', '(?:GOCSPX-|ya29\\.)', '[A-Za-z0-9_.-]{20,}'],
  ['google key', `1${slash}${slash}0`, '[A-Za-z0-9_-]{30,}'],
  ['alibaba key', 'LTAI', `${withDigit}[A-Za-z0-9]{16,22}${end}`],
  ['digitalocean token', 'do[opr]_v1_', '[A-Za-z0-9]{32,}'],
  ['heroku key', 'HRKU-', '[A-Za-z0-9_-]{20,}'],
  ['fly token', 'fm[12][ar]?_', '[A-Za-z0-9+/=_-]{40,}'],
  ['databricks token', 'd(?:api|kea|ose)', `[a-f0-9]{32}(?:-[0-9])?${end}`],
  ['planetscale token', 'pscale_(?:tkn|pw|oauth)_', '[A-Za-z0-9_.-]{20,}'],
  ['supabase token', 'sb(?:p|_secret)_', '[A-Za-z0-9_]{20,}'],
  ['netlify token', 'nf[pcoub]_', '[A-Za-z0-9]{36,}'],
  ['tailscale key', 'tskey-', '[a-z]+-[A-Za-z0-9-]{16,}'],
  ['pulumi token', 'pul-', `[a-f0-9]{40}${end}`],
  // Secrets and monitoring
  ['vault token', 'hv[sbr]\\.', '[A-Za-z0-9_-]{20,}'],
  ['age key', 'AGE-SECRET-KEY-', '[A-Z0-9]{16,}'],
  ['doppler token', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.', '[A-Za-z0-9._-]{20,}'],
  ['1password token', 'ops_eyJ', '[A-Za-z0-9+/=_-]{50,}'],
  ['grafana token', 'glsa_', '[A-Za-z0-9_]{20,}'],
  ['grafana token', 'glc_', '[A-Za-z0-9+/=_-]{32,}'],
  ['grafana token', 'eyJrIjoi', '[A-Za-z0-9+/=_-]{40,}'],
  ['new relic key', 'NR(?:AK|II|JS|RA|AL|AA)-', '[A-Za-z0-9_-]{16,}'],
  ['sentry token', 'sntry[su]_', '[A-Za-z0-9+/=_-]{32,}'],
  ['posthog key', 'phx_', '[A-Za-z0-9_]{30,}'],
  // Messages and mail
  ['slack token', 'xox[a-z](?:\\.xox[a-z])?-', '[A-Za-z0-9-]{10,}'],
  ['slack token', 'xapp-', '[0-9]-[A-Za-z0-9-]{10,}'],
  [
    'slack webhook',
    `hooks\\.slack\\.com${slash}`,
    `(?:services|workflows|triggers)${slash}[A-Za-z0-9/%_${anyEnd}-]{20,}`,
  ],
  [
    'discord webhook',
    `discord(?:app)?\\.com${slash}api${slash}`,
    `(?:v[0-9]+${slash})?webhooks${slash}[0-9]{10,25}${slash}[A-Za-z0-9_-]{20,}`,
  ],
  ['teams webhook', `webhook\\.office\\.com${slash}`, `[A-Za-z0-9@/%_${anyEnd}-]{40,}`],
  ['sendgrid key', 'SG\\.', '[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'],
  ['twilio key', '(?:SK|AC)', `[a-f0-9]{32}${end}`],
  ['mailgun key', '(?:pub)?key-', `[a-f0-9]{32}${end}`],
  ['brevo key', 'xkeysib-', '[A-Za-z0-9-]{40,}'],
  ['resend key', 're_', `(?=[A-Za-z]{0,7}[0-9])[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}`],
  ['firebase key', 'AAAA', `[A-Za-z0-9_-]{7}${colon}APA91b[A-Za-z0-9_-]{60,}`],
  // Payments and shops
  ['stripe key', '(?:sk|rk)_(?:live|test)_', '[A-Za-z0-9]{16,}'],
  ['signing secret', 'whsec_', '[A-Za-z0-9+/=_-]{16,}'],
  ['square key', 'sq0(?:atp|csp|idp)-', '[A-Za-z0-9_-]{20,}'],
  ['square key', 'EAAA', '[A-Za-z0-9_-]{56,}'],
  ['facebook token', 'EAAC', '[A-Za-z0-9]{60,}'],
  ['shopify token', 'shp(?:at|ca|pa|ss|ua|tka)_', '[A-Za-z0-9]{20,}'],
  ['braintree token', 'access_token\\$', '(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}'],
  ['easypost key', 'EZ[AT]K', '[A-Za-z0-9]{54}'],
  ['shippo token', 'shippo_(?:live|test)_', '[a-f0-9]{32,}'],
  // This product's own: an id has 22 characters after its prefix, a token 49.
  ['tierwatch token', '(?:twk|rnk|alk|hbt)_', '[0-9A-Za-z]{20,}'],
  ['tierwatch token', '(?:enr|inv|rst)_', '[0-9A-Za-z]{30,}'],
];

// No letter or digit before it; `_` and `-` may stand there (`key-sk-ant-…`).
const start = '(?<![A-Za-z0-9])';

const known = FORMATS.map(([kind, prefix, rest]) => ({
  kind,
  whole: new RegExp(`^${prefix}${rest}`),
}));
const prefixed = FORMATS.map(([, prefix, rest]) => prefix + rest).join('|');

/** Keys without a prefix in letters, each with a hint that is quick to search for. */
const SHAPES: [kind: string, pattern: string, hint: Hint][] = [
  [
    'telegram token',
    `(?:(?<=[/"'=]bot)|${start})[0-9]{8,10}${colon}[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])`,
    { sign: `${colon}[A-Za-z0-9_-]{35}` },
  ],
  [
    'discord token',
    `${start}[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}`,
    { word: '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.' },
  ],
  [
    'mailgun key',
    `${start}[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}${end}`,
    { sign: `-[a-f0-9]{8}-[a-f0-9]{8}${end}` },
  ],
  ['mailchimp key', `${start}[a-f0-9]{32}-us[0-9]{1,2}${end}`, { sign: `-us[0-9]{1,2}${end}` }],
  ['new relic key', `${start}[a-f0-9]{36}NRAL${end}`, { any: 'NRAL' }],
  ['azure secret', `${start}[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}`, { any: 'Q~' }],
  [
    'terraform token',
    `${start}[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{20,}`,
    { sign: '\\.atlasv1\\.' },
  ],
];

export const providerKeys: Rule[] = [
  {
    // All in one pattern: the text is read once, and not once for each.
    kind: 'key',
    hint: { word: prefixed },
    pattern: new RegExp(`${start}(?:${prefixed})`, 'g'),
    replace: ([key], shown) => {
      const found = known.find(({ whole }) => whole.test(key));
      return found ? marker(found.kind) : shown;
    },
  },
  ...SHAPES.map(([kind, pattern, hint]) => ({ kind, hint, pattern: new RegExp(pattern, 'g') })),
];
