/** What the demo's supervisor writes into its folder, for the agent's checks and the web app. */

import path from 'node:path';
import { z } from 'zod';

export const demoServiceNames = ['web', 'api', 'db'] as const;
export const demoServiceNameSchema = z.enum(demoServiceNames);
export type DemoServiceName = z.infer<typeof demoServiceNameSchema>;

const placeSchema = z.object({
  port: z.number().int().min(1).max(65_535),
  pidFile: z.string(),
});

const runningServiceSchema = placeSchema.extend({
  /** Where it ran at earlier starts; checks may still lead there. */
  former: z.array(placeSchema).default([]),
});

/** `services.json` */
export const demoServicesSchema = z.record(demoServiceNameSchema, runningServiceSchema);
export type DemoServices = z.infer<typeof demoServicesSchema>;

/** `control.json`, readable by its owner alone. */
export const demoControlSchema = z.object({ port: z.number().int(), token: z.string().min(16) });

export const demoFaultSchema = z.enum(['crash', 'config']);
export type DemoFault = z.infer<typeof demoFaultSchema>;

export const demoStatusSchema = z.array(
  z.object({
    name: demoServiceNameSchema,
    isUp: z.boolean(),
    pid: z.number().nullable(),
    detail: z.string(),
  }),
);
export type DemoStatus = z.infer<typeof demoStatusSchema>;

/** Every order to the supervisor answers whether it worked, and one sentence. */
export const demoAnswerSchema = z.object({ ok: z.boolean(), message: z.string() });
export type DemoAnswer = z.infer<typeof demoAnswerSchema>;

/** Where the demo service keeps its files; all below the data folder. */
export function demoPaths(dataDir: string) {
  const dir = path.resolve(dataDir, 'demo');
  return {
    dir,
    servicesFile: path.join(dir, 'services.json'),
    controlFile: path.join(dir, 'control.json'),
    webConfigFile: path.join(dir, 'web.conf.json'),
    logFile: path.join(dir, 'service.log'),
    /** To be put on the PATH of the demo project's agents: holds `democtl`. */
    binDir: path.join(dir, 'bin'),
    pidFile: (name: DemoServiceName) => path.join(dir, `${name}.pid`),
  };
}
