/** Which variables of the runner's own environment an agent may see: these, and named ones. */
const ALLOWED = [
  'PATH',
  'LANG',
  'LANGUAGE',
  'TZ',
  'USER',
  'LOGNAME',
  'SHELL',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];

export function passThrough(
  source: Record<string, string | undefined>,
  named: readonly string[],
): Record<string, string> {
  const isAllowed = (name: string) =>
    ALLOWED.includes(name) || name.startsWith('LC_') || named.includes(name);
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      value !== undefined && isAllowed(name) ? [[name, value]] : [],
    ),
  );
}
