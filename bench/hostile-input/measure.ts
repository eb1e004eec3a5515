import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { engineNow } from '../../runtime/clock.ts';
import { serviceMetric } from '../av-skew/service-metric.ts';
import { ArrivalLateness, type ArrivalReport } from '../lib/arrival-lateness.ts';
import type { ServiceAddress } from '../lib/call-api.ts';
import { converse, type Conversation } from '../lib/conversation.ts';
import { forgetPeak, processTree } from '../lib/process-tree.ts';
import { startServiceProcess } from '../lib/service-process.ts';
import { quantile } from '../lib/statistics.ts';
import { watchStealTime } from '../lib/steal-time.ts';
import type { Attack, Outcome } from './attack.ts';

/** Time before the attack, to know the usual values and to warm up. */
const CALM_MS = 15_000;
/** Time after the attack. Memory that is not freed by then is not freed. */
const AFTER_MS = 20_000;
/** Shortest time that counts as the attack. Fewer frames would give random values. */
const MIN_MS = 5_000;
const SAMPLE_MS = 50;
/** Longest attack. A longer one is reported as such. */
const ATTACK_WITHIN_MS = 180_000;
/** The interval of the service's own monitor, which is part of its values (default of prom-client). */
const MONITOR_MS = 10;

/** Settings for the attack: an endpoint of the attacker counts as public, and rate limits do not hide other limits. */
const ENVIRONMENT = {
  PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  PARLEY_MAX_SESSIONS: '50',
  PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '100000',
};

export interface Measured {
  readonly attack: Attack;
  readonly outcome: Outcome;
  /** The service's output, if it ended. */
  readonly died: string | null;
  /** Memory of the service's own process, MB. */
  readonly memory: { readonly before: number; readonly peak: number; readonly after: number };
  /** The largest memory of all its child processes together, MB: before and during the attack. */
  readonly children: { readonly before: number; readonly peak: number };
  /** The longest stall of the service's event loop, ms: before and during the attack. */
  readonly stall: { readonly before: number; readonly attacked: number };
  readonly frames: Readonly<Record<'calm' | 'attacked', Readonly<Record<'audio' | 'video', ArrivalReport>>>>;
  /** Questions of the other users. */
  readonly turns: {
    readonly asked: number;
    readonly lost: number;
    /** Ms until the persona began to answer. */ readonly slowest: number;
    readonly usual: number;
  };
  /** Share of processor time that the host took. */
  readonly stolen: number;
}

/**
 * Starts a service with `conversations` other users, attacks it, and measures the effect on them.
 * @param attackerNiceness 0 (as the service) … 19: takes only what the service leaves, as if it were another machine.
 */
export async function measure(attack: Attack, conversations: number, attackerNiceness: number): Promise<Measured> {
  const service = await startServiceProcess({ ...ENVIRONMENT, ...attack.environment });
  const attacker = startAttacker(attack, attackerNiceness);
  const died = whenGone(service.pid);
  const arrivals = { audio: new ArrivalLateness('audio'), video: new ArrivalLateness('video') };
  const others: Conversation[] = [];
  try {
    for (let index = 0; index < conversations; index += 1) others.push(await converse(service, { arrivals }));
    await attacker.ready;
    const host = watchStealTime();
    await longestStall(service);
    await pause(CALM_MS);
    const calmStall = await longestStall(service);
    const calmSince = engineNow() - CALM_MS / 2;
    const [own, ...children] = processTree(service.pid);
    forgetPeak(service.pid);
    const peaks = watchPeaks(service.pid);
    const attackedAt = engineNow();
    const outcome = await Promise.race([attacker.attack(service), died.then(() => unfinished('the service ended'))]);
    if (engineNow() < attackedAt + MIN_MS) await Promise.race([pause(attackedAt + MIN_MS - engineNow()), died]);
    const alive = processTree(service.pid).length > 0;
    // It may just have ended.
    const attackedStall = alive ? await longestStall(service).catch(() => Number.NaN) : Number.NaN;
    const attackedUntil = engineNow();
    const peak = peaks.stop();
    if (alive) await Promise.race([pause(AFTER_MS), died]);
    const [after] = processTree(service.pid);
    await Promise.all(others.map((other) => other.stop()));
    const report = (from: number, to: number): Record<'audio' | 'video', ArrivalReport> => ({
      audio: arrivals.audio.between(from, to),
      video: arrivals.video.between(from, to),
    });
    return {
      attack,
      outcome,
      died: after === undefined ? service.output().slice(-500) : null,
      memory: { before: own?.rssMb ?? 0, peak: peak.own, after: after?.rssMb ?? Number.NaN },
      children: { before: children.reduce((sum, { rssMb }) => sum + rssMb, 0), peak: peak.children },
      stall: { before: calmStall, attacked: attackedStall },
      frames: { calm: report(calmSince, attackedAt), attacked: report(attackedAt, attackedUntil) },
      turns: turnsOf(
        others.flatMap((other) => other.turns),
        attackedAt,
      ),
      stolen: host.stop(),
    };
  } finally {
    await attacker.stop();
    await service.stop();
  }
}

/** How long others waited for an answer, before the attack and during it. */
function turnsOf(
  turns: readonly { readonly askedAt: number; readonly answeredAt: number | null }[],
  attackedAt: number,
): Measured['turns'] {
  const waits = turns.flatMap(({ askedAt, answeredAt }) =>
    answeredAt === null ? [] : [{ isAttacked: askedAt >= attackedAt, ms: answeredAt - askedAt }],
  );
  const msOf = (during: boolean) => waits.filter(({ isAttacked }) => isAttacked === during).map(({ ms }) => ms);
  return {
    asked: turns.length,
    lost: turns.length - waits.length,
    usual: quantile(msOf(false), 0.5),
    slowest: quantile(msOf(true), 1),
  };
}

interface Attacker {
  /** Resolves when the attack is prepared. */
  readonly ready: Promise<unknown>;
  attack(service: ServiceAddress): Promise<Outcome>;
  stop(): Promise<void>;
}

const unfinished = (text: string): Outcome => ({ text, cpuShare: null });

function startAttacker({ name }: Attack, niceness: number): Attacker {
  const child = fork(fileURLToPath(new URL('attacker.ts', import.meta.url)), [name]);
  const ended = once(child, 'exit');
  if (child.pid !== undefined) setPriority(child.pid, niceness);
  return {
    ready: Promise.race([once(child, 'message'), ended]),
    attack({ url, apiKey }) {
      const outcome = once(child, 'message').then(([told]) => told as Outcome);
      child.send({ url, apiKey });
      return Promise.race([
        outcome,
        ended.then(() => unfinished('the attacker ended')),
        pause(ATTACK_WITHIN_MS, unfinished('still under way'), { ref: false }),
      ]);
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Longest stall since the last request, ms. The service answers only after the stall. */
async function longestStall(service: Parameters<typeof serviceMetric>[0]): Promise<number> {
  return Math.max(0, (await serviceMetric(service, 'nodejs_eventloop_lag_max_seconds')) * 1_000 - MONITOR_MS);
}

function watchPeaks(pid: number): { stop(): { own: number; children: number } } {
  let own = 0;
  let children = 0;
  const look = (): void => {
    const [main, ...started] = processTree(pid);
    own = Math.max(own, main?.peakMb ?? 0);
    children = Math.max(
      children,
      started.reduce((sum, { rssMb }) => sum + rssMb, 0),
    );
  };
  const looking = setInterval(look, SAMPLE_MS);
  return {
    stop() {
      clearInterval(looking);
      look();
      return { own, children };
    },
  };
}

async function whenGone(pid: number): Promise<void> {
  while (processTree(pid).length > 0) await pause(SAMPLE_MS);
}
