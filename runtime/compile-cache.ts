import { flushCompileCache } from 'node:module';

/**
 * Call it when a process has loaded all of its code. By itself, Node saves compiled code only at a normal exit, and
 * processes of a service are killed. Then each start strips the types of all modules again, which takes 0.1 to 0.3 s
 * and 13 to 18 MB.
 */
export function saveCompileCache(): void {
  flushCompileCache();
}
