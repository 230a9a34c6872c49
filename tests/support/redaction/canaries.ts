/**
 * Made-up secrets in every format that the redactor knows, for tests that search for them where
 * none may be. Each is put together from parts, so that no scanner reports this file.
 */
export interface Canary {
  name: string;
  text: string;
  /** What must not be left of it. */
  secret: string;
}

const mixed = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0xL';
const small = mixed.toLowerCase();
const capitals = mixed.toUpperCase();
const hex = '9f86d081884c7d659a2feaa0c55ad015';
const digits = '123456789012345678';
const join = (...parts: string[]) => parts.join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A key that is known wherever it stands; `secret` where only a part of it may be searched for. */
function key(name: string, ...parts: string[]): Canary {
  const text = join(...parts);
  return { name, text, secret: text };
}

function within(name: string, text: string, secret: string): Canary {
  return { name, text, secret };
}

const jwt = join(
  'eyJ',
  'hbGciOiJSUzI1NiIsImtpZCI6IiJ9',
  '.',
  'eyJ',
  'pc3MiOiJrdWJlcm5ldGVzIn0',
  '.',
  mixed,
);
const pem = (kind: string) =>
  [
    `-----BEGIN ${kind}${'PRIVATE'} KEY-----`,
    `MIIEpAIBAAKCAQEA${mixed}`,
    mixed + mixed,
    `-----END ${kind}${'PRIVATE'} KEY-----`,
  ].join('\n');

/** Known by their own form, so they are found alone, in JSON, in a command and in a URL. */
export const KEYS: Canary[] = [
  key('Anthropic', 'sk-ant-', 'api03-', mixed),
  key('OpenAI, old', 'sk-', mixed),
  key('OpenAI, project', 'sk-proj-', mixed, '_-', small),
  key('OpenAI, service account', 'sk-svcacct-', mixed),
  key('OpenRouter', 'sk-or-v1-', hex, hex),
  key('Hugging Face', 'hf_', mixed, 'ab'),
  key('Groq', 'gsk_', mixed, small),
  key('xAI', 'xai-', mixed, small),
  key('Perplexity', 'pplx-', mixed, small),
  key('Replicate', 'r8_', mixed, 'abcde'),
  key('NVIDIA', 'nvapi-', mixed, small),
  key('LangSmith', 'lsv2_pt_', hex, '_0123456789'),
  key('Pinecone', 'pcsk_', mixed, '_', mixed),
  key('Amazon Bedrock', 'ABSK', mixed, mixed, mixed, '=='),
  key('GitHub, classic', 'ghp_', mixed, 'abcd'),
  key('GitHub, OAuth', 'gho_', mixed, 'abcd'),
  key('GitHub, app', 'ghs_', mixed, 'abcd'),
  key('GitHub, fine-grained', 'github_pat_', '11A', mixed, '_', mixed),
  key('GitLab', 'glpat-', mixed.slice(0, 20)),
  key('GitLab, routable', 'glpat-', mixed, '.01.0w1abcdef'),
  key('GitLab runner', 'glrt-', mixed.slice(0, 20)),
  key('Bitbucket', 'ATBB', mixed, 'AB12'),
  key('Atlassian', 'ATATT3', 'xFfGF0', mixed, '-', mixed, '=1A2B3C4D'),
  key('npm', 'npm_', mixed, 'abcd'),
  key('PyPI', 'pypi-', 'AgEIcHlwaS5vcmc', mixed, mixed),
  key('RubyGems', 'rubygems_', hex, hex.slice(0, 16)),
  key('NuGet', 'oy2', small, 'abcdefghijk'),
  key('Docker', 'dckr_pat_', mixed.slice(0, 27)),
  key('Docker, organization', 'dckr_oat_', mixed),
  key('Artifactory', 'AKCp', mixed, mixed, 'abcdef'),
  key('Buildkite', 'bkua_', hex, '12345678'),
  key('CircleCI', 'CCIPAT_', mixed, '_', hex),
  key('Sourcegraph', 'sgp_', hex, '_', hex),
  key('Linear', 'lin_api_', mixed, 'abcdefgh'),
  key('Postman', 'PMAK-', hex.slice(0, 24), '-', hex, 'ab'),
  key('Notion', 'ntn_', digits.slice(0, 11), mixed, 'abc'),
  key('Airtable', 'pat', mixed.slice(0, 14), '.', hex, hex),
  key('Figma', 'figd_', mixed, '-', mixed.slice(0, 8)),
  key('AWS access key', 'AKIA', capitals.slice(0, 16)),
  key('AWS temporary key', 'ASIA', capitals.slice(0, 16)),
  key('AWS session token', 'IQoJb3JpZ2lu', 'X2VjE', mixed, mixed),
  key('Google API', 'AIza', mixed, 'abc'),
  key('Google OAuth client', 'GOCSPX-', mixed.slice(0, 28)),
  key('Google OAuth', 'ya29.', 'a0Af', mixed, mixed),
  key('Google refresh token', '1//0', 'gX', mixed, '-', small),
  key('Alibaba Cloud', 'LTAI', '5t', mixed.slice(0, 18)),
  key('DigitalOcean', 'dop_v1_', hex, hex),
  key('Heroku', 'HRKU-', mixed, '-', mixed.slice(0, 8)),
  key('Fly.io', 'fm2_', mixed, mixed, '=='),
  key('Databricks', 'dapi', hex, '-2'),
  key('PlanetScale', 'pscale_pw_', mixed),
  key('Supabase', 'sbp_', hex, '12345678'),
  key('Netlify', 'nfp_', mixed, 'abcdefgh'),
  key('Tailscale', 'tskey-', 'auth-', mixed.slice(0, 12), 'CNTRL-', mixed),
  key('Pulumi', 'pul-', hex, '12345678'),
  key('Vault', 'hvs.', 'CAESI', mixed, mixed),
  key('Vault, batch', 'hvb.', 'AAAAAQ', mixed),
  key('age', 'AGE-SECRET-KEY-', '1', capitals, 'QPZRY9X8GF2TVDW0S3JN54KHCE'),
  key('Doppler', 'dp.st.', 'prd.', mixed, 'abcdefgh'),
  key('1Password', 'ops_eyJ', 'zaWduSW5BZGRyZXNz', mixed, mixed),
  key('Grafana', 'glsa_', mixed, '_', hex.slice(0, 8)),
  key('Grafana Cloud', 'glc_', 'eyJvIjoi', mixed, mixed),
  key('New Relic', 'NRAK-', capitals.slice(0, 27)),
  key('New Relic license', hex, '1234', 'NRAL'),
  key('Sentry', 'sntrys_', 'eyJpYXQi', mixed, '=_', mixed),
  key('PostHog', 'phx_', mixed, 'abcdefgh'),
  key('Terraform Cloud', mixed.slice(0, 14), '.atlasv1.', mixed, mixed),
  key('Azure application', 'aB3', '8Q~', mixed, 'ab'),
  key('Slack bot', 'xoxb-', '123456789012-', '1234567890123-', mixed.slice(0, 24)),
  key('Slack app', 'xapp-', '1-A01234567-', '1234567890123-', hex),
  key('Slack webhook', 'hooks.slack.com/', 'services/T01234567/B01234567/', mixed.slice(0, 24)),
  key('Discord webhook', 'discord.com/', 'api/webhooks/', digits, '/', mixed, mixed),
  key('Discord bot', 'MTIz', 'NDU2Nzg5MDEyMzQ1Njc4', '.', 'GaBcDe', '.', mixed, 'abcdef'),
  key('Telegram', '123456789:', 'AA', mixed, 'a'),
  key(
    'Microsoft Teams webhook',
    'webhook.office.com/',
    'webhookb2/',
    hex,
    '@',
    hex,
    '/IncomingWebhook/',
    hex,
  ),
  key('SendGrid', 'SG.', mixed.slice(0, 22), '.', mixed, 'abcdefghijk'),
  key('Twilio', 'SK', hex),
  key('Mailgun', 'key-', hex),
  key('Mailgun, new', hex, '-9f86d081-884c7d65'),
  key('Mailchimp', hex, '-us6'),
  key('Brevo', 'xkeysib-', hex, hex, '-', mixed.slice(0, 16)),
  key('Resend', 're_', 'aB3dE6gH', '_', mixed.slice(0, 24)),
  key('Firebase', 'AAAA', 'aB3dE6g', ':APA91b', mixed, mixed, mixed),
  key('Stripe', 'sk_live_', mixed),
  key('Stripe, restricted', 'rk_live_', mixed),
  key('Stripe webhook', 'whsec_', mixed),
  key('Square', 'sq0atp-', mixed.slice(0, 22)),
  key('Square, new', 'EAAA', mixed, mixed),
  key('Shopify', 'shpat_', hex),
  key('Shopify app', 'shpss_', hex),
  key('EasyPost', 'EZAK', mixed, mixed.slice(0, 22)),
  key('Tierwatch API token', 'twk_', mixed, mixed.slice(0, 17)),
  key('Tierwatch runner key', 'rnk_', mixed, mixed.slice(0, 17)),
  key('Tierwatch enrollment token', 'enr_', mixed, mixed.slice(0, 17)),
  key('Tierwatch invitation', 'inv_', mixed, mixed.slice(0, 17)),
  key('JSON web token', jwt),
];

/** Known by what stands around them. */
export const IN_CONTEXT: Canary[] = [
  within('RSA key', pem('RSA '), mixed),
  within('PKCS #8 key', pem(''), mixed),
  within('OpenSSH key', pem('OPENSSH '), mixed),
  within('PGP key', pem('PGP ').replaceAll('KEY-----', 'KEY BLOCK-----'), mixed),
  within(
    'service account',
    JSON.stringify({ type: 'service_account', private_key: pem('') }),
    mixed,
  ),
  within('connection string', 'postgres://app:p@ss-w0rd-9@db:5432/shop', 'w0rd-9'),
  within('Redis URL', 'redis://:hunter22x@cache:6379/0', 'hunter22x'),
  within('Go connection string', 'app:hunter22x@tcp(db:3306)/shop', 'hunter22x'),
  within('user in a URL', 'git clone https://bot:hunter22x@git.example.com/a.git', 'hunter22x'),
  within('token in a URL', `git clone https://${mixed}@git.example.com/a.git`, mixed),
  within('Basic', `Authorization: Basic ${base64('ann:hunter22x')}`, base64('ann:hunter22x')),
  within('Bearer', `Authorization: Bearer ${mixed}`, mixed),
  within('PagerDuty', `Authorization: Token token=${mixed.slice(0, 20)}`, mixed.slice(0, 20)),
  within('Okta', `Authorization: SSWS ${mixed}`, mixed),
  within('Cookie', `Cookie: theme=dark; session=${mixed}`, mixed),
  within('Set-Cookie', `Set-Cookie: sid=${mixed}; Path=/; HttpOnly`, mixed),
  within('X-Api-Key', `X-Api-Key: ${mixed}`, mixed),
  within('Fastly', `Fastly-Key: ${mixed}`, mixed),
  within('X-Auth-Token', `X-Auth-Token: ${mixed}`, mixed),
  within('Datadog', `DD-API-KEY: ${hex}`, hex),
  within(
    'Azure storage',
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${mixed}${mixed}==;`,
    mixed,
  ),
  within(
    'Azure service bus',
    `Endpoint=sb://a/;SharedAccessKeyName=root;SharedAccessKey=${mixed}=`,
    mixed,
  ),
  within(
    'Azure shared access signature',
    `https://a.blob.core.windows.net/c/f?sv=2024-01-01&sp=r&sig=${mixed}%2Bab%3D`,
    mixed,
  ),
  within(
    'signed URL',
    `https://b.s3.amazonaws.com/f?X-Amz-Expires=60&X-Amz-Signature=${hex}${hex}`,
    hex,
  ),
  within('AWS secret', `aws_secret_access_key = wJalr/${mixed}+a`, mixed),
  within(
    'Docker config',
    `"auth": "${base64('registry-bot:hunter22x')}"`,
    base64('registry-bot:hunter22x'),
  ),
  within('npmrc', `//registry.npmjs.org/:_authToken=${hex}-1234`, hex),
  within(
    'npmrc, basic',
    `//registry.example.com/:_auth=${base64('ann:hunter22x')}`,
    base64('ann:hunter22x'),
  ),
  within('netrc', 'machine api.example.com login ann password hunter22x', 'hunter22x'),
  within(
    'netrc in lines',
    'machine api.example.com\n  login ann\n  password hunter22x',
    'hunter22x',
  ),
  within('environment', 'export DB_PASSWORD=hunter22x', 'hunter22x'),
  within('heroku', `HEROKU_API_KEY=${hex.slice(0, 8)}-4e7a-4b6d-9c1f-2d8e5a7b3c60`, '4e7a-4b6d'),
  within('YAML', 'password: hunter22x', 'hunter22x'),
  within('YAML block', 'password: |\n  hunter22x', 'hunter22x'),
  within('TOML', 'client_secret = "hunter 22x"', 'hunter 22x'),
  within('JSON', '{"password":"hunter22x"}', 'hunter22x'),
  within('escaped JSON', '{\\"password\\":\\"hunter22x\\"}', 'hunter22x'),
  within(
    'twice escaped JSON',
    JSON.stringify(JSON.stringify({ body: JSON.stringify({ apiKey: 'hunter"22x' }) })),
    '22x',
  ),
  within('container definition', '{"name": "DB_PASSWORD", "value": "hunter22x"}', 'hunter22x'),
  within('pod definition', '- name: DB_PASSWORD\n  value: hunter22x', 'hunter22x'),
  within('XML', '<password>hunter22x</password>', 'hunter22x'),
  within('ADO connection string', 'Server=db;User Id=sa;Password=hunter22x;Timeout=3', 'hunter22x'),
  within('query', 'https://api.example.com/v1?access_token=hunter22x&limit=5', 'hunter22x'),
  within(
    'encoded query',
    'https://example.com/?next=%2Fx%3Fpassword%3Dhunter22x%26a%3D1',
    'hunter22x',
  ),
  within('mysql', 'mysql -h db -u root -phunter22x shop', 'hunter22x'),
  within('mysqldump', "mysqldump --all-databases -uroot -p'hunter22x' > all.sql", 'hunter22x'),
  within('mariadb', 'mariadb -phunter22x', 'hunter22x'),
  within('curl -u', 'curl -sS -u ann:hunter22x https://example.com/', 'hunter22x'),
  within('curl -su', 'curl -su ann:hunter22x https://example.com/', 'hunter22x'),
  within('curl --user', "curl --user 'ann:hunter22x' https://example.com/", 'hunter22x'),
  within('curl --user=', 'curl https://example.com/?a=1&b=2 --user=ann:hunter22x', 'hunter22x'),
  within('curl -b', `curl -b "session=${mixed}" https://example.com/`, mixed),
  within('curl -H', `curl -H 'Cookie: session=${mixed}' https://example.com/`, mixed),
  within('sshpass', 'sshpass -p hunter22x ssh -p 2222 ops@host', 'hunter22x'),
  within('sshpass, joined', "sshpass -p'hunter 22x' ssh ops@host", 'hunter 22x'),
  within('redis-cli', 'redis-cli -h cache -a hunter22x info', 'hunter22x'),
  within('mongosh', 'mongosh db/shop -u app -p hunter22x', 'hunter22x'),
  within('docker login', 'docker login -u ann -p hunter22x registry.example.com', 'hunter22x'),
  within('ldapsearch', 'ldapsearch -x -D cn=admin -w hunter22x', 'hunter22x'),
  within('sqlcmd', 'sqlcmd -S db -U sa -P hunter22x', 'hunter22x'),
  within('smbclient', 'smbclient //host/share -U ann%hunter22x', 'hunter22x'),
  within('long option', 'mysql --password hunter22x -e 1', 'hunter22x'),
  within('Java option', 'keytool -list -storepass hunter22x', 'hunter22x'),
  within('sudo -S', "echo 'hunter22x' | sudo -S systemctl restart web", 'hunter22x'),
  within('chpasswd', 'echo "ann:hunter22x" | sudo chpasswd', 'hunter22x'),
  within('password on stdin', 'echo hunter22x | docker login -u ann --password-stdin', 'hunter22x'),
  within('PowerShell', 'ConvertTo-SecureString "hunter22x" -AsPlainText', 'hunter22x'),
  within('argv in JSON', '["mysql","-u","root","-phunter22x"]', 'hunter22x'),
  within('argv of two words in JSON', '["curl", "-u", "ann:hunter22x"]', 'hunter22x'),
  within('SQL', "CREATE USER app IDENTIFIED BY 'hunter22x'", 'hunter22x'),
  within('SQL role', "ALTER ROLE app WITH PASSWORD 'hunter22x'", 'hunter22x'),
  within('redis.conf', 'requirepass hunter22x', 'hunter22x'),
  within(
    'password hash',
    `root:$6$${mixed.slice(0, 8)}$${mixed}${mixed}${mixed.slice(0, 22)}:19000:0`,
    mixed,
  ),
  within('bcrypt', `ann:$2y$10$${mixed}${mixed.slice(0, 21)}`, mixed),
];

export const CANARIES: Canary[] = [...KEYS, ...IN_CONTEXT];
