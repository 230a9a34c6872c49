import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  testChannel,
  updateChannel,
} from '@/lib/deliveries/channels/manage-channels';
import type { CreateChannelInput } from '@/lib/deliveries/channels/schema';
import { deliver } from '@/lib/deliveries/deliver';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { requireId } from '@/lib/platform/ids';
import { useTestDatabase } from '@/tests/support/database';
import { type MailServer, startMailServer } from '@/tests/support/mail-server/mail-server';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import { makeTenant } from '../api/support/tenant';
import { chainEnd, readDelivery, sendersFor, tell, tellAndSend } from './support';

useTestDatabase();

let mail: MailServer;
let apprise: WebhookReceiver;
beforeAll(async () => {
  mail = await startMailServer();
  apprise = await startWebhookReceiver();
  Object.assign(process.env, { SMTP_URL: mail.url, TIERWATCH_ALLOW_PRIVATE_TARGETS: 'true' });
});
afterAll(async () => {
  await mail.close();
  await apprise.close();
});

const SECRET_URL = 'slack://xoxb-very-secret/ops';

function emailChannel(scope: TenantScope, changes: Partial<CreateChannelInput> = {}) {
  return createChannel(scope, {
    name: 'On-call',
    settings: { kind: 'email', addresses: ['ana@acme.example', 'tom@acme.example'] },
    outcomes: ['needs_human'],
    eventTypes: [],
    projectId: null,
    ...changes,
  });
}

function appriseChannel(scope: TenantScope, settings: Record<string, unknown> = {}) {
  return createChannel(scope, {
    name: 'Pager',
    settings: {
      kind: 'apprise' as const,
      serverUrl: new URL(apprise.url).origin,
      urls: [SECRET_URL],
      configKey: null,
      tags: null,
      ...settings,
    },
    outcomes: ['needs_human', 'fixed'],
    eventTypes: [],
    projectId: null,
  });
}

describe('a notification channel', () => {
  it('[HND-8.1] by e-mail brings the message to its mailboxes, in text and in HTML', async () => {
    const { scope } = await makeTenant();
    await emailChannel(scope);
    const [id] = await tellAndSend(scope, chainEnd('needs_human'), sendersFor(mail.url));
    const received = mail.received.at(-1);
    expect(received?.to).toEqual(['ana@acme.example', 'tom@acme.example']);
    expect(received?.from).toBe('tierwatch@ops.example');
    expect(received?.source).toContain(`Message-ID: <${id}@ops.example>`);
    expect(received?.source).toContain('Content-Type: text/plain');
    expect(received?.source).toContain('Chain #12 of Shop needs a human.');
    expect(received?.source).toContain('https://ops.example/acme/projects/shop/chains/12');
    expect(received?.source).toContain('<p>Tier 3 found a full disk.</p>');
    expect(received?.source).not.toContain('<b>');
    expect(await readDelivery(scope, id ?? '')).toMatchObject({
      status: 'delivered',
      log: [{ status: 250, error: null }],
    });
  });

  it('[HND-8.1] by Apprise posts title, body and type to /notify of the server', async () => {
    const { scope } = await makeTenant();
    await appriseChannel(scope);
    apprise.answerWith({ status: 200, body: '{"error":null}' });
    await tellAndSend(scope, chainEnd('needs_human'), sendersFor(null));
    const request = apprise.received.at(-1);
    expect(request).toMatchObject({ method: 'POST', path: '/notify' });
    expect(request?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(request?.rawBody.toString('utf8') ?? '')).toEqual({
      urls: SECRET_URL,
      title: 'Shöp <b>: Chain #12 needs a human',
      body: 'Chain #12 of Shop needs a human.\n\nTier 3 found a full disk.\n\nServices: payments-db.\n\nhttps://ops.example/acme/projects/shop/chains/12',
      type: 'failure',
      format: 'text',
    });
  });

  it('[HND-8.1] by Apprise names a kept configuration in the path, and tags', async () => {
    const { scope } = await makeTenant();
    await appriseChannel(scope, { urls: [], configKey: 'acme-ops', tags: 'night' });
    apprise.answerWith({ status: 200 });
    await tellAndSend(scope, chainEnd('fixed'), sendersFor(null));
    const request = apprise.received.at(-1);
    expect(request?.path).toBe('/notify/acme-ops');
    const body = JSON.parse(request?.rawBody.toString('utf8') ?? '');
    expect(body).toMatchObject({ tag: 'night', type: 'success' });
    expect(body).not.toHaveProperty('urls');
  });

  it.each([
    [204, 'nobody_notified'],
    [424, 'service_failed'],
    [500, null],
  ])('that Apprise answers %i is tried again', async (status, error) => {
    const { scope } = await makeTenant();
    const channel = await appriseChannel(scope);
    apprise.answerWith({ status, ...(status === 204 ? {} : { body: `No ${SECRET_URL} here.` }) });
    const [id = ''] = await tellAndSend(scope, chainEnd('fixed'), sendersFor(null));
    const { log, ...delivery } = await readDelivery(scope, id);
    expect(delivery).toMatchObject({ status: 'retrying' });
    expect(log).toMatchObject([{ error }]);
    expect(JSON.stringify(log)).not.toContain('very-secret');
    expect((await getChannel(scope, channel.id)).failingSince).not.toBeNull();
  });

  it('keeps its message until the mail server is back, under the same Message-ID', async () => {
    const { scope } = await makeTenant();
    await emailChannel(scope);
    const now = new Date();
    const gone = await startMailServer();
    await gone.close();
    const [id = ''] = await tellAndSend(scope, chainEnd('needs_human'), sendersFor(gone.url), now);
    const waiting = await readDelivery(scope, id);
    expect(waiting).toMatchObject({ status: 'retrying', log: [{ error: 'connection_refused' }] });
    await deliver(scope, id, waiting.nextAttemptAt ?? now, sendersFor(mail.url));
    expect(await readDelivery(scope, id)).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(mail.received.at(-1)?.source).toContain(`<${id}@`);
  });

  it('whose mailboxes do not exist is refused for good; one of them that does gets it', async () => {
    const { scope } = await makeTenant();
    await emailChannel(scope);
    mail.refused.add('tom@acme.example');
    const [first = ''] = await tellAndSend(scope, chainEnd('needs_human', 1), sendersFor(mail.url));
    mail.refused.add('ana@acme.example');
    const [second = ''] = await tellAndSend(
      scope,
      chainEnd('needs_human', 2),
      sendersFor(mail.url),
    );
    mail.refused.clear();
    const partly = await readDelivery(scope, first);
    expect(partly.status).toBe('delivered');
    expect(partly.log[0]?.responseExcerpt).toContain('Refused: tom@acme.example.');
    const refused = { status: 'refused', log: [{ status: 550, error: 'mailbox_refused' }] };
    expect(await readDelivery(scope, second)).toMatchObject(refused);
  });

  it('gets its outcomes, those of its project, and each happening once', async () => {
    const { scope } = await makeTenant();
    await emailChannel(scope);
    expect(await tell(scope, [chainEnd('healthy')])).toEqual([]);
    expect(await tell(scope, [chainEnd('needs_human')])).toHaveLength(1);
    expect(await tell(scope, [chainEnd('needs_human')])).toEqual([]);
    const other = await makeTenant();
    expect(await tell(other.scope, [chainEnd('needs_human')])).toEqual([]);
  });

  it('that is muted is told nothing, and what waited is cancelled', async () => {
    const { scope } = await makeTenant();
    const channel = await emailChannel(scope);
    const [id = ''] = await tell(scope, [chainEnd('needs_human')]);
    await updateChannel(scope, channel.id, { isMuted: true });
    expect(await readDelivery(scope, id)).toMatchObject({ status: 'cancelled' });
    expect(await tell(scope, [chainEnd('needs_human', 13)])).toEqual([]);
    await expect(testChannel(scope, channel.id)).rejects.toThrow(ConflictError);
    await updateChannel(scope, channel.id, { isMuted: false });
    expect(await tell(scope, [chainEnd('needs_human', 14)])).toHaveLength(1);
  });

  it('shows the result of a test in place', async () => {
    const { scope } = await makeTenant();
    const channel = await emailChannel(scope);
    const { last } = await testChannel(scope, channel.id);
    expect(last).toMatchObject({ status: 'scheduled', eventType: 'channel.test', result: null });
    await deliver(scope, requireId('dlv', last?.id ?? ''), new Date(), sendersFor(mail.url));
    const [listed] = await listChannels(scope);
    expect(listed?.last).toMatchObject({ status: 'delivered', title: 'Acme: test message' });
    expect(listed?.last?.result).toMatch(/^250/);
  });

  it('shows nobody what it leads to in full, and is not there for other tenants', async () => {
    const { scope } = await makeTenant();
    const channel = await appriseChannel(scope);
    await updateChannel(scope, channel.id, { outcomes: ['failed'] });
    const seen = await inTransaction(scope, async (db) => [
      await db.notificationChannel.findMany({}),
      await db.auditLog.findMany({ select: { detail: true } }),
    ]);
    const shown = JSON.stringify([seen, await listChannels(scope)]);
    expect(shown).toContain('slack://••••');
    expect(shown).not.toContain('very-secret');
    const viewer = { ...scope, role: 'operator' as const };
    expect(() => deleteChannel(viewer, channel.id)).toThrow(ForbiddenError);
    const { scope: stranger } = await makeTenant();
    await expect(getChannel(stranger, channel.id)).rejects.toThrow(NotFoundError);
    await expect(testChannel(stranger, channel.id)).rejects.toThrow(NotFoundError);
    await expect(updateChannel(stranger, channel.id, { isMuted: true })).rejects.toThrow(
      NotFoundError,
    );
    await expect(deleteChannel(stranger, channel.id)).rejects.toThrow(NotFoundError);
  });

  it('that has failed for five days is disabled; the admins are told by e-mail', async () => {
    const { scope } = await makeTenant();
    const channel = await appriseChannel(scope);
    const now = new Date();
    apprise.answerWith({ status: 500 }, { status: 500 });
    await tellAndSend(scope, chainEnd('fixed', 1), sendersFor(mail.url), now);
    const later = new Date(now.getTime() + 5 * 86_400_000 + 60_000);
    await tellAndSend(scope, chainEnd('fixed', 2), sendersFor(mail.url), later);
    expect(await getChannel(scope, channel.id)).toMatchObject({
      disabledReason: 'failing_five_days',
    });
    const letter = await inTransaction(scope, (db) =>
      db.webhookDelivery.findFirstOrThrow({ where: { eventType: 'channel_disabled' } }),
    );
    await deliver(scope, letter.id, letter.nextAttemptAt ?? later, sendersFor(mail.url));
    expect(mail.received.at(-1)?.to).toEqual([scope.actor.label]);
    expect(mail.received.at(-1)?.source).toContain('Notification channel Pager');
  });
});
