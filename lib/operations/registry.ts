import type { RouteDescription } from '@/lib/api/route-description';
import * as approvals from './approvals';
import * as audit from './audit';
import * as chains from './chains';
import * as channels from './channels';
import * as commands from './commands';
import * as conversations from './conversations';
import * as incidents from './incidents';
import * as insights from './insights';
import * as invitations from './invitations';
import * as members from './members';
import type { Operation } from './operation';
import * as organization from './organization';
import * as pagingPolicies from './paging-policies';
import * as pingChecks from './ping-checks';
import * as projects from './projects';
import * as runners from './runners';
import * as services from './services';
import * as sessions from './sessions';
import * as signalSources from './signal-sources';
import * as signals from './signals';
import * as tokens from './tokens';
import * as turns from './turns';
import * as webhookDeliveries from './webhook-deliveries';
import * as webhookEndpoints from './webhook-endpoints';

/** Every operation; each file of this folder exports those of one resource and nothing else. */
export const OPERATIONS: readonly Operation[] = [
  organization,
  members,
  invitations,
  tokens,
  audit,
  projects,
  services,
  pingChecks,
  chains,
  sessions,
  incidents,
  approvals,
  commands,
  conversations,
  turns,
  signalSources,
  signals,
  runners,
  channels,
  pagingPolicies,
  webhookEndpoints,
  webhookDeliveries,
  insights,
].flatMap((resource) => Object.values(resource) as Operation[]);

/** What every operation says about itself over HTTP: what the OpenAPI document is made of. */
export const DESCRIPTIONS: readonly RouteDescription[] = OPERATIONS.map(
  ({ handler }) => handler.description,
);
