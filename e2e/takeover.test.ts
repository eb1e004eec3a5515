import { createServer, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startBenchEngine, type BenchEngine } from '../bench/lib/bench-engine.ts';
import { benchSession } from '../bench/lib/bench-session.ts';
import { TestJournals } from '../engine/session/testing/test-journals.ts';
import { eventually } from '../engine/testing/eventually.ts';
import { createFakeLlm, fakeRecognizer } from '../models/fakes/index.ts';
import { chunks, personaTurnsEnded } from './support/chunks.ts';
import { shareFirstStart } from './support/share-first-start.ts';
import { connectSdk } from './support/sdk-session.ts';
import type { RunningService } from './support/service.ts';

const STORY =
  'Once upon a time there was a very small boat on that wide river. Nobody had ever asked it where the way would lead. So one morning it left without saying anything.';

let faces: string;
beforeAll(async () => {
  faces = await mkdtemp(join(tmpdir(), 'parley-takeover-'));
  await shareFirstStart(faces);
});
afterAll(() => rm(faces, { recursive: true, force: true }));

async function openEngine(journals: TestJournals): Promise<{ bench: BenchEngine; sockets: Server }> {
  const bench = await startBenchEngine({
    recognizer: fakeRecognizer({ utterances: [] }),
    synthesizer: {},
    journals,
    avatarCache: join(faces, 'avatars'),
    idleLoops: false,
  });
  const sockets = createServer();
  bench.engine.attach(sockets);
  onTestFinished(() => bench.close());
  return { bench, sockets };
}

/**
 * The start of a session, and its sockets, at one address for whichever engine has the session: what the control plane
 * does for real. The session begins when its client asks for it: nobody waits long for a client that has yet to load.
 */
async function openDoor(
  start: () => Promise<{ sessionId: string }>,
  current: () => Server | null,
): Promise<RunningService> {
  let started: ReturnType<typeof start> | null = null;
  const door = createServer(async (request, response) => {
    const { port } = door.address() as AddressInfo;
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*');
    response.setHeader('content-type', 'application/json');
    request.resume();
    response.end(
      request.method === 'OPTIONS'
        ? ''
        : JSON.stringify({
            sessionId: (await (started ??= start())).sessionId,
            engineHost: `127.0.0.1:${port}`,
            engineProtocol: 'http',
            signallingEndpoint: '/ws',
            clientConfig: {
              heartbeatIntervalSeconds: 5,
              maxWsReconnectionAttempts: 5,
              expectedHeartbeatIntervalSecs: 5,
              maxWsReconnectAttempts: 5,
              iceServers: [],
            },
          }),
    );
  });
  door.on('upgrade', (request, socket, head) => {
    const engine = current();
    if (engine === null) socket.destroy();
    else engine.emit('upgrade', request, socket, head);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    door.closeAllConnections();
    door.close();
  });
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const sessionToken = `${part({ alg: 'HS256' })}.${part({ type: 'stateful', exp: 4_000_000_000 })}.signature`;
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    api: async () => ({ sessionToken }),
    output: () => '',
  } as unknown as RunningService;
}

for (const { how, tags } of [
  { how: 'handed over', tags: [] },
  // In every run a client without a browser loses its engine (moving-sessions.test.ts).
  { how: 'lost', tags: ['nightly'] },
] as const)
  it(
    `the unmodified public client goes on in mid-sentence when its session is ${how}`,
    { tags: [...tags] },
    async () => {
      const journals = new TestJournals();
      const first = await openEngine(journals);
      const config = benchSession({ avatar: { avatarId: 'bench', model: 'cara-3', engineKey: first.bench.engineKey } });
      const { sessionId } = config;
      const resources = () => ({
        llm: createFakeLlm({ answers: [[{ type: 'text', text: STORY }]] }),
        knowledge: { search: async () => [] },
      });
      const second = await openEngine(journals);
      let current: Server | null = first.sockets;
      const session = await connectSdk(
        await openDoor(
          () => first.bench.engine.createSession(config, resources()),
          () => current,
        ),
        {},
      );
      onTestFinished(() => session.close());
      await session.until('the session', (events) => events.some(({ event }) => event === 'SESSION_READY'));
      await session.call('sendUserMessage', 'Tell me a story.');
      await session.until('the story', (events) => chunks(events).length >= 3);

      current = null;
      if (how === 'handed over') await first.bench.engine.handOver(sessionId);
      else first.bench.engine.sessionTakenOver(sessionId);
      const leftAt = Date.now();
      await second.bench.engine.takeOver(journals.past(sessionId), resources());
      current = second.sockets;

      await session.until('the end of the story', (events) => personaTurnsEnded(events) >= 1);
      expect((await session.history()).filter(({ role }) => role === 'persona')).toMatchObject([
        { content: STORY, interrupted: false },
      ]);
      await eventually(async () => expect((await session.shownFrames(leftAt)).length).toBeGreaterThan(25));
      expect((await session.signals()).filter(({ actionType }) => actionType === 'offer')).toHaveLength(2);
      expect(await session.events('SESSION_READY')).toHaveLength(1);
      expect(await session.events('CONNECTION_CLOSED')).toEqual([]);
      expect(first.bench.engine.isLive(sessionId)).toBe(false);
      expect(second.bench.engine.isLive(sessionId)).toBe(true);
    },
  );
