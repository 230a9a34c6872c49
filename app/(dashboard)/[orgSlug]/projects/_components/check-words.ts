import type { CheckType } from '@/lib/protocol/spec';

/** Each kind of check: its name, what its target is, and an example. Apart from the form, which is large. */
export const CHECK_TYPES: Record<CheckType, { word: string; target: string; example: string }> = {
  http: { word: 'HTTP', target: 'URL', example: 'https://shop.example/health' },
  tcp: { word: 'TCP port', target: 'Host and port', example: 'db-1.internal:5432' },
  tls: { word: 'TLS certificate', target: 'Host', example: 'shop.example:443' },
  dns: { word: 'DNS', target: 'Name', example: 'shop.example' },
  database: { word: 'Database', target: 'Address', example: 'postgresql://db-1.internal:5432' },
  container: { word: 'Container', target: 'Name', example: 'payments-db' },
  service: { word: 'systemd unit', target: 'Unit', example: 'nginx.service' },
  process: { word: 'Process', target: 'Name or pid file', example: '/run/web.pid' },
  prometheus: { word: 'Prometheus', target: 'Server', example: 'http://prometheus:9090' },
  command: { word: 'Command', target: 'Program and arguments', example: 'df -P /srv' },
  heartbeat: { word: 'Heartbeat', target: 'Name', example: 'nightly-backup' },
};
