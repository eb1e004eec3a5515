import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callApi } from '../../bench/lib/call-api.ts';
import { silentPersona } from '../../bench/lib/conversation.ts';
import {
  openHeadlessConversation,
  type HeadlessConversation,
  type HeadlessConversationOptions,
} from '../../bench/lib/headless-conversation.ts';
import { isReady } from '../support/is-ready.ts';
import { personaTranscript, timesSaid } from '../support/persona-transcript.ts';
import { watchProcessors } from '../support/processor-time.ts';
import { connectSdk, type SdkSession } from '../support/sdk-session.ts';
import { openSeveralMachines, severalMachinesObstacle, type SeveralMachines } from '../support/several-machines.ts';
import { clockAhead, hasFakeTime } from '../support/fake-time.ts';

const obstacle = severalMachinesObstacle() ?? (hasFakeTime ? null : 'libfaketime is missing');
if (obstacle !== null) console.warn(`Tests of several machines are skipped: ${obstacle}.`);

const STORY = [
  'Once upon a time there was a very small boat on a very wide river.',
  'It went past towns and under bridges.',
  'Children waved at it.',
  'Nobody knew its captain.',
];
const OTHER_STORY = [
  'Long ago there was a very old clock in a very high tower.',
  'It had only one hand.',
  'Pigeons slept on it.',
  'Nobody had its key.',
];
const ONCE_EACH = [1, 1, 1, 1];

/** Of two regions, one has an engine to go on with. */
const REGIONS = { 'eu-1': 'eu', 'eu-2': 'eu', 'us-1': 'us', 'us-2': 'us' } as const;
type EngineId = keyof typeof REGIONS;
/** It comes later, and its clock is wrong. */
const LATE: EngineId = 'us-2';
const AHEAD_SECONDS = 30;
/** How long links are cut. */
const CUT_MS = 10_000;
/** How long the load of the engines is measured. */
const LOAD_MS = 5_000;

/**
 * A face takes 5 to 10 % of a core of a small machine; sound alone takes 1 or 2 %. So only one of the thirty takes a
 * picture.
 */
const SOUND_ONLY: HeadlessConversationOptions = { videoCodecs: [], microphone: 'rests' };
const RELAYED: HeadlessConversationOptions = { ...SOUND_ONLY, relay: 'if needed' };
/** Who comes to each of the three engines, in this order. The very first caller takes a picture. */
const CALLERS: readonly HeadlessConversationOptions[] = [
  RELAYED,
  RELAYED,
  ...Array.from({ length: 8 }, () => SOUND_ONLY),
];

/**
 * Two nodes with the API behind a load balancer, three engines, later four, and a TURN server, each on a machine of its
 * own; PostgreSQL, Redis and the clients, one of them in a browser, are on another one. Each test goes on with the
 * calls of the test before.
 */
describe.skipIf(obstacle !== null)('Thirty-one calls on several machines go on', { tags: ['nightly'] }, () => {
  let all: SeveralMachines<EngineId>;
  const users: HeadlessConversation[] = [];
  const relayed = new Set<HeadlessConversation>();
  let browser: SdkSession;
  let sentences = 0;

  const come = async (region: string, options: HeadlessConversationOptions = SOUND_ONLY): Promise<void> => {
    const isRelayed = options.relay === 'if needed';
    const { outside, ownAddress } = all.network;
    const where = { address: isRelayed ? outside.address : ownAddress, sessionOptions: { region } };
    const user = await openHeadlessConversation(all.service, {}, { ...options, ...where, noticesSilence: true });
    users.push(user);
    if (isRelayed) relayed.add(user);
  };
  const api = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    callApi<T>(all.service, method, path, body);

  beforeAll(async () => {
    all = await openSeveralMachines(REGIONS, [LATE]);
    for (const [index, options] of CALLERS.entries()) {
      // Two at once to one region: one for each of its engines.
      await Promise.all([come('eu', index === 0 ? {} : options), come('eu', options), come('us', options)]);
    }
    const throughBalancer = { ...all.controls[0]!, url: all.service.url, api };
    const personaConfig = await silentPersona(all.service);
    browser = await connectSdk(throughBalancer, { personaConfig, sessionOptions: { region: 'eu' } });
    await browser.until('the session', (events) => events.some(({ event }) => event === 'SESSION_READY'));
  });
  afterAll(async () => {
    for (const user of users) user.close();
    await browser?.close();
    await all?.close();
  });

  const ownersOf = ({ sessionId }: { sessionId: string }) => all.ownersOf(sessionId);
  const engineOf = async (call: { sessionId: string }): Promise<string> => (await ownersOf(call)).at(-1)!.engine;
  /** Those of the calls that are on this engine now. */
  const callsOn = async <Call extends { sessionId: string }>(id: EngineId, calls: readonly Call[]): Promise<Call[]> => {
    const engines = await Promise.all(calls.map(engineOf));
    return calls.filter((_, index) => engines[index] === id);
  };
  /** Every call is on one engine, and that is the one which Redis knows as the last owner. */
  const expectOneOwnerEach = async (): Promise<void> => {
    const calls = [...users, browser];
    for (const call of calls) await expect.poll(async () => (await ownersOf(call)).length).toBeGreaterThan(0);
    const owners = await Promise.all(calls.map(ownersOf));
    for (const list of owners) {
      const fences = list.map(({ fence }) => fence);
      expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b));
    }
    for (const id of all.engines.keys()) {
      const owned = owners.filter((list) => list.at(-1)!.engine === id);
      await expect.poll(() => all.liveOn(id)).toBe(owned.length);
    }
  };
  const shownInBrowser = async (): Promise<string> => (await browser.history()).map(({ content }) => content).join(' ');
  /**
   * And everybody is answered, on the path that was chosen. The one in the browser is told something, and sees the
   * face.
   */
  const everybodyAsks = async (): Promise<void> => {
    await Promise.all(users.map((user) => user.ask('Do you hear me?')));
    // Somebody may just have left an engine that was cut off and has answered until it knew of it.
    for (const user of relayed) await expect.poll(() => user.client.path()).toBe('relay');
    const text = `This is sentence number ${(sentences += 1)}.`;
    await tell(browser, text);
    await expect.poll(shownInBrowser).toContain(text);
    const { framesDecoded = 0 } = (await browser.stats()).video ?? {};
    await expect.poll(async () => (await browser.stats()).video?.framesDecoded).toBeGreaterThan(framesDecoded + 25);
  };
  const tell = (call: { sessionId: string }, content: string): Promise<unknown> =>
    api('POST', `/talk?session_id=${call.sessionId}`, { content });
  const heardBy = (call: HeadlessConversation | SdkSession): Promise<string> =>
    'heard' in call ? Promise.resolve(call.heard()) : shownInBrowser();
  const expectToldOnce = async (calls: readonly { sessionId: string }[], story: readonly string[]): Promise<void> => {
    for (const { sessionId } of calls)
      await expect
        .poll(async () => timesSaid(await personaTranscript(all.service, sessionId), story))
        .toEqual(ONCE_EACH);
  };
  /** Of the three engines. */
  const printLoad = async (): Promise<void> => {
    const engines = [...all.engines].filter(([id]) => id !== LATE);
    const stop = watchProcessors(new Map(engines.map(([id, { pid }]) => [id, pid])));
    await pause(LOAD_MS);
    const used = stop();
    const each = engines.map(async ([id]) => `${id} ${Math.round(100 * used.get(id)!)} % for ${await all.liveOn(id)}`);
    console.log(`${users.length} light calls and one in Chromium, of a core: ${(await Promise.all(each)).join(', ')}`);
  };

  it('when an engine is killed in the middle of a sentence, in the same region, with each sentence once', async () => {
    expect(users).toHaveLength(30);
    await everybodyAsks();
    await expectOneOwnerEach();
    await printLoad();
    const killed = (await engineOf(browser)) as EngineId;
    const rest: EngineId = killed === 'eu-1' ? 'eu-2' : 'eu-1';
    const moving = await callsOn(killed, [...users, browser]);
    expect(moving.length).toBeGreaterThan(users.length / 4);
    const calls = moving.length + (await all.liveOn(rest));

    await Promise.all(moving.map((call) => tell(call, STORY.join(' '))));
    // The first one is in the middle of the first sentence.
    await Promise.race(moving.map((call) => expect.poll(() => heardBy(call)).toContain('small')));
    await all.engines.get(killed)!.crash();
    await expect.poll(() => all.liveOn(rest)).toBe(calls);
    for (const call of moving) await expect.poll(() => heardBy(call)).toContain('captain.');
    await expectToldOnce(moving, STORY);
    await everybodyAsks();
    for (const call of moving) expect((await ownersOf(call)).map(({ engine }) => engine)).toEqual([killed, rest]);
    await expectOneOwnerEach();
  });

  it('when Redis comes back empty, and others begin', async () => {
    await all.nodes.redis.restart();
    await everybodyAsks();
    await expect.poll(() => come('us').then(() => true, String)).toBe(true);
    await users.at(-1)!.ask('Do you hear me?');
    await expectOneOwnerEach();
  });

  it('when PostgreSQL is restarted, and others begin', async () => {
    await all.nodes.postgres.restart();
    await everybodyAsks();
    await expect.poll(() => come('eu').then(() => true, String)).toBe(true);
    await users.at(-1)!.ask('Do you hear me?');
    await expectOneOwnerEach();
  });

  it('when an engine is to leave, with each sentence once, and nobody misses anything', async () => {
    const leaving = (await engineOf(browser)) as EngineId;
    const rest: EngineId = leaving === 'eu-1' ? 'eu-2' : 'eu-1';
    // Its guard has started the one that was killed again: it takes what the other one has to give.
    await expect.poll(() => isReady(all.engines.get(rest)!)).toBe(true);
    const moving = await callsOn(leaving, [...users, browser]);
    expect(moving.length).toBeGreaterThan(users.length / 2);
    await Promise.all(moving.map((call) => tell(call, OTHER_STORY.join(' '))));
    await all.engines.get(leaving)!.stop();
    for (const call of moving) await expect.poll(() => heardBy(call)).toContain('key.');
    await expectToldOnce(moving, OTHER_STORY);
    await everybodyAsks();
    for (const call of moving) expect(await engineOf(call)).toBe(rest);
    expect(timesSaid(await shownInBrowser(), OTHER_STORY)).toEqual(ONCE_EACH);
    await all.startEngine(leaving);
    await expectOneOwnerEach();
  });

  it('when a node with the API and an engine do not reach each other for ten seconds', async () => {
    const control = all.network.machines[1]!;
    for (const id of ['eu-1', 'eu-2'] as const) await control.cutOffFrom(all.machineOf(id).address);
    // What goes through the channel needs no node in between.
    await Promise.all(users.map((user) => user.ask('Do you hear me?')));
    await pause(CUT_MS);
    await control.reconnect();
    await everybodyAsks();
    await expectOneOwnerEach();
  });

  it('when an engine is out of reach for ten seconds, and does not go on with what others have taken', async () => {
    const cut: EngineId = (await all.liveOn('eu-1')) > (await all.liveOn('eu-2')) ? 'eu-1' : 'eu-2';
    const rest: EngineId = cut === 'eu-1' ? 'eu-2' : 'eu-1';
    const calls = await all.liveOn(cut);
    const both = calls + (await all.liveOn(rest));
    expect(calls).toBeGreaterThan(0);
    // One that only Redis does not hear answers the others, and keeps its calls.
    const everybody = [all.network.ownAddress, ...all.network.machines.map(({ address }) => address)];
    for (const address of everybody) await all.machineOf(cut).cutOffFrom(address);
    await pause(CUT_MS);
    await all.machineOf(cut).reconnect();
    await expect.poll(() => all.liveOn(rest)).toBe(both);
    await everybodyAsks();
    await expect.poll(() => all.liveOn(cut)).toBe(0);
    await expectOneOwnerEach();
  });

  it('when an engine whose clock is wrong by half a minute takes them, and gives them back', async () => {
    await all.startEngine(LATE, clockAhead(AHEAD_SECONDS));
    const moved = await callsOn('us-1', users);
    expect(moved.length).toBeGreaterThan(0);
    await all.engines.get('us-1')!.kill();
    await expect.poll(() => all.liveOn(LATE)).toBe(moved.length);
    await everybodyAsks();
    await expectOneOwnerEach();

    await all.startEngine('us-1');
    await all.engines.get(LATE)!.stop();
    await everybodyAsks();
    await expectOneOwnerEach();
    expect(await all.liveOn('us-1')).toBe(moved.length);
    await printLoad();
  });
});
