import { liveHub } from '@/lib/platform/live/hub/client';
import { logger } from '@/lib/platform/logger';
import { ringRunnerQueue, takeDoorbell } from '@/lib/platform/queue/enqueue';
import { createLines, type Lines } from './lines';

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchDoor?: Lines };

/** Where the runners wait that reach nothing but the web address. */
export function runnersDoor(): Lines {
  held.tierwatchDoor ??= createLines({
    take: takeDoorbell,
    putBack: ringRunnerQueue,
    listen: (queue, heard) => liveHub().subscribe(`q:${queue}`, heard),
    onError: (error) => logger.warn({ error: String(error) }, 'a queue of runners does not answer'),
  });
  return held.tierwatchDoor;
}
