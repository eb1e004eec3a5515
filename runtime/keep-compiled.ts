import { flushCompileCache } from 'node:module';

/**
 * Call in a process that has loaded all of its code. Node keeps what it has compiled at a normal exit only, and processes of a
 * service are killed: so each start read the types of all modules away anew, which took 0.1 to 0.3 s and 13 to 18 MB of each.
 */
export function keepCompiled(): void {
  flushCompileCache();
}
