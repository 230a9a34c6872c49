import { z } from 'zod';
import { getUsage } from '@/lib/insight/spend/get-spend';
import { SPEND_GROUPS, usageQuerySchema } from '@/lib/insight/spend/schema';
import { encodeId, UUID } from '@/lib/platform/ids';
import { projectInput, projectOf } from '../inputs';
import { DEFAULT_ROWS, MAX_ROWS } from '../page';
import { defineTool, READS } from '../tool';
import { plainLine } from '../untrusted';

const moment = usageQuerySchema.shape.from;

/** Groups whose keys are ids of rows. */
const ID_OF_GROUP = { project: 'prj', session: 'ses' } as const;

export const getSpendTool = defineTool({
  name: 'get_spend',
  title: 'Get spend',
  description:
    'Use it for what agents cost: summed by day (UTC), project, tier, model or session, over a span of time. Without a span: the last 30 days. Days come newest first, other groups by cost; what doesn’t fit is summed in rest. Estimated parts are marked. Tier 0 is answers to operators.',
  scopes: ['usage:read'],
  annotations: READS,
  input: z.strictObject({
    group_by: z.enum(SPEND_GROUPS).default('day').meta({ description: 'What is summed by.' }),
    from: moment.meta({ description: 'ISO 8601 date or time; 30 days before `to` if missing.' }),
    to: moment.meta({ description: 'ISO 8601 date or time, not included; now if missing.' }),
    project: projectInput.optional(),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_ROWS)
      .default(DEFAULT_ROWS)
      .meta({ description: `Groups, at most ${MAX_ROWS}.` }),
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    group_by: z.string(),
    groups: z.array(
      z.object({
        key: z.string().meta({ description: 'Day, tier or model; prj_… or ses_… of an id.' }),
        label: z.string(),
        cost_usd: z.number(),
        estimated_usd: z.number(),
        tokens: z.number().int(),
      }),
    ),
    rest: z.object({ groups: z.number().int(), cost_usd: z.number() }).optional(),
    total_cost_usd: z.number(),
    estimated_usd: z.number(),
    total_tokens: z.number().int(),
    attempts_without_usage: z.number().int(),
  }),
  run: async (call, { group_by: groupBy, from, to, project, limit }) => {
    const query = { groupBy, from, to, project: projectOf(call, project) };
    const usage = await getUsage(call.scope, query);
    const shown = usage.data.slice(0, limit);
    const left = usage.data.slice(limit);
    const restGroups = left.length + (usage.rest?.groups ?? 0);
    const restUsd = left.reduce((sum, row) => sum + row.costUsd, usage.rest?.costUsd ?? 0);
    return {
      from: usage.from,
      to: usage.to,
      group_by: groupBy,
      groups: shown.map((row) => ({
        key: keyOf(row.key, groupBy),
        label: plainLine(row.label),
        cost_usd: row.costUsd,
        estimated_usd: row.estimatedUsd,
        tokens: row.tokens,
      })),
      rest: restGroups === 0 ? null : { groups: restGroups, cost_usd: rounded(restUsd) },
      total_cost_usd: usage.totalCostUsd,
      estimated_usd: usage.estimatedUsd,
      total_tokens: usage.totalTokens,
      attempts_without_usage: usage.attemptsWithoutUsage,
    };
  },
});

function keyOf(key: string, groupBy: (typeof SPEND_GROUPS)[number]): string {
  if (groupBy !== 'project' && groupBy !== 'session') return plainLine(key);
  return UUID.test(key) ? encodeId(ID_OF_GROUP[groupBy], key) : 'deleted';
}

/** To micro-dollars, which the ledger counts in. */
function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
