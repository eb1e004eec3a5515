/**
 * What it costs that a persona is in a web meeting, in a Janus VideoRoom with its own page and two guests in browsers, all
 * on this machine:
 *
 * - processor time and memory of the visit: its process, and the Chromium with the meeting's page;
 * - delay of the voice each way, by marks on one clock: from the microphone's track of a guest until the sound arrives at
 *   the engine, and from the engine's time for a sound until a guest's browser plays it. The same is measured with a
 *   guest's browser that talks with the engine directly, and between the two guests;
 * - how much of that are jitter buffers, and what they did to the sound;
 * - time of a turn, from the last sound of the sentence with the persona's name until a guest hears the persona, in the
 *   meeting and directly. STT, LLM and TTS are stand-ins with declared delays.
 *
 *   node bench/meetings.ts [--runs 5] [--marks 10] [--turns 2]
 *
 * Needs Debian's packages `janus`, `janus-demos`, `chromium` and `flite`, and the built script for meeting pages.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Guest } from '../e2e/support/guest-browser.ts';
import { joinAsGuest } from '../e2e/support/janus-guest.ts';
import { startJanusRoom } from '../e2e/support/janus-room.ts';
import { spokenWav } from '../e2e/support/spoken-wav.ts';
import { findChromium } from '../meetings/browser/find-chromium.ts';
import { openMeetingConnector } from '../meetings/index.ts';
import { wavFile } from '../models/stt/wav.ts';
import { freePort } from '../runtime/testing/free-port.ts';
import { benchSession } from './lib/bench-session.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { median, quantile } from './lib/statistics.ts';
import { stealTimeLine, watchStealTime } from './lib/steal-time.ts';
import { printTable } from './lib/table.ts';
import { joinDirectly } from './meetings/direct-guest.ts';
import { hearTrack, type LoudTime } from './meetings/heard-in-page.ts';
import { buffersBetween, type JitterBuffer, READ_JITTER_BUFFERS, type Reading } from './meetings/jitter-buffers.ts';
import { DELAYS, MARK_EVERY_MS, marksPcm, QUESTION, startMarkedEngine } from './meetings/marked-engine.ts';
import { type VisitCost, watchVisit } from './meetings/visit-cost.ts';
import { openVisitPage, writeWatchedChromium } from './meetings/visit-page.ts';

const { values: args } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    marks: { type: 'string', default: '10' },
    turns: { type: 'string', default: '2' },
  },
});
const [runs, marks, turns] = [Number(args.runs), Number(args.marks), Number(args.turns)];
/** Of a visit's browser, as the service's default. */
const MEMORY_MB = 1_536;
const NAME = 'Elena';
/** What Janus makes of "Elena (AI)". */
const SHOWN_NAME = 'ElenaAI';
/** A sound that has not come after this time was lost. */
const ARRIVES_WITHIN_MS = 1_800;
/** Until jitter buffers have found their length. */
const SETTLE_MS = 5_000;
const TURN_WITHIN_MS = 4_000;
/** From an answer until the next question, so that no one is a follow-up of the other. */
const BETWEEN_TURNS_MS = 6_000;

/** ms; one value for each mark or turn. */
interface Way {
  readonly toEngine: number[];
  readonly fromEngine: number[];
  readonly turns: number[];
}

const room = await startJanusRoom();
const engine = await startMarkedEngine();
const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-meetings-'));
// Chromium runs as another user.
await chmod(dataDir, 0o711);
const chromium = await findChromium(undefined);
if (chromium === null) throw new Error('Chromium is not installed.');
const port = await freePort();
const opened = await openMeetingConnector({
  dataDir,
  chromium: await writeWatchedChromium(join(dataDir, 'chromium'), chromium.program, port),
  servers: [{ provider: 'janus', origin: new URL(room.url).origin }],
  allowedPrivateHosts: [...room.hosts, '127.0.0.1'],
  memoryMb: MEMORY_MB,
  warn: (message) => console.warn(message),
});
if ('missing' in opened) throw new Error(opened.missing);
const { connector } = opened;
const marksWav = wavFile([marksPcm(marks)], 48_000);
const question = await spokenWav(QUESTION);

const direct: Way[] = [];
const meeting: Way[] = [];
const between: number[][] = [];
/** Each by the voice that goes through it. */
const buffers = {
  'of a guest, for the persona, directly': [] as JitterBuffer[],
  'of a guest, for the persona': [] as JitterBuffer[],
  'of a guest, for a guest': [] as JitterBuffer[],
  'of the visit, for a guest': [] as JitterBuffer[],
  'of the visit, for the persona': [] as JitterBuffer[],
};
const costs: VisitCost[] = [];
const loopP99: number[] = [];
const host = watchStealTime();
for (let run = 0; run < runs; run += 1) {
  const loop = watchEventLoop();
  direct.push(await measureDirectly());
  await measureMeeting(run);
  loopP99.push(loop.stop().p99);
}
report();
await connector.close();
await engine.close();
await room.close();
await rm(dataDir, { recursive: true, force: true });
process.exit(0);

async function startSession(inMeeting: boolean): Promise<string> {
  const config = benchSession({
    personaName: NAME,
    avatar: { avatarId: 'bench', model: 'cara-3', engineKey: engine.engineKey },
    meeting: inMeeting ? { displayName: `${NAME} (AI)`, groupCall: true } : null,
  });
  await engine.engine.createSession(config, { llm: engine.llm, knowledge: { search: async () => [] } });
  return config.sessionId;
}

async function measureDirectly(): Promise<Way> {
  const sessionId = await startSession(false);
  const guest = await joinDirectly(engine.url, sessionId, room.url);
  await pause(SETTLE_MS);
  const buffer = await watchBuffers(() => readGuest(guest, 'sessionPeer'));
  const { toEngine, fromEngine } = await measureDelay(guest, 'heardTrack');
  buffers['of a guest, for the persona, directly'].push(...(await buffer()));
  const way = { toEngine, fromEngine, turns: await measureTurns(guest, 'heardTrack') };
  await guest.close();
  engine.engine.stopSession(sessionId, 'stopped_by_api');
  return way;
}

async function measureMeeting(run: number): Promise<void> {
  // Janus keeps those of the run before for a while.
  const name = `Alice${run}`;
  const [alice, bob] = await Promise.all([joinAsGuest(room, name), joinAsGuest(room, `Bob${run}`)]);
  const active = Promise.withResolvers<void>();
  const visit = connector.join(
    {
      inviteId: 'bench',
      provider: 'janus',
      meetingUrl: room.url,
      displayName: `${NAME} (AI)`,
      longestMs: 600_000,
    },
    {
      state: (state) => state === 'media_active' && active.resolve(),
      async admitted() {
        const sessionId = await startSession(true);
        return { sessionId, signalingUrl: `${engine.url}?session_id=${sessionId}`, iceServers: [] };
      },
      leaving() {},
      ended: ({ message }) => active.reject(new Error(message)),
    },
  );
  await active.promise;
  await pause(SETTLE_MS);
  const persona = trackOf(SHOWN_NAME);
  const visitPage = await openVisitPage(port, room.url);
  const ofVisit = await watchBuffers(() => visitPage.withConnections<Reading>(READ_JITTER_BUFFERS));
  const ofAlice = await watchBuffers(() => readGuest(alice, peerOf(SHOWN_NAME)));
  const ofBob = await watchBuffers(() => readGuest(bob, peerOf(name)));
  const spent = watchVisit();
  const bobHears = await hearTrack(bob.browser.page, trackOf(name));
  const { said, toEngine, fromEngine } = await measureDelay(alice, persona);
  const heard = (await bobHears()).map(({ from }) => from);
  between.push(delays(said, heard));
  costs.push(spent());
  for (const buffer of await ofVisit())
    buffers[buffer.session ? 'of the visit, for the persona' : 'of the visit, for a guest'].push(buffer);
  buffers['of a guest, for the persona'].push(...(await ofAlice()));
  buffers['of a guest, for a guest'].push(...(await ofBob()));
  visitPage.close();
  meeting.push({ toEngine, fromEngine, turns: await measureTurns(alice, persona) });
  await visit.leave();
  await Promise.all([alice.close(), bob.close()]);
}

/** In the page of a guest: the connection that receives somebody else. */
function peerOf(name: string): string {
  return `feeds.find((feed) => feed?.rfdisplay === '${name}').webrtcStuff.pc`;
}

/** In the page of a guest: somebody else's sound. */
function trackOf(name: string): string {
  return `${peerOf(name)}.getReceivers().find(({ track }) => track.kind === 'audio').track`;
}

function readGuest({ browser }: Guest, peer: string): Promise<Reading> {
  return browser.page.evaluate<Reading>(`(${READ_JITTER_BUFFERS})([${peer}])`);
}

async function watchBuffers(read: () => Promise<Reading>): Promise<() => Promise<JitterBuffer[]>> {
  const before = await read();
  return async () => buffersBetween(before, await read());
}

async function measureDelay(
  guest: Guest,
  track: string,
): Promise<{ said: number[]; toEngine: number[]; fromEngine: number[] }> {
  const { page } = guest.browser;
  const stopHearing = await hearTrack(page, track);
  const stopSaying = await hearTrack(page, 'microphoneTrack');
  engine.mark(true);
  engine.takeArrivals();
  const from = Date.now();
  await guest.say(marksWav);
  const to = Date.now();
  engine.mark(false);
  const said = (await stopSaying()).map((time) => time.from);
  const heard = (await stopHearing()).map((time) => time.from);
  const sent: number[] = [];
  // The first mark may be half over before it is on.
  for (let at = (Math.ceil(from / MARK_EVERY_MS) + 1) * MARK_EVERY_MS; at + ARRIVES_WITHIN_MS < to; at += MARK_EVERY_MS)
    sent.push(at);
  return { said, toEngine: delays(said, engine.takeArrivals()), fromEngine: delays(sent, heard) };
}

/** @returns what each sound took to arrive; lost ones are left out. */
function delays(sent: readonly number[], arrived: readonly number[]): number[] {
  return sent.flatMap((at) => {
    const found = arrived.find((one) => one > at && one < at + ARRIVES_WITHIN_MS);
    return found === undefined ? [] : [found - at];
  });
}

async function measureTurns(guest: Guest, track: string): Promise<number[]> {
  const { page } = guest.browser;
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await pause(BETWEEN_TURNS_MS);
    const [stopHearing, stopSaying] = [await hearTrack(page, track), await hearTrack(page, 'microphoneTrack')];
    await guest.say(question);
    const answered = performance.now() + TURN_WITHIN_MS;
    while (performance.now() < answered) await pause(100);
    const endOfQuestion = (await stopSaying()).at(-1)?.to ?? Number.NaN;
    const answer = (await stopHearing()).find((time: LoudTime) => time.from > endOfQuestion);
    if (answer !== undefined) times.push(answer.from - endOfQuestion);
  }
  return times;
}

function report(): void {
  printTimes();
  const added = (key: 'toEngine' | 'fromEngine'): number =>
    median(meeting.map((way, run) => median(way[key]) - median(direct[run]![key])));
  const overGuests = (key: 'toEngine' | 'fromEngine'): number =>
    median(meeting.map((way, run) => median(way[key]) - median(between[run]!)));
  for (const [than, more] of [
    ['directly', added],
    ['between two guests', overGuests],
  ] as const)
    console.log(
      `Later than ${than}: ${more('toEngine').toFixed(0)} to the engine, ${more('fromEngine').toFixed(0)} back.`,
    );
  const columns = ['delay', 'target', 'madeUp', 'stretched', 'cut'] as const;
  printTable(
    ['jitter buffer', 'ms', 'its target', 'made up, %', 'stretched, %', 'cut, %'],
    Object.entries(buffers)
      .filter(([, found]) => found.length > 0)
      .map(([name, found]) => [name, ...columns.map((column) => median(found.map((one) => one[column])))]),
  );
  printTable(
    ['the visit', 'median', 'most'],
    [
      ['cores', ...spreadOf(costs.map(({ cores }) => cores))],
      ['memory, MB', ...spreadOf(costs.map(({ memoryMb }) => memoryMb))],
      ['processes', ...spreadOf(costs.map(({ processes }) => processes))],
    ],
  );
  console.log(`event-loop delay p99: ${median(loopP99).toFixed(1)} ms; load average ${loadavg()[0]!.toFixed(1)}`);
  console.log(stealTimeLine(host.stop()));
}

function printTimes(): void {
  const figures = (name: string, values: readonly (readonly number[])[]): (string | number)[] => [
    name,
    values.flat().length,
    median(values.map(median)),
    quantile(values.flat(), 0.95),
  ];
  const { recognition, llm, synthesis } = DELAYS;
  console.log(
    `Median of ${runs} runs, p95 of all; ms. Declared: recognition ${recognition}, LLM ${llm}, synthesis ${synthesis}.`,
  );
  printTable(
    ['', 'n', 'median', 'p95'],
    [
      figures(
        'guest → engine, directly',
        direct.map(({ toEngine }) => toEngine),
      ),
      figures(
        'guest → engine, in the meeting',
        meeting.map(({ toEngine }) => toEngine),
      ),
      figures(
        'engine → guest, directly',
        direct.map(({ fromEngine }) => fromEngine),
      ),
      figures(
        'engine → guest, in the meeting',
        meeting.map(({ fromEngine }) => fromEngine),
      ),
      figures('guest → guest, in the meeting', between),
      figures(
        'turn, directly',
        direct.map((way) => way.turns),
      ),
      figures(
        'turn, in the meeting',
        meeting.map((way) => way.turns),
      ),
    ],
  );
}

function spreadOf(values: readonly number[]): [number, number] {
  return [median(values), Math.max(...values)];
}
