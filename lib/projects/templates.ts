/** What a new project can start from: how its first service is checked, and what the agent is told. */
import type { CheckSpec } from '@/lib/protocol/spec';

export const TEMPLATE_NAMES = ['web', 'docker', 'systemd', 'kubernetes'] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

interface Template {
  label: string;
  /** What to enter for the first service, and one that could stand there. */
  hint: string;
  example: string;
  /** Words of the operators, which every tier reads; can be changed later. */
  instructions: string;
}

export const TEMPLATES: Record<TemplateName, Template> = {
  web: {
    label: 'Web service',
    hint: 'A URL, a host and port, a systemd unit, or the name of a container.',
    example: 'https://shop.example/health',
    instructions: '',
  },
  docker: {
    label: 'Docker container',
    hint: 'The name of a container on the runner’s host.',
    example: 'payments-db',
    instructions:
      'The services are Docker containers on this host, named like the services. Look at them with docker ps, docker inspect and docker logs. A restart is docker restart with the name of the container.',
  },
  systemd: {
    label: 'systemd unit',
    hint: 'The name of a unit on the runner’s host.',
    example: 'nginx.service',
    instructions:
      'The services are systemd units on this host. Look at them with systemctl status and journalctl. A restart is systemctl restart with the name of the unit.',
  },
  kubernetes: {
    label: 'Kubernetes',
    hint: 'A URL or a host and port at which the runner reaches the service.',
    example: 'http://shop.default.svc:8080/health',
    instructions:
      'The services run in Kubernetes as deployments of the same name; kubectl on this host is set up for their namespace. A restart is kubectl rollout restart of the deployment.',
  },
};

/** What the typed target means for a template; null while it can't be parsed. */
export function checkOfTemplate(template: TemplateName, text: string): CheckSpec | null {
  const check = checkOfTarget(text);
  if (check === null) return null;
  const isName = check.type === 'container' || check.type === 'service';
  switch (template) {
    case 'web':
      return check;
    case 'docker':
      return isName ? { ...check, type: 'container' } : null;
    case 'systemd':
      return isName ? { ...check, type: 'service' } : null;
    case 'kubernetes':
      return isName ? null : check;
  }
}

/** What to write instead of a target that can't be parsed. */
export function wrongTarget(template: TemplateName): string {
  switch (template) {
    case 'web':
      return 'Enter a full URL, such as https://shop.example/health, a host and port, such as db-1:5432, a unit, such as nginx.service, or the name of a container.';
    case 'docker':
      return 'Enter the name of a container, such as payments-db.';
    case 'systemd':
      return 'Enter the name of a unit, such as nginx.service.';
    case 'kubernetes':
      return 'Enter a full URL, such as http://shop.default.svc:8080/health, or a host and port.';
  }
}

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
