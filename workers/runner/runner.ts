/**
 * A runner from start to shutdown. It reads attempts from a source, claims them, runs their agents
 * and reports; separate loops send heartbeats and listen for stops.
 */
import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Agent } from '@/lib/agents/agent';
import type { MetricsServer } from '@/lib/platform/http/metrics-server';
import { logger } from '@/lib/platform/logger';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { type Directive, type MeResponse, PROTOCOL_VERSION } from '@/lib/protocol/schema';
import type { HarnessName } from '@/lib/protocol/spec';
import { openAgentSocket } from './agent-socket/server';
import { findAgents } from './attempt/agents';
import { projectsDir } from './attempt/host-layout';
import { allProjectSecrets, runnerSecrets } from './attempt/secrets';
import { type Attempts, createAttempts } from './attempts';
import { digestKey } from './broker/command-digest';
import { createCanaries } from './canary/canaries';
import { runCanary } from './canary/run-canary';
import { agentObstacles, currentCapabilities, reportedLimits } from './capabilities';
import { createCheckCommands, endLeftCommands } from './checks/check-commands';
import { createCheckPlan } from './checks/check-plan';
import { createCheckTests } from './checks/check-tests';
import { type AttemptSource, createClaimLoopController } from './claim-loop';
import { type ControlPlane, createControlPlane } from './control-plane/client';
import { retryUntilDeadline } from './control-plane/retry-until-deadline';
import { createConversationPruner } from './conversations/pruner';
import { startSealer } from './conversations/sealer';
import type { RunnerEnv } from './env';
import { modelDispatcher } from './gateway/http';
import { beat, listenForDirectives } from './heartbeat';
import { exchangeKey, runnerIdentity } from './identity';
import { leaseMoment } from './leases';
import { lockRunnerDir } from './lock';
import { realPath } from './process/find-program';
import { makeRunnerCgroup } from './process/runner-cgroup';
import { recoverAttempts } from './recovery';
import { type RunnerGauges, serveRunnerMetrics } from './runner-metrics';
import { openSandboxHost } from './sandbox/sandbox-host';
import { createSelfUpdate, type ProgramUpdates } from './self-update';
import { startUploader } from './spool/uploader';

/** What is left to deliver at the end stays on disk after this long. */
export const DELIVER_AT_END_MS = 5_000;

export interface RunnerOptions {
  env: RunnerEnv;
  key: string;
  /** The repository's root folder. */
  root: string;
  harnesses: Record<HarnessName, Agent>;
  /** Null where the program isn't replaced on request: a checkout, an image. */
  updates?: ProgramUpdates | null;
  /** Proves that an agent refuses what no rule allows; tests of other things replace it. */
  canary?: typeof runCanary;
  /** Makes the source once the control plane has named the runner's queues. */
  openSource(me: MeResponse, controlPlane: ControlPlane): AttemptSource;
}

export interface Runner {
  /** Takes nothing more, ends what runs after the grace, delivers, and resolves. */
  stop(): Promise<void>;
  /** Resolves when the runner has ended, also when the control plane revoked it. */
  ended: Promise<void>;
}

/** @throws Error when the folder is another runner's. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { key, root, harnesses, updates = null } = options;
  mkdirSync(options.env.dir, { recursive: true, mode: 0o700 });
  // A conversation is filed under its real path, which has to stay the same.
  const env = { ...options.env, dir: realpathSync(options.env.dir) };
  const unlock = lockRunnerDir(env.dir);
  const ending = new AbortController();
  const { signal } = ending;
  const identity = runnerIdentity(env.dir);
  const controlPlane = createControlPlane({ url: env.url, key, identity });
  const conversations = Object.values(harnesses).map((agent) => agent.conversations);
  const left = await recoverAttempts(env.dir, conversations);
  await endLeftCommands(identity.instanceId);
  const agents = await findAgents(env, root, harnesses);
  // A checkout may be on a machine that only shows the demo.
  if (updates) for (const obstacle of agentObstacles(harnesses, agents)) logger.warn(obstacle);
  const cgroup = env.usesCgroup ? makeRunnerCgroup(env.dir, env.limits) : null;

  const socket = await openAgentSocket(env.dir);
  // Beside cgroups, too: one may not be made for an attempt.
  const sandboxHost = await openSandboxHost(env.dir, env.source.PATH ?? '', env.limits.processes);
  const dispatcher = modelDispatcher(env.source);

  const canaries = createCanaries({
    ...{ dir: env.dir, root, harnesses, agents, sandboxHost },
    passEnv: env.passEnv,
    run: options.canary ?? runCanary,
  });

  const secrets = runnerSecrets(env, key, agents.apiKeys);
  const redactor = () => createRedactor({ secrets: [...secrets, ...allProjectSecrets(env.dir)] });
  const { instanceId } = identity;
  const checkCommands = createCheckCommands({ instanceId, place: cgroup, redactor });
  const uploader = startUploader({
    controlPlane,
    refusedDir: path.join(env.dir, 'refused'),
    onDirectives: obey,
    onDelivered: (record) => sealer.add(record),
    onSettled(attemptId) {
      const used = attempts.conversationsOf(attemptId);
      attempts.forget(attemptId);
      if (used) pruner.look(used);
    },
    keepSlot: () => (taking.isOpen ? attempts.keepSlot() : null),
    onClaimed: (spec) => attempts.start(spec),
    onNext: (attemptId) => taking.offer(attemptId),
  });
  const sealer = startSealer({
    dir: env.dir,
    conversations,
    controlPlane,
    redactor,
  });
  const attempts: Attempts = createAttempts({
    dir: env.dir,
    hidden: env.hidden,
    root,
    socket,
    harnesses,
    agents,
    attemptPlace: cgroup,
    sandboxHost,
    dispatcher,
    slots: () => slots(),
    secrets,
    passEnv: env.passEnv,
    uploader,
    controlPlane,
    checkCommands,
    digestKey: digestKey(env.dir),
  });
  const pruner = createConversationPruner({
    projectsDir: projectsDir(env.dir),
    conversations,
    controlPlane,
    inUse: attempts.conversationsInUse,
  });
  for (const spool of left) attempts.adopt(spool);

  const taking = createClaimLoopController({
    openSource: (me) => options.openSource(me, controlPlane),
    controlPlane,
    slotIsFree: () => attempts.fewerThan(slots),
    answered: uploader.answered,
    isHeld: attempts.isHeld,
    start: attempts.start,
  });

  let limit = Number.POSITIVE_INFINITY;
  const slots = () => Math.min(env.concurrency, limit);

  const testCheck = createCheckTests(controlPlane, checkCommands);
  const { processId } = identity;
  const checkPlan = createCheckPlan({
    ...{ controlPlane, url: env.url, processId },
    commands: checkCommands,
  });

  const selfUpdate = createSelfUpdate({
    updates,
    controlPlane,
    pause: () => taking.pause(),
    idle: () => attempts.fewerThan(() => 1),
    resume: () => askWhetherDraining(),
    stop: () => void stop(),
  });

  function obey(directives: Directive[]): void {
    for (const directive of directives) {
      if (directive.kind === 'stop') attempts.stop(directive.attemptId, directive.reason);
      if (directive.kind === 'checkpoint') {
        attempts.checkpoint(directive.attemptId, directive.requestedAt);
      }
      if (directive.kind === 'answer') {
        attempts.answer(directive.attemptId, directive.requestId, directive.answers);
      }
      if (directive.kind === 'drain') void taking.pause();
      if (directive.kind === 'update') selfUpdate.request(directive.sha256);
      if (directive.kind === 'check') void testCheck(directive);
      if (directive.kind === 'rotate_key') rotation ??= rotate();
      if (directive.kind === 'revoked') beRevoked();
    }
  }

  /** Of the held request, which says everything that holds: what is not said is over. */
  function obeyAll(directives: Directive[]): void {
    obey(directives);
    const said = directives.find((directive) => directive.kind === 'limit');
    limit = said?.slots ?? Number.POSITIVE_INFINITY;
    attempts.recount();
    const checks = directives.find((directive) => directive.kind === 'checks');
    checkPlan.follow(checks?.digest ?? null);
    if (!directives.some(({ kind }) => kind === 'update')) selfUpdate.request(null);
    const isDraining = directives.some(({ kind }) => kind === 'drain');
    if (taking.isPaused && !isDraining) void askWhetherDraining().catch(() => {});
  }

  let rotation: Promise<void> | null = null;
  async function rotate(): Promise<void> {
    try {
      secrets.push(await exchangeKey(controlPlane, env.dir));
    } catch (error) {
      logger.warn({ error: String(error) }, 'key rotation failed');
    }
    rotation = null;
  }

  let isRevoked = false;
  function beRevoked(): void {
    if (isRevoked) return;
    isRevoked = true;
    logger.error('runner key refused: revoked');
    checkPlan.close();
    attempts.stopAll('policy');
    void stop();
  }

  let heartbeatAt = 0;
  const metricsServer = await openOwnMetrics(env.metricsPort, () => ({
    attempts: attempts.counts(),
    slots: slots(),
    checks: checkPlan.counts(),
    heartbeatAt,
  }));

  let beSeen = () => {};
  /** Resolves at the first heartbeat that was answered. */
  const seen = new Promise<void>((resolve) => {
    beSeen = resolve;
  });

  /** The last heartbeat. */
  let beaten = { attemptIds: [] as string[], at: leaseMoment() };

  /** What runs here may be run by the other host too. The next heartbeat that succeeds resumes. */
  function keyIsInUse(): void {
    if (!taking.isPaused) {
      logger.error(
        'another host is using this runner’s key; nothing runs here until that one is gone. Enroll this host under a key of its own',
      );
    }
    attempts.stopAll('fenced');
    taking.pause();
  }

  const loops = Promise.all([
    beat({
      controlPlane,
      signal,
      onDirectives(directives) {
        beSeen();
        heartbeatAt = Date.now();
        attempts.renewLeases(beaten.attemptIds, beaten.at);
        obey(directives);
      },
      onKeyRefused: beRevoked,
      onKeyInUse: keyIsInUse,
      hasNews: canaries.changed,
      async body() {
        // Not waited for: a program that hangs must not hold up a heartbeat.
        void agents.refresh();
        void sandboxHost.refresh();
        void canaries.refresh();
        if (taking.isPaused) await askWhetherDraining();
        const capabilities = currentCapabilities({
          harnesses,
          agents,
          canaries,
          slots: env.concurrency,
          containment: cgroup === null ? 'marker' : 'cgroup',
          limits: reportedLimits(cgroup?.limits ?? null, sandboxHost.maxProcesses),
          confinement: sandboxHost.confinement,
          door: env.queue ? 'queue' : 'https',
          keySource: env.key ? 'environment' : 'file',
          projectsDir: realPath(projectsDir(env.dir)),
          updates,
        });
        const running = attempts.held();
        beaten = { attemptIds: running.map(({ attemptId }) => attemptId), at: leaseMoment() };
        const at = new Date().toISOString();
        return { protocol: PROTOCOL_VERSION, posture: capabilities, running, at };
      },
    }),
    listenForDirectives({
      controlPlane,
      signal,
      onDirectives: obeyAll,
      onKeyRefused: beRevoked,
    }),
    begin(),
    pruner.keepSweeping(signal),
  ]);

  /** There is a directive for draining and none for its end, so a drained runner asks. */
  async function askWhetherDraining(): Promise<void> {
    const me = await controlPlane.me();
    if (!me.isDraining && !selfUpdate.isBusy) taking.resume(me);
  }

  async function begin(): Promise<void> {
    const forMs = Number.POSITIVE_INFINITY;
    try {
      const me = await retryUntilDeadline(() => controlPlane.me(), { forMs, signal });
      logger.info({ name: me.name, pool: me.pool, queues: me.queues }, 'runner ready');
      if (me.isDraining) void taking.pause();
      else taking.resume(me);
      void seen.then(() => updates?.onOnline());
      void retryUntilDeadline(() => selfUpdate.reportFailure(), { forMs, signal }).catch(
        (error) => {
          if (!signal.aborted) logger.warn({ error: String(error) }, 'failed update not reported');
        },
      );
    } catch (error) {
      if (signal.aborted) return;
      logger.error({ error: String(error) }, 'runner refused by the control plane');
      void stop();
    }
  }

  let stopping: Promise<void> | null = null;
  let resolveEnded = () => {};
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });

  function stop(): Promise<void> {
    stopping ??= end();
    return stopping;
  }

  async function end(): Promise<void> {
    attempts.startNothingMore();
    const canariesEnded = canaries.close();
    await taking.close();
    await attempts.fewerThan(() => 1, env.graceSeconds * 1_000);
    attempts.stopAll('runner_shutdown');
    await attempts.fewerThan(() => 1);
    await rotation;
    await uploader.drained(DELIVER_AT_END_MS);
    await uploader.close();
    await sealer.drained(DELIVER_AT_END_MS);
    const sealed = sealer.close();
    ending.abort();
    // As long as its heartbeats say that it runs them, nobody else does.
    checkPlan.close();
    await checkCommands.close();
    await loops;
    // Ends what is on its way, too.
    await controlPlane.close();
    await sealed;
    await canariesEnded;
    socket.close();
    await dispatcher.close();
    await metricsServer?.close();
    cgroup?.remove();
    unlock();
    resolveEnded();
  }

  return { stop, ended };
}

/** A port that is taken costs the metrics, not the runner. */
async function openOwnMetrics(
  port: number,
  read: () => RunnerGauges,
): Promise<MetricsServer | null> {
  if (port === 0) return null;
  try {
    return await serveRunnerMetrics(port, read);
  } catch (error) {
    logger.error(
      { port, error: String(error) },
      'metrics of this runner are not served: change TIERWATCH_RUNNER_METRICS_PORT and restart it',
    );
    return null;
  }
}
