import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ServiceAddress } from '../lib/call-api.ts';
import type { FromCallers, Heard, ToCallers } from './messages.ts';

/** All callers of a run, spread over processes: one thread receives the media of some 30 of them. */
export class Crowd {
  readonly #processes: readonly ChildProcess[];

  constructor(processes: number) {
    const entry = fileURLToPath(new URL('callers.ts', import.meta.url));
    this.#processes = Array.from({ length: processes }, () => fork(entry, { serialization: 'advanced' }));
  }

  get pids(): readonly number[] {
    return this.#processes.flatMap(({ pid }) => pid ?? []);
  }

  /** @param everyMs between two who come. @returns how many were taken, and what the others were told. */
  async call(service: ServiceAddress, people: number, everyMs: number): Promise<{ taken: number; refusals: string[] }> {
    const count = this.#processes.length;
    const { url, apiKey } = service;
    const answers = await Promise.all(
      this.#processes.map((process, index) =>
        ask(
          process,
          {
            type: 'call',
            service: { url, apiKey },
            people: Math.floor((people + count - 1 - index) / count),
            everyMs: everyMs * count,
          },
          'called',
        ),
      ),
    );
    return {
      taken: answers.reduce((sum, { taken }) => sum + taken, 0),
      refusals: answers.flatMap(({ refusals }) => refusals),
    };
  }

  /** What all have heard since then. */
  async heard(since: number): Promise<Heard> {
    const parts = await Promise.all(
      this.#processes.map((process) => ask(process, { type: 'report', since }, 'reported')),
    );
    const framesOf = (kind: 'audio' | 'video') => ({
      late: parts.flatMap(({ frames }) => frames[kind].late),
      missed: parts.reduce((sum, { frames }) => sum + frames[kind].missed, 0),
    });
    return {
      frames: { audio: framesOf('audio'), video: framesOf('video') },
      answers: parts.flatMap(({ answers }) => answers),
      silences: parts.flatMap(({ silences }) => silences),
      dead: parts.reduce((sum, { dead }) => sum + dead, 0),
    };
  }

  async hangUp(): Promise<void> {
    await Promise.all(this.#processes.map((process) => ask(process, { type: 'hang up' }, 'hung up')));
  }

  close(): void {
    for (const process of this.#processes) process.disconnect();
  }
}

function ask<T extends FromCallers['type']>(
  process: ChildProcess,
  message: ToCallers,
  wanted: T,
): Promise<Extract<FromCallers, { type: T }>> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('A process of callers ended.'));
    process.once('exit', ended);
    process.on('message', function take(answer: FromCallers) {
      if (answer.type !== wanted) return;
      process.off('message', take).off('exit', ended);
      resolve(answer as Extract<FromCallers, { type: T }>);
    });
    process.send(message);
  });
}
