import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callApi, type ServiceAddress } from '../../bench/lib/call-api.ts';
import { silentPersona } from '../../bench/lib/conversation.ts';
import { openLightConversation, type LightConversation } from '../../bench/lib/light-conversation.ts';
import { KEY_PREFIX, openRedis } from '../../control/cluster/redis.ts';
import { postgresPrograms } from '../../control/testing/postgres.ts';
import { hasRedis } from '../../control/testing/private-redis.ts';
import { hasLoadBalancer, startLoadBalancer, type LoadBalancer } from '../support/load-balancer.ts';
import { openMachineNetwork, type Machine, type MachineNetwork } from '../support/machine-network.ts';
import { openNodes, type RunningNodes } from '../support/nodes.ts';
import { connectSdk, type SdkSession } from '../support/sdk-session.ts';
import type { RunningService } from '../support/service.ts';
import { networkObstacle } from '../support/test-network.ts';
import { clockAhead, hasWrongClocks } from '../support/wrong-clock.ts';

const obstacle =
  networkObstacle() ??
  (hasRedis() && postgresPrograms() !== null && hasLoadBalancer() && hasWrongClocks
    ? null
    : 'Redis, PostgreSQL, HAProxy or libfaketime is missing');
if (obstacle !== null) console.warn(`Tests of several machines are skipped: ${obstacle}.`);

const STORY =
  'Once upon a time there was a very small boat on a very wide river. It went past towns and under bridges. Children waved at it. Nobody knew who steered it.';
/** Of two regions, one has an engine to go on with. */
const REGIONS = { 'eu-1': 'eu', 'eu-2': 'eu', 'us-1': 'us', 'us-2': 'us' } as const;
type EngineId = keyof typeof REGIONS;
/** It comes later, and its clock is wrong. */
const LATE: EngineId = 'us-2';
const AHEAD_SECONDS = 30;
/** How long links are cut. */
const CUT_MS = 10_000;
const API_KEY = 'a-key-of-both-nodes-with-the-api';

/**
 * Two nodes with the API behind a load balancer and three engines, later four, each on a machine of its own; PostgreSQL, Redis and
 * the clients, one of them in a browser, are on another one. Each test goes on with the calls of the test before.
 */
describe.skipIf(obstacle !== null)('Calls on several machines go on', () => {
  let network: MachineNetwork;
  let nodes: RunningNodes;
  let balancer: LoadBalancer;
  let service: ServiceAddress;
  let redis: Redis;
  const controls: RunningService[] = [];
  const engines = new Map<EngineId, RunningService>();
  const machines = new Map<EngineId, Machine>();
  const users: LightConversation[] = [];
  let browser: SdkSession;
  let sentences = 0;

  const startEngine = async (id: EngineId, more: Record<string, string> = {}): Promise<void> => {
    const env = { PARLEY_ROLE: 'engine', PARLEY_REGION: REGIONS[id], ...more };
    engines.set(id, await nodes.start(id, env, machines.get(id)));
  };
  const come = async (region: string): Promise<void> => {
    const options = { address: network.ownAddress, sessionOptions: { region } };
    users.push(await openLightConversation(service, {}, options));
  };

  beforeAll(async () => {
    network = await openMachineNetwork(2 + Object.keys(REGIONS).length);
    nodes = await openNodes(network.ownAddress);
    const ids = Object.keys(REGIONS) as EngineId[];
    ids.forEach((id, index) => machines.set(id, network.machines[2 + index]!));
    // The first one draws the face for all.
    await startEngine(ids[0]!);
    const startControl = async (machine: Machine, index: number): Promise<void> => {
      const env = { PARLEY_ROLE: 'control', PARLEY_API_KEY: API_KEY };
      controls.push(await nodes.start(`control-${index}`, env, machine));
    };
    const others = ids.slice(1).filter((id) => id !== LATE);
    await Promise.all([...others.map((id) => startEngine(id)), ...network.machines.slice(0, 2).map(startControl)]);
    balancer = await startLoadBalancer(controls.map(({ url }) => url));
    service = { url: balancer.url, apiKey: API_KEY };
    redis = await openRedis(nodes.redis.url, pino({ level: 'silent' }));
    for (const region of ['eu', 'eu', 'eu', 'us']) await come(region);
    const throughBalancer: RunningService = { ...controls[0]!, url: balancer.url, api };
    const personaConfig = await silentPersona(service);
    browser = await connectSdk(throughBalancer, { personaConfig, sessionOptions: { region: 'eu' } });
    await browser.until('the session', (events) => events.some(({ event }) => event === 'SESSION_READY'));
  });
  afterAll(async () => {
    for (const user of users) user.close();
    await browser?.close();
    redis?.disconnect();
    await Promise.all([...engines.values(), ...controls].map((node) => node.stop()));
    await balancer?.stop();
    await nodes?.stop();
    network?.close();
  });

  const api = <T>(method: string, path: string, body?: unknown): Promise<T> => callApi<T>(service, method, path, body);
  const liveOn = async (id: EngineId): Promise<number> => {
    const answer = await fetch(`${engines.get(id)!.url}/readyz`).catch(() => null);
    return ((await answer?.json()) as { activeSessions: number } | undefined)?.activeSessions ?? 0;
  };
  /** Who has had a session, in this order, as Redis knows it. */
  const ownersOf = async ({ sessionId }: { sessionId: string }): Promise<{ fence: number; engine: string }[]> => {
    const owners = (await redis.hget(`${KEY_PREFIX}session:${sessionId}`, 'owners').catch(() => null)) ?? '';
    return owners.split(';').flatMap((text) => {
      const [fence, engine] = text.split(' ');
      return engine === undefined ? [] : [{ fence: Number(fence), engine }];
    });
  };
  const engineOf = async (call: { sessionId: string }): Promise<string> => (await ownersOf(call)).at(-1)!.engine;
  /** Every call is on one engine, and that is the one which Redis knows as the last owner. */
  const expectOneOwnerEach = async (): Promise<void> => {
    const calls = [...users, browser];
    for (const call of calls) await expect.poll(async () => (await ownersOf(call)).length).toBeGreaterThan(0);
    const owners = await Promise.all(calls.map(ownersOf));
    for (const list of owners) {
      const fences = list.map(({ fence }) => fence);
      expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b));
    }
    for (const id of engines.keys()) {
      expect(await liveOn(id), id).toBe(owners.filter((list) => list.at(-1)!.engine === id).length);
    }
  };
  const shownInBrowser = async (): Promise<string> => (await browser.history()).map(({ content }) => content).join(' ');
  /** And everybody is answered. The one in the browser is told something, and sees the face. */
  const everybodyAsks = async (): Promise<void> => {
    await Promise.all(users.map((user) => user.ask('Are you still there?')));
    const text = `This is sentence number ${(sentences += 1)}.`;
    await api('POST', `/talk?session_id=${browser.sessionId}`, { content: text });
    await expect.poll(shownInBrowser).toContain(text);
    const { framesDecoded = 0 } = (await browser.stats()).video ?? {};
    await expect.poll(async () => (await browser.stats()).video?.framesDecoded).toBeGreaterThan(framesDecoded + 25);
  };
  const transcript = async ({ sessionId }: { sessionId: string }): Promise<string> => {
    const path = `/v1/sessions/${sessionId}/transcript`;
    const { messages } = await api<{ messages: { role: string; message: string }[] }>('GET', path);
    const ofPersona = messages.filter(({ role }) => role === 'persona');
    return ofPersona.map(({ message }) => message.trim()).join(' | ');
  };

  it('when an engine is killed in the middle of a sentence, in the same region, with each sentence once', async () => {
    await everybodyAsks();
    await expectOneOwnerEach();
    const first = await Promise.all(users.map(engineOf));
    const on = (id: EngineId): number => first.filter((engine) => engine === id).length;
    const killed: EngineId = on('eu-1') > on('eu-2') ? 'eu-1' : 'eu-2';
    const rest: EngineId = killed === 'eu-1' ? 'eu-2' : 'eu-1';
    const moved = users.filter((_, index) => first[index] === killed);
    expect(moved.length).toBeGreaterThan(1);

    for (const user of moved) await api('POST', `/talk?session_id=${user.sessionId}`, { content: STORY });
    for (const user of moved) await expect.poll(() => user.heard()).toContain('small');
    await engines.get(killed)!.kill();
    await expect.poll(() => liveOn(rest)).toBe(4);
    for (const user of moved) await expect.poll(() => user.heard()).toContain('steered');
    await everybodyAsks();
    for (const user of moved) {
      await expect.poll(() => transcript(user)).toContain('Nobody knew who steered it.');
      expect((await transcript(user)).split('very small boat')).toHaveLength(2);
      expect((await ownersOf(user)).map(({ engine }) => engine)).toEqual([killed, rest]);
    }
    await expectOneOwnerEach();
  });

  it('when Redis comes back empty, and others begin', async () => {
    await nodes.redis.restart();
    await everybodyAsks();
    await expect.poll(() => come('us').then(() => true, String)).toBe(true);
    await everybodyAsks();
    await expectOneOwnerEach();
  });

  it('when PostgreSQL is restarted, and others begin', async () => {
    await nodes.postgres.restart();
    await everybodyAsks();
    await expect.poll(() => come('eu').then(() => true, String)).toBe(true);
    await everybodyAsks();
    await expectOneOwnerEach();
  });

  it('when an engine is to leave, with each sentence once, and nobody misses anything', async () => {
    // The one that was killed is there again, and takes what the other one has to give.
    const leaving: EngineId = (await liveOn('eu-1')) > 0 ? 'eu-1' : 'eu-2';
    const rest: EngineId = leaving === 'eu-1' ? 'eu-2' : 'eu-1';
    await startEngine(rest);
    const calls = [...users, browser];
    const before = await Promise.all(calls.map(engineOf));
    const moving = calls.filter((_, index) => before[index] === leaving);
    expect(moving).toContain(browser);
    const told = new Map(users.map((user) => [user, user.heard().split('steered').length]));
    for (const call of moving) await api('POST', `/talk?session_id=${call.sessionId}`, { content: STORY });
    await engines.get(leaving)!.stop();
    for (const user of users.filter((one) => moving.includes(one)))
      await expect.poll(() => user.heard().split('steered').length).toBeGreaterThan(told.get(user) ?? 1);
    await expect.poll(shownInBrowser).toContain('steered');
    await everybodyAsks();
    for (const call of moving) {
      expect(await engineOf(call)).toBe(rest);
      await expect.poll(() => transcript(call)).toContain('Nobody knew who steered it.');
    }
    expect((await shownInBrowser()).split('very small boat')).toHaveLength(2);
    expect((await transcript(browser)).split('very small boat')).toHaveLength(2);
    await startEngine(leaving);
    await expectOneOwnerEach();
  });

  it('when a node with the API and an engine do not reach each other for ten seconds', async () => {
    const control = network.machines[0]!;
    for (const id of ['eu-1', 'eu-2'] as const) await control.cutOffFrom(machines.get(id)!.address);
    // What goes through the channel needs no node in between.
    await Promise.all(users.map((user) => user.ask('Do you hear me?')));
    await pause(CUT_MS);
    await control.reconnect();
    await everybodyAsks();
    await expectOneOwnerEach();
  });

  it('when an engine is out of reach for ten seconds, and does not go on with what others have taken', async () => {
    const cut: EngineId = (await liveOn('eu-1')) > (await liveOn('eu-2')) ? 'eu-1' : 'eu-2';
    const rest: EngineId = cut === 'eu-1' ? 'eu-2' : 'eu-1';
    const calls = await liveOn(cut);
    const all = calls + (await liveOn(rest));
    expect(calls).toBeGreaterThan(0);
    // One that only Redis does not hear answers the others, and keeps its calls.
    const everybody = [network.ownAddress, ...network.machines.map(({ address }) => address)];
    for (const address of everybody) await machines.get(cut)!.cutOffFrom(address);
    await pause(CUT_MS);
    await machines.get(cut)!.reconnect();
    await expect.poll(() => liveOn(rest)).toBe(all);
    await everybodyAsks();
    await expect.poll(() => liveOn(cut)).toBe(0);
    await expectOneOwnerEach();
  });

  it('when an engine whose clock is wrong by half a minute takes them, and gives them back', async () => {
    await startEngine(LATE, clockAhead(AHEAD_SECONDS));
    const moved: LightConversation[] = [];
    for (const user of users) if ((await engineOf(user)) === 'us-1') moved.push(user);
    expect(moved.length).toBeGreaterThan(0);
    await engines.get('us-1')!.kill();
    await expect.poll(() => liveOn(LATE)).toBe(moved.length);
    await everybodyAsks();
    await expectOneOwnerEach();

    await startEngine('us-1');
    await engines.get(LATE)!.stop();
    await everybodyAsks();
    await expectOneOwnerEach();
    expect(await liveOn('us-1')).toBe(moved.length);
  });
});
