import type { Timers } from './clock.ts';

/** Functions of another process. What they are given and answer is cloned. */
// oxlint-disable-next-line typescript/no-explicit-any -- functions of any parameters
export type RemoteFunctions = Readonly<Record<string, (...args: any[]) => Promise<unknown>>>;

export interface CallMessage {
  readonly kind: 'call';
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}
export type AnswerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly error: string };

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly timer: unknown;
}

/** The other process did not do what it was called for, or is gone. */
export class RemoteCallError extends Error {
  override readonly name = 'RemoteCallError';
}

/** Calls functions of another process. */
export class RemoteCalls<Functions extends RemoteFunctions> {
  readonly #send: (message: CallMessage) => void;
  readonly #timers: Timers;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #over: RemoteCallError | null = null;

  /** @param send never throws. */
  constructor(send: (message: CallMessage) => void, timers: Timers) {
    this.#send = send;
    this.#timers = timers;
  }

  /** @param withinMs how long the answer may take. @throws RemoteCallError */
  call<Name extends keyof Functions & string>(
    name: Name,
    withinMs: number,
    ...args: Parameters<Functions[Name]>
  ): ReturnType<Functions[Name]> {
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    if (this.#over !== null) reject(this.#over);
    else {
      const id = this.#nextId++;
      const timer = this.#timers.setTimeout(() => {
        this.#waiting.delete(id);
        reject(new RemoteCallError(`${name} was not answered in time`));
      }, withinMs);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#send({ kind: 'call', id, name, args });
    }
    return promise as unknown as ReturnType<Functions[Name]>;
  }

  answered(message: AnswerMessage): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    this.#timers.clearTimeout(waiting.timer);
    if ('error' in message) waiting.reject(new RemoteCallError(message.error));
    else waiting.resolve(message.value as never);
  }

  /** The other process is gone. */
  end(why: string): void {
    this.#over = new RemoteCallError(why);
    for (const { reject, timer } of this.#waiting.values()) {
      this.#timers.clearTimeout(timer);
      reject(this.#over);
    }
    this.#waiting.clear();
  }
}

/** Does what another process calls for. Never rejects. */
export async function answerCall(functions: RemoteFunctions, { id, name, args }: CallMessage): Promise<AnswerMessage> {
  try {
    const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (called === undefined) throw new Error(`there is no ${name}`);
    return { kind: 'answer', id, value: await called(...args) };
  } catch (error) {
    return { kind: 'answer', id, error: error instanceof Error ? error.message : String(error) };
  }
}
