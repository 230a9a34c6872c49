import { env } from '@/lib/platform/env';
import type { TargetRules } from '@/lib/platform/outbound-http/target-policy';

/** Read when a URL is judged and not when a route is loaded: `next build` has no environment. */
export const TARGET_RULES: TargetRules = {
  get allowPrivate() {
    return env().allowPrivateTargets;
  },
};
