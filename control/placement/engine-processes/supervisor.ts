import type { Socket } from 'node:net';
import type { FromEngineOfPort, PortOwner, ToEngineOfPort } from '../../../engine/index.ts';
import { systemTimers } from '../../../runtime/clock.ts';
import { answerCall, RemoteCalls, type RemoteFunctions } from '../../../runtime/remote-calls.ts';
import type { SupervisorFunctions } from './engine-process.ts';
import type { EngineBeginning, EngineState, FromEngine, ToEngine } from './messages.ts';

/** A call is answered within a millisecond. A supervisor that is this late has stopped for some reason, ms. */
const ANSWER_MS = 5_000;

/** The process that supervises this one, as an engine process sees it. */
export interface Supervisor {
  readonly beginning: EngineBeginning;
  readonly ports: PortOwner;
  /** @throws RemoteCallError */
  call<Name extends keyof SupervisorFunctions & string>(
    name: Name,
    ...args: Parameters<SupervisorFunctions[Name]>
  ): ReturnType<SupervisorFunctions[Name]>;
  /** Never throws. */
  tell(message: FromEngine): void;
  /** Resolves when all that was told has left this process. Never rejects. */
  sent(): Promise<void>;
  /** What this process does for the supervisor. */
  serve(functions: RemoteFunctions): void;
  tellState(state: EngineState): void;
}

/**
 * Waits for the supervisor to say what this process is.
 * @param stop called once, when it is asked to end, or the supervisor is gone: an engine alone is of no use.
 */
export function connectToSupervisor(stop: (why: 'asked' | 'alone') => void): Promise<Supervisor> {
  const { promise, resolve } = Promise.withResolvers<Supervisor>();
  let functions: RemoteFunctions = {};
  let ofPort: (message: ToEngineOfPort, socket: Socket | undefined) => void = (_message, socket) => socket?.destroy();
  let last: Promise<void> = Promise.resolve();
  const tell = (message: FromEngine): void => {
    if (!process.connected) return;
    // The callback keeps a broken channel from becoming an error of this process; `disconnect` reports its end.
    last = new Promise((done) => process.send!(message, undefined, {}, () => done()));
  };
  const calls = new RemoteCalls<SupervisorFunctions>(tell, systemTimers);
  const ports = (beginning: EngineBeginning): PortOwner => ({
    udpPort: beginning.udpPort,
    tcpPort: beginning.tcpPort,
    tell: (message: FromEngineOfPort) => tell(message),
    listen: (listener) => (ofPort = listener),
  });
  process.on('message', (message: ToEngine, socket: unknown) => {
    switch (message.kind) {
      case 'begin':
        return resolve({
          beginning: message.beginning,
          ports: ports(message.beginning),
          call: (name, ...args) => calls.call(name, ANSWER_MS, ...args),
          tell,
          sent: () => last,
          serve: (served) => void (functions = served),
          tellState: (state) => tell({ kind: 'state', state }),
        });
      case 'stop':
        return stop('asked');
      case 'call':
        return void answerCall(functions, message).then(tell);
      case 'answer':
        return calls.answered(message);
      default:
        return ofPort(message, socket as Socket | undefined);
    }
  });
  process.once('disconnect', () => {
    calls.end('the supervisor is gone');
    stop('alone');
  });
  return promise;
}
