import type { Settings } from '../../control/index.ts';

/**
 * What the person who started the service can do about a failed start.
 * @returns null when the error is not one of the usual ones: then its stack is wanted.
 */
export function startProblem(error: unknown, settings: Settings): string | null {
  if (!(error instanceof Error) || !('code' in error)) return error instanceof Error && error.cause !== undefined ? startProblem(error.cause, settings) : null;
  const { code, message } = error;
  const syscall = 'syscall' in error ? error.syscall : null;
  const [kind, port, setting] = syscall === 'listen' ? ['TCP', settings.PORT, 'PORT'] : ['UDP', settings.PARLEY_UDP_PORT, 'PARLEY_UDP_PORT'];
  const isSocket = syscall === 'listen' || syscall === 'bind';
  if (isSocket && code === 'EADDRINUSE') return `${kind} port ${port} is in use, perhaps by another Parley. Stop that, or choose another port: ${setting}=${port + 10}`;
  if (isSocket && code === 'EACCES') return `${kind} port ${port} may not be used by this user. Choose one above 1023: ${setting}=${setting === 'PORT' ? 8080 : 8081}`;
  if (isSocket && code === 'EADDRNOTAVAIL') return `PARLEY_HOST: this machine has no address ${settings.PARLEY_HOST}.`;
  if (syscall === 'connect' && settings.DATABASE_URL !== undefined) return `DATABASE_URL: the database does not answer (${message}).`;
  if (syscall === 'mkdir' || syscall === 'open') return `PARLEY_DATA_DIR: the folder ${settings.PARLEY_DATA_DIR} cannot be used (${message}).`;
  return null;
}
