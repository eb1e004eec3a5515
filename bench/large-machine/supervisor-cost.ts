import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EngineRegistryInMemory } from '../../control/placement/engine-registry-in-memory.ts';
import { JournalsInMemory } from '../../control/placement/engine-processes/journals-in-memory.ts';
import type { FromEngine, ToEngine } from '../../control/placement/engine-processes/messages.ts';
import { engineNow } from '../../runtime/clock.ts';
import { answerCall } from '../../runtime/remote-calls.ts';
import type { Wanted } from './engine-stand-in.ts';

/** CPU time of the supervisor's process, µs each. */
export interface SupervisorCost {
  /** A line of a journal that an engine process sends. */
  readonly journalLine: number;
  /** A call of an engine process, with its answer. */
  readonly call: number;
  /** A packet of a client that is passed on to an engine process. Reading it from the network is not part of it. */
  readonly packet: number;
  /** A file of /proc that an engine reads when it looks at the machine. */
  readonly procFile: number;
}

const COUNT = 5_000;
/** Enough for the compiler, not counted. */
const WARM_UP = 1_500;
/** Of a check with its attributes. */
const CHECK = Buffer.alloc(120);

/** Measures with one engine process that is a stand-in, over the same channel and with the same parts as the service. */
export async function measureSupervisor(): Promise<SupervisorCost> {
  const registry = new EngineRegistryInMemory(engineNow);
  const journals = new JournalsInMemory();
  const child = fork(fileURLToPath(new URL('engine-stand-in.ts', import.meta.url)), [], { serialization: 'advanced' });
  const functions = { 'registry.renew': registry.renew.bind(registry) };
  let ready = (): void => {};
  child.on('message', (message: FromEngine) => {
    if (message.kind === 'journal') journals.add(1, message.addition, engineNow());
    else if (message.kind === 'call') void answerCall(functions, message).then((answer) => child.send(answer));
    else ready();
  });
  const served = (kind: Wanted['kind'], count: number): Promise<void> =>
    new Promise((done) => {
      ready = done;
      child.send({ kind, count } satisfies Wanted);
    });
  const forwarded = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) await sendCheck(child);
  };
  try {
    return {
      journalLine: await cpuOf((count) => served('journal', count)),
      call: await cpuOf((count) => served('calls', count)),
      packet: await cpuOf(forwarded),
      procFile: await cpuOf(readProcFiles),
    };
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

function sendCheck(child: ChildProcess): Promise<void> {
  const from = { protocol: 'udp', ip: '192.0.2.1', port: 50_000, family: 4, local: '192.0.2.2' } as const;
  return new Promise((done) =>
    child.send({ kind: 'port.packet', packet: CHECK, from } satisfies ToEngine, () => done()),
  );
}

async function readProcFiles(count: number): Promise<void> {
  const threads = await readdir('/proc/self/task');
  for (let n = 0; n < count; n += threads.length)
    await Promise.all(threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, 'utf8')));
}

/** @returns µs of this process for each. */
async function cpuOf(run: (count: number) => Promise<void>): Promise<number> {
  await run(WARM_UP);
  const before = process.cpuUsage();
  await run(COUNT);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / COUNT;
}
