import { currentTenant } from '@/lib/platform/db/tenant-context';
import type { ProjectConfig } from './schema';

const MAX_CONFIGS = 300;

export interface ConfigCache {
  get(projectId: string, version: number): ProjectConfig | undefined;
  /** @returns the configuration, frozen: it is shared from now on */
  keep(projectId: string, version: number, config: ProjectConfig): ProjectConfig;
}

/** Parsed configurations by tenant, project and version; the ones unused for longest are let go. */
export function createConfigCache(): ConfigCache {
  const known = new Map<string, ProjectConfig>();
  // With the tenant in it, what one organization may read is never another's answer.
  const keyOf = (projectId: string, version: number) =>
    `${currentTenant() ?? ''}/${projectId}/${version}`;

  function put(key: string, config: ProjectConfig): void {
    known.delete(key);
    known.set(key, config);
    const [oldest] = known.keys();
    if (known.size > MAX_CONFIGS && oldest !== undefined) known.delete(oldest);
  }

  return {
    get(projectId, version) {
      const key = keyOf(projectId, version);
      const config = known.get(key);
      if (config) put(key, config);
      return config;
    },
    keep(projectId, version, config) {
      put(keyOf(projectId, version), deepFreeze(config));
      return config;
    },
  };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
