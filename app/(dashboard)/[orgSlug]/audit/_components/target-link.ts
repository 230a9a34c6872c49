import type { AuditTarget } from '@/lib/insight/audit-targets';

interface TargetLink {
  label: string;
  /** Null where no page shows it alone. */
  href: string | null;
}

/**
 * Returns the name of what an entry is about, and the page that shows it.
 *
 * @param id the entry's target, such as `rnr_…`
 * @param target null where it was deleted since, or is the organization itself
 */
export function targetLink(orgSlug: string, id: string, target: AuditTarget | null): TargetLink {
  const root = `/${orgSlug}`;
  if (!target) return { label: DELETED[id.slice(0, 3)] ?? id, href: null };
  switch (target.kind) {
    case 'session': {
      const { project, number, conversationId } = target;
      const path = `${root}/projects/${project.slug}`;
      return {
        label: `Session #${number}, ${project.name}`,
        href: conversationId ? `${path}/ask/${conversationId}` : `${path}/sessions/${number}`,
      };
    }
    case 'chain': {
      const { project, number } = target;
      return {
        label: `Chain #${number}, ${project.name}`,
        href: `${root}/projects/${project.slug}/chains/${number}`,
      };
    }
    case 'incident': {
      const { project, number } = target;
      return {
        label: `Incident #${number}, ${project.name}`,
        href: `${root}/projects/${project.slug}/incidents/${number}`,
      };
    }
    case 'alert_source': {
      const { project, name } = target;
      return {
        label: `${name}, ${project.name}`,
        href: `${root}/projects/${project.slug}/settings/alerts?source=${id}`,
      };
    }
    case 'project':
      return { label: target.project.name, href: `${root}/projects/${target.project.slug}` };
    case 'approval': {
      const { chainNumber, tier, project } = target;
      return {
        label: `Approval in tier ${tier} of Chain #${chainNumber}, ${project.name}`,
        href: `${root}/approvals/${id}`,
      };
    }
    case 'conversation':
      return { label: target.title, href: `${root}/projects/${target.project.slug}/ask/${id}` };
    case 'runner':
      return { label: `Runner ${target.name}`, href: `${root}/runners/${id}` };
    case 'endpoint':
      return { label: URL.parse(target.url)?.host ?? 'Endpoint', href: `${root}/webhooks/${id}` };
    case 'channel':
      return { label: target.name, href: `${root}/settings/notifications` };
    case 'policy':
      return { label: target.name, href: `${root}/settings/paging#${id}` };
    case 'token':
      return { label: target.name, href: `${root}/settings/tokens` };
    case 'invitation':
      return { label: target.email, href: `${root}/settings/members` };
    case 'member':
      return { label: target.name, href: `${root}/settings/members` };
  }
}

/** Names only the kind when the row was deleted; the details still have the id. */
const DELETED: Record<string, string> = {
  org: 'The organization',
  ses: 'A deleted session',
  chn: 'A deleted chain',
  inc: 'A deleted incident',
  als: 'A deleted alert source',
  prj: 'A deleted project',
  apr: 'A deleted approval',
  cnv: 'A deleted conversation',
  rnr: 'A deleted runner',
  whk: 'A deleted endpoint',
  ntc: 'A deleted channel',
  esp: 'A deleted paging policy',
  ocs: 'A former on-call schedule',
  tok: 'A deleted token',
  inv: 'A deleted invitation',
  mem: 'A former member',
  usr: 'A former member',
  enr: 'An enrollment token',
};
