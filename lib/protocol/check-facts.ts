/** What a check measured besides its status, whatever that was. */

import { z } from 'zod';

const text = z.string().max(2_000);
const milliseconds = z.number().int().nonnegative().nullable();

/** Every field is absent where its kind of check doesn't measure it, or didn't get that far. */
export const checkFactsSchema = z.object({
  /** IP address that answered. */
  address: text.optional(),
  /** http: status of the last response. */
  statusCode: z.number().int().optional(),
  /** http: every request, as `301 https://shop.example/old`, without queries. */
  hops: z.array(text).max(10).optional(),
  /** http: of the last request; null where a phase didn't take place. Milliseconds. */
  phases: z
    .object({
      dnsMs: milliseconds,
      connectMs: milliseconds,
      tlsMs: milliseconds,
      firstByteMs: milliseconds,
    })
    .optional(),
  /** tls: of the certificate in the chain that expires first. ISO 8601. */
  expiresAt: text.optional(),
  daysLeft: z.number().int().optional(),
  /** dns: what the name resolves to. */
  answers: z.array(text).max(50).optional(),
  /** container, service: the state in the words of Docker or systemd, such as `running (healthy)`. */
  state: text.optional(),
  /** container, process: ISO 8601. */
  startedAt: text.optional(),
  /** container, service: automatic restarts that the supervisor counted. */
  restarts: z.number().int().nonnegative().optional(),
  /** container, process, service: another value is another start of the target. */
  instance: text.optional(),
  /** prometheus: the value that decided, and the age of the oldest sample in seconds. */
  value: z.number().optional(),
  sampleSeconds: z.number().int().optional(),
  /** command: its exit code, and the beginning of its output. */
  exitCode: z.number().int().optional(),
  output: text.optional(),
});
export type CheckFacts = z.infer<typeof checkFactsSchema>;
