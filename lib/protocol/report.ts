/** What a tier hands in at its end, by the CLI's structured output. A claim until a check confirms it. */

import { z } from 'zod';
import { checkTypeSchema, serviceStatusSchema } from './spec';

const serviceName = z.string().trim().min(1).max(100);
const prose = z.string().max(20_000);

const reportedStatusSchema = serviceStatusSchema;

export const reportSchema = z.object({
  summary: z.string().min(1).max(4_000).describe('One to three sentences a colleague can act on.'),
  services_checked: z
    .array(
      z.object({
        name: serviceName,
        check_type: checkTypeSchema.optional(),
        status: reportedStatusSchema,
        detail: z.string().max(4_000),
      }),
    )
    .max(200),
  findings: z
    .array(
      z.object({
        service: serviceName.optional(),
        severity: z.enum(['info', 'warning', 'critical']),
        message: z.string().min(1).max(4_000),
      }),
    )
    .max(200),
  escalation: z.object({
    wanted: z.boolean().describe('True when a higher tier is needed.'),
    reason: z.string().max(4_000).describe('Why, or an empty text.'),
    services: z.array(serviceName).max(100),
  }),
  actions_taken: z
    .array(
      z.object({
        service: serviceName,
        action: z.enum(['restart', 'redeploy', 'other']),
        command: z.string().max(4_000),
        outcome: z.string().max(4_000),
      }),
    )
    .max(200),
  resolved: z
    .boolean()
    .optional()
    .describe('Tiers 2 and 3: a check made after the fix shows every affected service healthy.'),
  investigation_findings: prose.optional(),
  remediation_attempted: prose.optional(),
});
export type TierReport = z.infer<typeof reportSchema>;

/**
 * JSON Schema of the report, for `--json-schema`. The CLI ignores a schema it can't read without
 * a word, so it holds no `$schema` and no `additionalProperties: false`.
 */
export const reportJsonSchema: Record<string, unknown> = withoutDialect(
  z.toJSONSchema(reportSchema, { io: 'input', unrepresentable: 'throw' }),
);

function withoutDialect(schema: Record<string, unknown>): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}

export type ParsedReport = { ok: true; report: TierReport } | { ok: false; error: string };

/** Parses `structured_output`. `error` names the first wrong field: `findings.0.severity: …`. */
export function parseReport(structuredOutput: unknown): ParsedReport {
  if (structuredOutput === undefined || structuredOutput === null) {
    return { ok: false, error: 'The agent submitted no report.' };
  }
  const parsed = reportSchema.safeParse(structuredOutput);
  if (parsed.success) return { ok: true, report: parsed.data };
  const issue = parsed.error.issues[0];
  return {
    ok: false,
    error: issue ? `${issue.path.join('.')}: ${issue.message}` : 'Not a report.',
  };
}
