import { forkedProcess } from '../forked-process.ts';

/** Starts a child that hangs, and writes its process id once it does. */
const child = forkedProcess<never, string>(new URL('stuck-child.ts', import.meta.url))({
  message: () => process.stdout.write(`${child.pid}\n`),
  ended: () => {},
});
