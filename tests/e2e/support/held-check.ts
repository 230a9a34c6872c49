import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Demo } from './demo';

/**
 * A check of the demo's web service that answers when the test lets it. Whoever runs the checks waits
 * there, so what is only on a page during a tier is looked at during that tier.
 */
export class HeldCheck {
  private readonly server = createServer((_request, response) => {
    if (this.isOpen) response.end('ok');
    else this.waiting.push(response);
    this.server.emit('waiting');
  });
  private readonly waiting: ServerResponse[] = [];
  private isOpen = false;

  private constructor(private readonly removeFromDemo: () => Promise<void>) {}

  static async addTo(demo: Demo): Promise<HeldCheck> {
    const { services } = await demo.project();
    const held = new HeldCheck(() => demo.configure({ services }));
    held.server.listen(0, '127.0.0.1');
    await once(held.server, 'listening');
    const { port } = held.server.address() as AddressInfo;
    const check = { type: 'http', target: `http://127.0.0.1:${port}/`, timeoutSeconds: 59 };
    await demo.configure({
      services: services.map((service) =>
        service.name === 'web' ? { ...service, checks: [...service.checks, check] } : service,
      ),
    });
    return held;
  }

  /** Lets one execution end, once there is one; the next is held again. */
  async letOneEnd(): Promise<void> {
    while (this.waiting.length === 0) await once(this.server, 'waiting');
    this.waiting.shift()?.end('ok');
  }

  /** Holds nothing from now on. */
  open(): void {
    this.isOpen = true;
    for (const response of this.waiting.splice(0)) response.end('ok');
  }

  async remove(): Promise<void> {
    this.open();
    await this.removeFromDemo();
    this.server.close();
    this.server.closeAllConnections();
  }
}
