import type { Socket } from 'node:net';
import { forkedProcess } from '../../../runtime/forked-process.ts';
import type { Link, LinkHandlers } from '../../../runtime/link.ts';
import type { FromEngine, ToEngine } from './messages.ts';

/** The supervisor's end of one engine process. */
export interface EngineLink extends Link<{ readonly kind: 'stop' }> {
  readonly pid: number | null;
  /** Never throws. A process that is gone gets nothing; a socket that it does not get is closed. */
  tell(message: ToEngine, socket?: Socket): void;
}

export type LaunchEngine = (handlers: LinkHandlers<FromEngine>) => EngineLink;

/**
 * Starts an engine process. The last that it had to say is a part of the journals of its sessions.
 * @param entry the module that it runs. @param environment of the process.
 */
export function engineLauncher(entry: URL, environment: Readonly<Record<string, string | undefined>>): LaunchEngine {
  return forkedProcess<ToEngine, FromEngine>(entry, environment);
}
