import { join, resolve } from 'node:path';
import { type Settings, storeProblem } from '../../control/index.ts';
import { StartError } from '../../engine/index.ts';

/**
 * What the person who started the service can do about a failed start.
 * @returns null when the error is not one of the usual ones: then its stack is wanted.
 */
export function startProblem(error: unknown, settings: Settings): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof StartError) return error.message;
  // A damaged page may be met long after the file was opened.
  const file = settings.DATABASE_URL === undefined ? join(resolve(settings.PARLEY_DATA_DIR), 'parley.sqlite') : null;
  return systemProblem(error, settings) ?? storeProblem(error, file)?.message ?? startProblem(error.cause, settings);
}

function systemProblem(error: Error, settings: Settings): string | null {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return null;
  const { kind, port, setting } = portOf(error, settings);
  const isSocket = syscall === 'listen' || syscall === 'bind';
  if (isSocket && code === 'EADDRINUSE')
    return `${kind} port ${port} is in use, perhaps by another Parley. Stop that, or choose another port: ${setting}=${port + 10}`;
  if (isSocket && code === 'EACCES')
    return `${kind} port ${port} may not be used by this user. Choose one above 1023: ${setting}=${setting === 'PORT' ? 8080 : 8081}`;
  if (isSocket && code === 'EADDRNOTAVAIL') return `PARLEY_HOST: this machine has no address ${settings.PARLEY_HOST}.`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `PARLEY_DATA_DIR: the disk of ${settings.PARLEY_DATA_DIR} is full. Make room on it.`;
  if (syscall === 'mkdir' || syscall === 'open')
    return `PARLEY_DATA_DIR: the folder ${settings.PARLEY_DATA_DIR} cannot be used (${message}).`;
  return null;
}

/** Which port an error of a socket is about, and the setting that names it. */
function portOf(error: NodeJS.ErrnoException & { readonly port?: number }, settings: Settings) {
  const { syscall, port = settings.PORT } = error;
  if (syscall !== 'listen') return { kind: 'UDP', port: settings.PARLEY_UDP_PORT, setting: 'PARLEY_UDP_PORT' };
  return { kind: 'TCP', port, setting: port === settings.PORT ? 'PORT' : 'PARLEY_ICE_TCP_PORT' };
}
