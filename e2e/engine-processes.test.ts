import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHeadlessConversation, type HeadlessConversation } from '../bench/lib/headless-conversation.ts';
import { TEST_TIMEOUT_MS } from '../engine/testing/test-timeout.ts';
import { WITHOUT_RECOGNIZER, startService, type RunningService } from './support/service.ts';
import { DEBUGGABLE, hangProcess } from './support/hang-process.ts';

interface User extends HeadlessConversation {
  /** Packets of sound that have come. */
  packets(): number;
  /** Packets of sound that are missing in the numbers of those that have come, of one peer connection. */
  missing(): number;
  /** Peer connections after the first one. */
  comebacks(): number;
}

/** A conversation that counts what its client gets. */
async function come(service: RunningService): Promise<User> {
  let packets = 0;
  let missing = 0;
  let comebacks = 0;
  let last: number | null = null;
  const conversation = await openHeadlessConversation(
    service,
    {},
    {
      onAudio({ sequence }) {
        packets += 1;
        if (last !== null) missing += ((sequence - last) & 0xffff) - 1;
        last = sequence;
      },
      onComeBack() {
        comebacks += 1;
        last = null;
      },
    },
  );
  return { ...conversation, packets: () => packets, missing: () => missing, comebacks: () => comebacks };
}

/** Three processes, each of which loads everything, one after the other. */
const START_MS = 3 * TEST_TIMEOUT_MS;

interface EngineStatus {
  readonly number: number;
  readonly pid: number | null;
  readonly status: string;
  readonly activeSessions: number;
}

describe('Several engine processes of one service', () => {
  let service: RunningService;
  const users: User[] = [];

  beforeAll(async () => {
    service = await startService({
      env: { PARLEY_ENGINES: '2', PARLEY_MEETINGS: 'off', ...WITHOUT_RECOGNIZER, ...DEBUGGABLE },
      readyWithinMs: START_MS,
    });
  }, START_MS);
  afterAll(async () => {
    for (const user of users) user.close();
    await service?.stop();
  });

  const engines = async (): Promise<EngineStatus[]> => {
    const answer = (await (await fetch(`${service.url}/readyz`)).json()) as { engines: EngineStatus[] };
    return answer.engines;
  };
  const counts = async (): Promise<number[]> => (await engines()).map(({ activeSessions }) => activeSessions);
  const questions = async ({ sessionId }: User): Promise<string[]> => {
    const path = `/v1/sessions/${sessionId}/transcript`;
    const { messages } = await service.api<{ messages: { role: string; message: string }[] }>('GET', path);
    return messages.filter(({ role }) => role === 'user').map(({ message }) => message);
  };

  it('have their sessions apart: the end of one is no gap for those of the other, and its own go on there', async () => {
    for (let user = 0; user < 4; user += 1) users.push(await come(service));
    await Promise.all(users.map((user) => user.ask('Hello.')));
    await expect.poll(async () => (await counts()).reduce((sum, count) => sum + count, 0)).toBe(4);
    const [first] = await engines();
    const had = first!.activeSessions;
    expect(had).toBeGreaterThan(0);
    expect(had).toBeLessThan(4);
    process.kill(first!.pid!, 'SIGKILL');

    const moved = (): User[] => users.filter((user) => user.comebacks() > 0);
    await expect.poll(() => moved().length).toBe(had);
    const before = users.map((user) => user.packets());
    await expect.poll(() => users.every((user, index) => user.packets() > before[index]! + 100)).toBe(true);
    await Promise.all(users.map((user) => user.ask('And now?')));
    expect(moved()).toHaveLength(had);
    for (const user of users) {
      if (user.comebacks() === 0) expect(user.missing()).toBe(0);
      await expect.poll(() => questions(user)).toEqual(['Hello.', 'And now?']);
    }
  });

  it('are started again, and take sessions', async () => {
    await expect.poll(async () => (await engines()).map(({ status }) => status)).toEqual(['ready', 'ready']);
    // On a busy machine, one that has just loaded everything takes none for some seconds. It tells how many it has
    // twice a second, so another one may have come before the first is counted.
    const fresh = async (): Promise<number> => {
      const user = await come(service);
      users.push(user);
      await user.ask('Hello.');
      return (await counts())[0]!;
    };
    await expect.poll(fresh, { interval: 2_000 }).toBeGreaterThan(0);
  });

  /**
   * It is alive for the system, and holds its sessions: only that it tells nothing gives it away. That this is noticed
   * is in every run: `control/placement/engine-processes/silence-watch.test.ts`.
   */
  it(
    'are killed when they compute without end, and their sessions go on elsewhere',
    { tags: ['nightly'] },
    async () => {
      const [, second] = await engines();
      const had = second!.activeSessions;
      expect(had).toBeGreaterThan(0);
      const comebacks = users.map((user) => user.comebacks());
      await hangProcess(second!.pid!, service.output);
      const moved = (): User[] => users.filter((user, index) => user.comebacks() > comebacks[index]!);
      await expect.poll(() => moved().length).toBe(had);
      expect(service.output()).toContain('an engine process has told nothing for some seconds, and is killed');
      await Promise.all(moved().map((user) => user.ask('Are you there again?')));
      for (const user of moved())
        await expect.poll(async () => (await questions(user)).at(-1)).toBe('Are you there again?');
      await expect.poll(async () => (await engines()).map(({ status }) => status)).toEqual(['ready', 'ready']);
    },
  );

  it('end with the service', async () => {
    const pids = (await engines()).map(({ pid }) => pid!);
    process.kill(service.pid, 'SIGTERM');
    await expect.poll(() => users.map((user) => user.client.ended() !== null)).not.toContain(false);
    await expect.poll(() => pids.some(isRunning)).toBe(false);
    expect(await service.exited).toBe(0);
  });
});

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
