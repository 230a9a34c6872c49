/** What runs while processes are killed: projects whose chains follow each other, and a webhook endpoint. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createdApiTokenSchema } from '@/lib/identity/api-tokens/schema';
import { chainDetailSchema } from '@/lib/insight/chains/schema';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import { projectDtoSchema } from '@/lib/projects/view';
import { REPAIRS, SERVICE } from './agent';
import { type PatientClient, patientClient, Unanswered } from './client';
import type { PostRecord } from './records';

const LOOK_MS = 1_000;
/** Nothing listens there, so the service is down in every chain. */
const TARGET_OF_CHECK = '127.0.0.1:1';

export interface ChaosProject {
  slug: string;
  /** Of a token of its own, so that each project has its own rate limit. */
  client: PatientClient;
  posts: PostRecord[];
}

/** Adds the projects, each with a token. */
export async function addProjects(
  url: string,
  token: string,
  count: number,
  deadline: () => number,
): Promise<ChaosProject[]> {
  const admin = patientClient(url, token, deadline);
  const projects: ChaosProject[] = [];
  for (let number = 1; number <= count; number += 1) {
    const slug = `chaos-${number}`;
    await admin.post('projects', documentOf(slug), projectDtoSchema, slug);
    const body = { name: slug, scopes: ['all'], expiresInDays: 1 };
    const own = await admin.post('tokens', body, createdApiTokenSchema, slug);
    projects.push({ slug, client: patientClient(url, own.token, deadline), posts: [] });
  }
  return projects;
}

export async function addEndpoint(client: PatientClient, url: string): Promise<void> {
  const eventTypes = ['chain.started', 'chain.completed', 'session.completed'];
  await client.post('webhook-endpoints', { url, eventTypes }, z.object({ id: z.string() }));
}

function documentOf(slug: string): ProjectDocument {
  const restart = `Bash(${REPAIRS.restart}:*)`;
  const redeploy = `Bash(${REPAIRS.redeploy}:*)`;
  const rules = [[], [restart], [restart, redeploy]];
  return {
    name: slug,
    slug,
    harness: 'claude',
    isolation: 'open',
    services: [
      { name: SERVICE, checks: [{ type: 'tcp', target: TARGET_OF_CHECK, timeoutSeconds: 1 }] },
    ],
    // Only requests start chains.
    schedule: { kind: 'manual', timeZone: 'UTC' },
    monitoring: { everySeconds: null },
    tiers: DEFAULT_TIERS.map((tier, index) => ({
      ...tier,
      isEnabled: true,
      tools: ['Bash', 'Read'],
      allowedTools: rules[index] ?? [],
      disallowedTools: [],
    })),
    maxTier: 3,
    dryRun: false,
    cooldowns: [{ action: 'restart', limit: 100, windowSeconds: 60 }],
    budgets: { chainUsd: null, dayUsd: null, monthUsd: null },
    runnerPool: 'local',
  };
}

/**
 * Runs one chain after the other until `isOver`. Returns once the last one has ended or the client
 * has given up.
 */
export async function runChains(project: ChaosProject, isOver: () => boolean): Promise<void> {
  const { slug, client, posts } = project;
  try {
    while (!isOver()) {
      const post: PostRecord = { key: `${slug}-${posts.length + 1}`, chainId: null };
      posts.push(post);
      const path = `projects/${slug}/chains`;
      post.chainId = (await client.post(path, {}, chainDetailSchema, post.key)).id;
      await untilEnded(client, post.chainId);
    }
  } catch (error) {
    // The records show the chain as it is.
    if (!(error instanceof Unanswered)) throw error;
  }
}

async function untilEnded(client: PatientClient, chainId: string): Promise<void> {
  for (;;) {
    const { status } = await client.get(`chains/${chainId}`, chainDetailSchema);
    if (status === 'ended') return;
    await sleep(LOOK_MS);
  }
}
