import type { Launch } from './link.ts';
import { endThread, startThread } from './critical-section.ts';

/** A module in a thread of its own. @param entry reads `workerData` and sends through `parentPort`. */
export function inThread<In, Out>(
  entry: URL,
  options: { readonly name: string; readonly workerData?: unknown; readonly execArgv?: readonly string[] },
): Launch<In, Out> {
  return ({ message, ended }) => {
    const { name, workerData, execArgv = [] } = options;
    const worker = startThread(entry, { name, workerData, execArgv: [...execArgv] });
    let thrown: Error | null = null;
    worker.on('message', message);
    worker.on('messageerror', (error) => {
      thrown ??= error;
      endThread(worker);
    });
    worker.on('error', (error) => (thrown ??= error instanceof Error ? error : new Error(String(error))));
    worker.once('exit', (code) => ended({ how: thrown?.message ?? `exit ${code}`, error: thrown }));
    return {
      post: (content, transfer) => worker.postMessage(content, transfer),
      kill: () => endThread(worker),
    };
  };
}
