/** A runner with one version of the real CLI, a scripted model for it, and a service to look after. */
import path from 'node:path';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import { type MessagesApi, startMessagesApi } from '../messages-api/messages-api';
import { type BrokenService, startBrokenService } from './broken-service';
import type { RunnerProcess } from './runner';
import type { System } from './system';

export interface ClaudeHost {
  pool: string;
  model: MessagesApi;
  service: BrokenService;
  runner: RunnerProcess;
  /** All three tiers on, the service `web` to be checked; unique among the test's projects. */
  project(changes?: Partial<ProjectDocument>): ProjectDocument;
  close(): Promise<void>;
}

let projects = 0;

export async function addClaudeHost(
  system: System,
  options: { binary: string; name: string; env?: Record<string, string> },
): Promise<ClaudeHost> {
  const { binary, name, env = {} } = options;
  const model = await startMessagesApi({ script: [] });
  const service = await startBrokenService(path.join(system.dataDir, 'services', name));
  const runner = await system.addRunner({
    name,
    pool: name,
    env: {
      CLAUDE_BIN: binary,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'key-of-the-runner',
      PATH: `${service.binDir}:${process.env.PATH ?? ''}`,
      ...env,
    },
  });
  return {
    pool: name,
    model,
    service,
    runner,
    project(changes = {}) {
      projects += 1;
      return {
        name: `Project ${projects}`,
        slug: `project-${projects}`,
        harness: 'claude',
        isolation: 'open',
        services: [
          { name: 'web', checks: [{ type: 'http', target: service.url, timeoutSeconds: 5 }] },
        ],
        schedule: { kind: 'manual', timeZone: 'UTC' },
        tiers: DEFAULT_TIERS.map((tier) => ({
          ...tier,
          // The service has no check of a container that would fill the placeholder.
          allowedTools: tier.allowedTools.map((rule) => rule.replaceAll('{service}', 'web')),
          prompt: null,
          isEnabled: true,
        })),
        maxTier: 3,
        dryRun: false,
        runnerPool: name,
        ...changes,
      };
    },
    async close() {
      await runner.end();
      await model.close();
      await service.close();
    },
  };
}
