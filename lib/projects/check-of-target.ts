import type { CheckSpec } from '@/lib/protocol/spec';

const TIMEOUT_SECONDS = 5;
const DATABASES = /^(postgres(ql)?|mysql|mariadb|redis|rediss|mongodb(\+srv)?):\/\//i;

/**
 * Returns the check meant by `https://shop.example/health`, `db-1:5432`, `postgresql://db-1`,
 * `nginx.service` or `payments-db`: a URL, a port, a database, a systemd unit, or else a container.
 */
export function checkOfTarget(text: string): CheckSpec | null {
  const target = text.trim();
  if (target === '' || /\s/.test(target)) return null;
  const check = (type: CheckSpec['type']): CheckSpec => {
    return { type, target, timeoutSeconds: TIMEOUT_SECONDS };
  };
  if (/^https?:\/\//i.test(target)) return URL.canParse(target) ? check('http') : null;
  if (DATABASES.test(target)) return check('database');
  if (target.includes('://')) return null;
  if (/^\[?[^\s/]+\]?:\d{1,5}$/.test(target)) return check('tcp');
  if (/^[A-Za-z0-9][\w.@:-]*\.(service|socket|timer)$/.test(target)) return check('service');
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(target) ? check('container') : null;
}

/** Returns a name for the service behind a target: `shop.example`, `db-1`, `payments-db`. */
export function serviceNameOf({ target }: Pick<CheckSpec, 'target'>): string {
  const url = target.includes('://') ? URL.parse(target) : null;
  const host = url?.hostname ?? target.replace(/:\d+$/, '');
  const name = host.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return name.slice(0, 60) || 'service';
}
