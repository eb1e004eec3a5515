import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EngineSetup, FromEngineProcess, ToEngineProcess } from './messages.ts';

export interface EngineProcess {
  /** Sends one request at a time. */
  ask<T extends FromEngineProcess['type']>(
    message: ToEngineProcess,
    answer: T,
  ): Promise<Extract<FromEngineProcess, { type: T }>>;
  tell(message: ToEngineProcess): void;
  readonly url: string;
  close(): Promise<void>;
}

/** @param died called if the process ends without being asked to. */
export async function startEngineProcess(setup: EngineSetup, died: (how: string) => void): Promise<EngineProcess> {
  const child = fork(fileURLToPath(new URL('engine-process.ts', import.meta.url)), [JSON.stringify(setup)], {
    // JSON has no NaN: the median of no measurements.
    serialization: 'advanced',
  });
  let life: 'running' | 'closing' = 'running';
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      if (life === 'running') died(signal ?? `exit code ${code}`);
      resolve();
    });
  });
  const next = <T extends FromEngineProcess['type']>(answer: T): Promise<Extract<FromEngineProcess, { type: T }>> =>
    new Promise((resolve) => {
      const take = (message: FromEngineProcess): void => {
        if (message.type !== answer) return;
        child.off('message', take);
        resolve(message as Extract<FromEngineProcess, { type: T }>);
      };
      child.on('message', take);
    });
  const { url } = await next('ready');
  return {
    url,
    ask(message, answer) {
      const answered = next(answer);
      child.send(message);
      return answered;
    },
    tell: (message) => void child.send(message),
    async close() {
      life = 'closing';
      child.disconnect();
      await ended;
    },
  };
}
