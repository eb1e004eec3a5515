import type { Socket } from 'node:net';
import { forkedProcess } from '../../../runtime/forked-process.ts';
import { environmentOf, type ProcessShare } from '../../../runtime/process-share.ts';
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
 * Starts engine processes, each with its share of the machine. The last that one had to say is a part of the journals of
 * its sessions.
 * @param entry the module that they run. @param environment of the processes.
 */
export function engineLauncher(
  entry: URL,
  environment: Readonly<Record<string, string | undefined>>,
): (share: ProcessShare) => LaunchEngine {
  return (share) => forkedProcess<ToEngine, FromEngine>(entry, { ...environment, ...environmentOf(share) });
}
