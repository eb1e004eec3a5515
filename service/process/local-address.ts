import { readFileSync } from 'node:fs';
import { reachedAt } from '../../control/http/local-url.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** As in `control/settings/settings.ts`, which takes too long to load for a check every few seconds. */
const HOST = '127.0.0.1';
const PORT = '8080';

/** @param environment of a service. @returns where this machine reaches it, without a trailing slash. */
export function localAddress(environment: Environment): string {
  return reachedAt(environment['PARLEY_HOST'] || HOST, environment['PORT'] || PORT);
}

/**
 * The same for a service that runs. It may be another user's, or have chosen its port by itself: then the environment of
 * this process says where it is.
 */
export function localAddressOf(pid: number, own: Environment, environmentOf = readEnvironment): string {
  const its = environmentOf(pid);
  if (its === null) return localAddress(own);
  return localAddress(its['PORT'] === '0' ? { ...its, PORT: own['PORT'] } : its);
}

/** @returns null where that is not known. */
function readEnvironment(pid: number): Environment | null {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return Object.fromEntries(variables.map((variable) => [variable.split('=')[0]!, variable.replace(/^[^=]*=/, '')]));
  } catch {
    return null;
  }
}
