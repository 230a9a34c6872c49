import { DOC_PAGES } from '@/app/docs/_pages/pages';
import { SECTIONS } from '@/lib/projects/sections';

/** Addresses of what the pages show: the demo organization after a chain of three tiers. */
export interface Places {
  /** "/acme" */
  organization: string;
  /** "/acme/projects/checkout" */
  project: string;
  /** "/acme/projects/checkout/chains/12" */
  chain: string;
  /** Of tier 2, which received a handoff and gave one. */
  session: string;
  /** About that chain, with a turn that was answered. */
  conversation: string;
  runner: string;
  /** With a delivery open. */
  endpoint: string;
  /** Of the demo project, which a person resolved. */
  incident: string;
  /** Of the start of tier 2, in a chain that was stopped before anyone decided. */
  approval: string;
  /** Sent to somebody who is invited. */
  invitation: string;
  /** Sent to somebody who forgot a password. */
  reset: string;
}

type Visit = (places: Places) => string | readonly string[];

const of =
  (place: keyof Places, rest = ''): Visit =>
  (places) =>
    places[place] + rest;
const at =
  (...addresses: string[]): Visit =>
  () =>
    addresses;

/** What nobody has to sign in for. */
export const PUBLIC_VISITS: Record<string, Visit> = {
  '/sign-in': at('/sign-in'),
  '/sign-in/second-step': at('/sign-in/second-step'),
  '/sign-up': at('/sign-up'),
  '/reset': at('/reset'),
  '/reset/[token]': of('reset'),
  '/invite/[token]': of('invitation'),
  '/docs': at('/docs'),
  '/docs/[page]': at(...DOC_PAGES.map(({ slug }) => `/docs/${slug}`)),
  '/docs/reference': at('/docs/reference'),
  '/docs/reference/[resource]': at('/docs/reference/chains', '/docs/reference/webhook-endpoints'),
};

/** How each route is visited, by somebody who owns the organization. */
export const MEMBER_VISITS: Record<string, Visit> = {
  '/': at('/'),
  '/me': at('/me'),
  '/me/second-factor': at('/me/second-factor'),
  '/orgs': at('/orgs'),
  '/[orgSlug]': of('organization'),
  '/[orgSlug]/activity': of('organization', '/activity'),
  '/[orgSlug]/analytics': of('organization', '/analytics'),
  '/[orgSlug]/approvals': of('organization', '/approvals'),
  '/[orgSlug]/approvals/[approvalId]': of('approval'),
  '/[orgSlug]/audit': of('organization', '/audit'),
  '/[orgSlug]/chains': of('organization', '/chains'),
  '/[orgSlug]/incidents': of('organization', '/incidents'),
  '/[orgSlug]/projects/new': of('organization', '/projects/new'),
  '/[orgSlug]/projects/[projectSlug]': of('project'),
  '/[orgSlug]/projects/[projectSlug]/ask': ({ project, chain }) => [
    `${project}/ask`,
    `${project}/ask?chain=${chain.split('/').at(-1)}`,
  ],
  '/[orgSlug]/projects/[projectSlug]/ask/[conversationId]': of('conversation'),
  '/[orgSlug]/projects/[projectSlug]/chains': of('project', '/chains'),
  '/[orgSlug]/projects/[projectSlug]/chains/[number]': of('chain'),
  '/[orgSlug]/projects/[projectSlug]/events': of('project', '/events'),
  '/[orgSlug]/projects/[projectSlug]/incidents': of('project', '/incidents'),
  '/[orgSlug]/projects/[projectSlug]/incidents/[number]': of('incident'),
  '/[orgSlug]/projects/[projectSlug]/services': of('project', '/services'),
  '/[orgSlug]/projects/[projectSlug]/services/[name]': of('project', '/services/web'),
  '/[orgSlug]/projects/[projectSlug]/sessions': of('project', '/sessions'),
  '/[orgSlug]/projects/[projectSlug]/sessions/side-by-side': ({ project, session }) => {
    const number = Number(session.split('/').at(-1));
    return [`${project}/sessions/side-by-side?session=${number - 1}&session=${number}`];
  },
  '/[orgSlug]/projects/[projectSlug]/sessions/[number]': of('session'),
  '/[orgSlug]/projects/[projectSlug]/sessions/[number]/checkpoints': of('session', '/checkpoints'),
  '/[orgSlug]/projects/[projectSlug]/sessions/[number]/command': of('session', '/command'),
  '/[orgSlug]/projects/[projectSlug]/sessions/[number]/decision': of('session', '/decision'),
  '/[orgSlug]/projects/[projectSlug]/sessions/[number]/handoff': of('session', '/handoff'),
  '/[orgSlug]/projects/[projectSlug]/sessions/[number]/ledger': of('session', '/ledger'),
  '/[orgSlug]/projects/[projectSlug]/sessions/[number]/report': of('session', '/report'),
  '/[orgSlug]/projects/[projectSlug]/settings': of('project', '/settings'),
  '/[orgSlug]/projects/[projectSlug]/settings/[section]': ({ project }) =>
    SECTIONS.map(({ key }) => `${project}/settings/${key}`),
  '/[orgSlug]/projects/[projectSlug]/spend': of('project', '/spend'),
  '/[orgSlug]/runners': of('organization', '/runners'),
  '/[orgSlug]/runners/[runnerId]': of('runner'),
  '/[orgSlug]/sessions': of('organization', '/sessions'),
  '/[orgSlug]/settings': of('organization', '/settings'),
  '/[orgSlug]/settings/paging': of('organization', '/settings/paging'),
  '/[orgSlug]/settings/general': of('organization', '/settings/general'),
  '/[orgSlug]/settings/members': of('organization', '/settings/members'),
  '/[orgSlug]/settings/notifications': of('organization', '/settings/notifications'),
  '/[orgSlug]/settings/tokens': of('organization', '/settings/tokens'),
  '/[orgSlug]/spend': of('organization', '/spend'),
  '/[orgSlug]/system': of('organization', '/system'),
  '/[orgSlug]/webhooks': of('organization', '/webhooks'),
  '/[orgSlug]/webhooks/[endpointId]': of('endpoint'),
};
