import { z } from 'zod';

export const textQuerySchema = z.object({ q: z.string().trim().min(1).max(200) });

const projectSchema = z.object({ slug: z.string(), name: z.string() });

const numberedSchema = z.object({
  kind: z.enum(['chains', 'sessions']),
  number: z.number().int(),
  project: projectSchema,
});
export type NumberedHit = z.infer<typeof numberedSchema>;

const hitSchema = z.object({
  project: projectSchema,
  session: z.object({ number: z.number().int(), tier: z.number().int() }),
  /** Null for a turn of a conversation. */
  chain: z.object({ number: z.number().int() }).nullable(),
  /** `cnv_…` of a turn; null for a tier's session. */
  conversationId: z.string().nullable(),
  at: z.string(),
  /** Around the first match; parts that match are marked. */
  snippet: z.array(z.object({ text: z.string(), isMatch: z.boolean() })),
  /** Sequence number of the event in the session's log; null for a report. */
  seq: z.number().int().nullable(),
});
export type TextHit = z.infer<typeof hitSchema>;

/** What a search over stored text found, newest first. */
export const textHitsSchema = z.object({
  numbers: z.array(numberedSchema),
  reports: z.array(hitSchema),
  commands: z.array(hitSchema),
});
export type TextHits = z.infer<typeof textHitsSchema>;

/** What can be found by its name alone, loaded once when the palette opens. */
export const placesSchema = z.object({
  services: z.array(z.object({ name: z.string(), status: z.string(), project: projectSchema })),
  runners: z.array(z.object({ id: z.string(), name: z.string(), pool: z.string() })),
  people: z.array(z.object({ id: z.string(), name: z.string(), role: z.string() })),
  /** Names of those who have at least this role, for the reasons of disabled commands. */
  whoCan: z.object({ operator: z.array(z.string()), admin: z.array(z.string()) }),
  /** Names of the kinds of notification channels, by which their settings are found. */
  channelWords: z.string(),
  /** Names of the settings in each section of a project's settings, by the section's key. */
  settingWords: z.record(z.string(), z.string()),
});
export type Places = z.infer<typeof placesSchema>;
