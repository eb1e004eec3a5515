/**
 * A persona as the face of an agent in a LiveKit room, with the unmodified public plugin, beside an avatar made with
 * LiveKit's own SDK for Node (`@livekit/rtc-node`), in the same run and in turn:
 *
 * - in → out: from the agent's first frame of speech until another participant hears it;
 * - silence: from an interruption until that participant hears nothing;
 * - frames a second that it sees, and processor time of the avatar's process.
 *
 *   node bench/livekit.ts [--runs 2] [--turns 8] [--cuts 4]    both avatars
 *   node bench/livekit.ts --agents 8                           eight agents at once, Parley alone; a user sees and hears
 *                                                              the first one
 *   node bench/livekit.ts --starts 50                          sessions that join one after the other: who publishes
 *   node bench/livekit.ts --sync 20                            both avatars, seconds: how far the picture is from the sound
 *                                                              in another participant's Chromium, by sender reports
 *   node bench/livekit.ts --outage 8                           the server is away for so many seconds, and restarted
 *
 * Needs `bash scripts/install-livekit.sh`.
 */
import { spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type RoomEvent, type RoomProgram, runInRoom, startLivekitServer } from '../e2e/support/livekit.ts';
import { watchProcessors } from '../e2e/support/processor-time.ts';
import { freePort } from '../runtime/testing/free-port.ts';
import { livekitTools } from '../runtime/testing/livekit-tools.ts';
import { publishedTracks, roomToken } from '../e2e/support/livekit-room-service.ts';
import { openBrowserInRoom, type Seen } from './livekit/browser-in-room.ts';
import { startServiceProcess } from './lib/service-process.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: {
    runs: { type: 'string', default: '2' },
    turns: { type: 'string', default: '8' },
    cuts: { type: 'string', default: '4' },
    agents: { type: 'string' },
    starts: { type: 'string' },
    sync: { type: 'string' },
    outage: { type: 'string' },
  },
});
/** Until jitter buffers have found their length. */
const SETTLE_MS = 3_000;
const BETWEEN_TURNS_MS = 700;
/** An agent speaks so long, and then its user. */
const SPEAKS_MS = 3_000;
/** Starting agents takes whole cores for seconds: so long the service spares the machine, and draws fewer frames. */
const CALM_AGAIN_MS = 45_000;
/** Until Chromium knows both tracks' sender reports, and its buffers have found their length. */
const REPORTS_KNOWN_S = 20;
/** A session that publishes nothing by then has failed. */
const PUBLISHES_WITHIN_MS = 10_000;

interface Avatar {
  readonly name: string;
  readonly pid: number;
  readonly env: Readonly<Record<string, string>>;
}

interface Figures {
  readonly inOut: number[];
  readonly silence: number[];
  readonly perSecond: number[];
  readonly cores: number[];
}

const tools = livekitTools();
if (tools === null) throw new Error('bash scripts/install-livekit.sh');
const livekit = await startLivekitServer(tools);
const service = await startServiceProcess({ PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1', PARLEY_MAX_SESSIONS: '64' });
const avatarId = (await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1')).data[0]!.id;
const parley: Avatar = {
  name: 'Parley',
  pid: service.pid,
  env: { AVATAR_URL: service.url, AVATAR_KEY: service.apiKey, AVATAR_ID: avatarId },
};
try {
  if (args.sync !== undefined) await synchronize(Number(args.sync));
  else if (args.outage !== undefined) await lose(Number(args.outage));
  else if (args.starts !== undefined) await start(Number(args.starts));
  else if (args.agents !== undefined) await together(Number(args.agents));
  else await compare();
} finally {
  await service.stop();
  await livekit.close();
}

async function compare(): Promise<void> {
  const other = await rtcNodeAvatar();
  const figures = new Map([parley, other.avatar].map((avatar) => [avatar, none()]));
  try {
    for (let run = 0; run < Number(args.runs); run += 1)
      for (const [avatar, into] of figures) await converse(avatar, `run-${run}-${avatar.name}`, into);
  } finally {
    await other.close();
  }
  print([...figures]);
}

/** A browser joins each room, and the avatar speaks all the time. */
async function synchronize(seconds: number): Promise<void> {
  const other = await rtcNodeAvatar();
  const seen: (readonly [string, Seen])[] = [];
  try {
    for (let run = 0; run < Number(args.runs); run += 1)
      for (const avatar of [parley, other.avatar]) {
        const room = `sync-${run}-${avatar.name}`;
        const program = await join(avatar, room);
        const browser = await openBrowserInRoom(tools!, livekit.env, room);
        try {
          program.command(`say ${(seconds + REPORTS_KNOWN_S) * 1_000}`);
          await browser.watch(REPORTS_KNOWN_S);
          seen.push([avatar.name, await browser.watch(seconds)]);
        } finally {
          await browser.close();
          await program.close();
        }
      }
  } finally {
    await other.close();
  }
  console.log(`Chromium in the room, LiveKit server 1.13.5, 640×360, load ${load()}`);
  printTable(
    ['picture before its sound, ms', 'p50', '|p50|', '|p95|', '|max|', 'frames/s'],
    seen.map(([name, { skews, framesPerSecond }]) => {
      const [, ...sizes] = row(name, skews.map(Math.abs));
      return [`${name} (${skews.length})`, quantile(skews, 0.5), ...sizes, framesPerSecond];
    }),
  );
}

/** The server dies, and another one takes its place later. */
async function lose(seconds: number): Promise<void> {
  const back: number[] = [];
  for (let run = 0; run < Number(args.runs); run += 1) {
    const program = await join(parley, `outage-${run}`);
    try {
      await pause(SETTLE_MS);
      await livekit.restart(seconds * 1_000);
      const from = Date.now();
      const seen = await program.next('seen');
      back.push(seen.at - from);
      await program.next('agent back');
      program.command('say 1000');
      await program.next('loud');
      await program.next('said');
    } finally {
      await program.close();
    }
  }
  console.log(`${back.length} times away for ${seconds} s, each time seen and heard again; load ${load()}`);
  printTable(['from the new server to a picture, ms', 'p50', 'p95', 'max'], [row('Parley', back)]);
}

/**
 * Agents at once. They join one after the other: a program of LiveKit takes seconds of a core until it runs. All speak half of the
 * time and are interrupted, a user watches the first one alone: eight programs of LiveKit that decode sound and pictures leave
 * two cores no time for what is measured.
 */
async function together(count: number): Promise<void> {
  const into = none();
  const programs: RoomProgram[] = [];
  try {
    for (let index = 0; index < count; index += 1) programs.push(await join(parley, `together-${index}`, index === 0));
    await pause(CALM_AGAIN_MS);
    const [watched, ...others] = programs;
    const over = new AbortController();
    const talks = others.map((program) => talk(program, over.signal));
    await measure(watched!, parley, into);
    over.abort();
    const said = await Promise.all(talks);
    console.log(`beside them, ${others.length} agents said ${said.join(', ')} things, each second one cut off`);
  } finally {
    for (const program of programs) await program.close();
  }
  print([[{ ...parley, name: `Parley, ${count} agents` }, into]]);
}

/** @returns how often the agent was told that its user has heard what it said. */
async function talk(program: RoomProgram, over: AbortSignal): Promise<number> {
  let said = 0;
  while (!over.aborted) {
    program.command(said % 2 === 0 ? `say ${SPEAKS_MS}` : `cut 10000 ${SPEAKS_MS}`);
    await program.next('said');
    await pause(SPEAKS_MS);
    said += 1;
  }
  return said;
}

async function start(count: number): Promise<void> {
  const took: number[] = [];
  const sessions: string[] = [];
  let failed = 0;
  for (let index = 0; index < count; index += 1) {
    const [room, identity] = [`start-${index}`, 'avatar'];
    const token = roomToken(livekit.env, {
      sub: identity,
      kind: 'agent',
      video: { roomJoin: true, room },
      attributes: { 'lk.publish_on_behalf': 'agent' },
    });
    const began = performance.now();
    const { sessionId } = await service.api<{ sessionId: string }>('POST', '/v1/engine/session', {
      personaConfig: { avatarId },
      environment: { livekitUrl: livekit.url, livekitToken: token },
      sessionOptions: { videoWidth: 640, videoHeight: 360 },
    });
    while (
      (await publishedTracks(livekit.env, room, identity)) !== 2 &&
      performance.now() - began < PUBLISHES_WITHIN_MS
    )
      await pause(20);
    const ms = performance.now() - began;
    if (ms < PUBLISHES_WITHIN_MS) took.push(ms);
    else failed += 1;
    sessions.push(sessionId);
    // Eight at a time stay.
    if (sessions.length > 8) await service.api('POST', `/v1/sessions/${sessions.shift()}/stop`);
  }
  const lost = service.output().match(/the way to a LiveKit room is lost/g)?.length ?? 0;
  console.log(`${count} starts, ${failed} without media, ${lost} that had to try again; load ${load()}`);
  printTable(['from the request to both tracks, ms', 'p50', 'p95', 'max'], [row('Parley', took)]);
}

async function converse(avatar: Avatar, room: string, into: Figures): Promise<void> {
  const program = await join(avatar, room);
  try {
    await pause(SETTLE_MS);
    await measure(program, avatar, into);
    program.command('quit');
    await program.next('agent gone');
  } finally {
    await program.close();
  }
}

/** An agent, and a user who sees and hears its avatar if it `isWatched`. */
async function join(avatar: Avatar, room: string, isWatched = true): Promise<RoomProgram> {
  const size = { VIDEO_WIDTH: '640', VIDEO_HEIGHT: '360' };
  const env = { ...livekit.env, ...avatar.env, ...size, ROOM: room, SENSES: isWatched ? 'all' : 'none' };
  const program = await runInRoom(tools!, 'room.mjs', env);
  try {
    await program.next('ready');
    if (isWatched) await program.next('seen');
    return program;
  } catch (error) {
    await program.close();
    throw error;
  }
}

async function measure(program: RoomProgram, avatar: Avatar, into: Figures): Promise<void> {
  const cores = watchProcessors(new Map([['avatar', avatar.pid]]));
  // Frames count from here on.
  program.command('count');
  await program.next('count');
  for (let turn = 0; turn < Number(args.turns); turn += 1) {
    program.command('say 1000');
    into.inOut.push(await between(program, 'captured', 'loud'));
    await program.next('said');
    await program.next('quiet');
    await pause(BETWEEN_TURNS_MS);
  }
  for (let cut = 0; cut < Number(args.cuts); cut += 1) {
    program.command('cut 10000 1500');
    into.inOut.push(await between(program, 'captured', 'loud'));
    into.silence.push(await between(program, 'cut', 'quiet'));
    await program.next('said');
    await pause(BETWEEN_TURNS_MS);
  }
  into.cores.push(cores().get('avatar')!);
  program.command('count');
  const { perSecond } = await program.next('count');
  into.perSecond.push(Number(perSecond));
}

/** On a busy machine speech has gaps, so more may have been heard and missed before. */
async function between(program: RoomProgram, first: string, second: string): Promise<number> {
  const from: RoomEvent = await program.next(first);
  for (;;) {
    const event = await program.next(second);
    if (event.at >= from.at) return event.at - from.at;
  }
}

async function rtcNodeAvatar(): Promise<{ avatar: Avatar; close(): Promise<void> }> {
  const port = await freePort();
  const copy = path.join(tools!.project, `${process.pid}-rtc-node-avatar.mjs`);
  await cp(new URL('livekit/rtc-node-avatar.mjs', import.meta.url).pathname, copy);
  const child = spawn(process.execPath, [copy], {
    env: { ...process.env, AVATAR_PORT: String(port) },
    stdio: 'ignore',
  });
  const env = { AVATAR_URL: `http://127.0.0.1:${port}`, AVATAR_KEY: 'none', AVATAR_ID: avatarId };
  await pause(1_000);
  return {
    avatar: { name: '@livekit/rtc-node', pid: child.pid!, env },
    async close() {
      child.kill('SIGKILL');
      await rm(copy);
    },
  };
}

function none(): Figures {
  return { inOut: [], silence: [], perSecond: [], cores: [] };
}

function print(figures: readonly (readonly [Avatar, Figures])[]): void {
  console.log(`LiveKit server 1.13.5, 640×360, load ${load()}`);
  printTable(
    ['in → out, ms', 'p50', 'p95', 'max'],
    figures.map(([{ name }, { inOut }]) => row(name, inOut)),
  );
  printTable(
    ['interruption → silence, ms', 'p50', 'p95', 'max'],
    figures.map(([{ name }, { silence }]) => row(name, silence)),
  );
  printTable(
    ['', 'frames/s, least', 'cores of its process'],
    figures.map(([{ name }, { perSecond, cores }]) => [name, Math.min(...perSecond), quantile(cores, 0.5)]),
  );
}

function row(name: string, values: readonly number[]): (string | number)[] {
  return [`${name} (${values.length})`, quantile(values, 0.5), quantile(values, 0.95), Math.max(...values)];
}

function load(): string {
  return loadavg()[0]!.toFixed(1);
}
