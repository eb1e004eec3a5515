/** The process that is measured: the real engine, on its core. The clients are in another process. */
import { engineNow } from '../../runtime/clock.ts';
import type { Transport } from '../../engine/ports.ts';
import { createFakeLlm, fakeRecognizer } from '../../models/fakes/index.ts';
import { startBenchEngine } from '../lib/bench-engine.ts';
import { benchSession } from '../lib/bench-session.ts';
import { watchEventLoop } from '../lib/event-loop.ts';
import { spread } from '../lib/statistics.ts';
import { watchThreads } from '../lib/thread-use.ts';
import type { FromEngineProcess, ProcessSetup, Report, ToEngineProcess } from './messages.ts';
import { PREPARING_THREAD, prepareElsewhere } from './prepare-elsewhere.ts';

const setup = JSON.parse(process.argv[2] ?? '{}') as ProcessSetup;
const send = (message: FromEngineProcess): void => void process.send?.(message);

let lateness: number[] = [];
const watched = (transport: Transport): Transport => ({
  ...transport,
  open(sessionId, handlers) {
    const connection = transport.open(sessionId, handlers);
    const sendVideo = connection.sendVideo.bind(connection);
    connection.sendVideo = (frame) => {
      lateness.push(engineNow() - frame.at);
      sendVideo(frame);
    };
    return connection;
  },
});

const bench = await startBenchEngine({
  recognizer: fakeRecognizer({ utterances: [] }),
  synthesizer: { phonemes: true, wordMs: 240, gapMs: 40 },
  capacity: 500,
  videoWorkers: 1,
  avatarCache: setup.avatarCache,
  size: setup,
  wrapTransport: watched,
});

prepareElsewhere(setup.otherCores);

/** About 25 s of speech, in a loop. */
const SPEECH = 'These are the words that a persona says while somebody listens. '.repeat(8);
const SPEECH_MS = 24_000;

async function open(sessions: number, talkative: boolean): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < sessions; i++) {
    const config = benchSession({
      avatar: { avatarId: 'bench', model: 'cara-3', engineKey: bench.engineKey },
      videoWidth: setup.width,
      videoHeight: setup.height,
    });
    await bench.engine.createSession(config, {
      llm: createFakeLlm({ answers: () => [] }),
      knowledge: { search: async () => [] },
    });
    ids.push(config.sessionId);
    if (!talkative) continue;
    // Speakers are not in step with each other.
    const talk = (): void => void bench.engine.talk(config.sessionId, SPEECH);
    setTimeout(talk, 1_500 + ((i * 137) % 1_000));
    setInterval(talk, SPEECH_MS);
  }
  return ids;
}

let began = { at: 0, threads: watchThreads(), skipped: 0 };
let loop = watchEventLoop();
const skipped = (): number => bench.videoStats().reduce((sum, stats) => sum + stats.skipped, 0);

function measure(): void {
  lateness = [];
  loop.stop();
  loop = watchEventLoop();
  began = { at: engineNow(), threads: watchThreads(), skipped: skipped() };
}

function report(): Report {
  const seconds = (engineNow() - began.at) / 1000;
  const late = lateness.length === 0 ? null : spread(lateness);
  const threads = began
    .threads()
    .map(({ name, cpuMs }) => [name, cpuMs / seconds] as const)
    .filter(([name, ms]) => ms >= 1 && name !== PREPARING_THREAD);
  const stats = bench.videoStats();
  return {
    seconds,
    latenessP50: late?.p50 ?? null,
    latenessP99: late?.p99 ?? null,
    frames: lateness.length,
    skipped: skipped() - began.skipped,
    live: stats.reduce((sum, { live }) => sum + live, 0),
    sessions: stats.reduce((sum, { sessions }) => sum + sessions, 0),
    threads,
    eventLoopP99: loop.stop().p99,
  };
}

process.on('message', (message: ToEngineProcess) => {
  switch (message.type) {
    case 'open':
      return void open(message.sessions, message.talkative).then((sessionIds) => send({ type: 'opened', sessionIds }));
    case 'measure':
      return measure();
    case 'report':
      return send({ type: 'report', report: report() });
  }
});
// The workers end first: if the process exits while one of them is inside the media library, it aborts.
process.on('disconnect', () => void bench.close().then(() => process.exit(0)));
send({ type: 'ready', url: bench.url });
