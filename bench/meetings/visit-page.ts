import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { WebSocket } from 'ws';

interface RemoteValue {
  readonly objectId?: string;
  readonly value?: unknown;
}

interface Answer {
  readonly id: number;
  readonly result?: { readonly result?: RemoteValue; readonly objects?: RemoteValue };
  readonly error?: { readonly message: string };
}

/** The page that a visit is in, seen from beside it: the visit itself talks with its browser through a pipe. */
export interface VisitPage {
  /** Calls a function of the page's language with all peer connections of the page. @returns plain data. */
  withConnections<T>(source: string): Promise<T>;
  close(): void;
}

/** Writes a program that starts Chromium with a port for `openVisitPage`. */
export async function writeWatchedChromium(path: string, chromium: string, port: number): Promise<string> {
  await writeFile(path, `#!/bin/sh\nexec ${chromium} --remote-debugging-port=${port} "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

/** @param url of the meeting. */
export async function openVisitPage(port: number, url: string): Promise<VisitPage> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    readonly type: string;
    readonly url: string;
    readonly webSocketDebuggerUrl: string;
  }[];
  const found = targets.find((target) => target.type === 'page' && target.url.startsWith(url));
  if (found === undefined) throw new Error('The browser of the visit shows no meeting.');
  const socket = new WebSocket(found.webSocketDebuggerUrl);
  await once(socket, 'open');
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.on('message', (data) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let calls = 0;
  const call = async (method: string, params: object): Promise<NonNullable<Answer['result']>> => {
    calls += 1;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    waiting.set(calls, resolve);
    socket.send(JSON.stringify({ id: calls, method, params }));
    const { result, error } = await promise;
    if (result === undefined) throw new Error(`${method}: ${error?.message}`);
    return result;
  };
  return {
    async withConnections<T>(source: string) {
      const prototype = await call('Runtime.evaluate', { expression: 'RTCPeerConnection.prototype' });
      const { objects } = await call('Runtime.queryObjects', { prototypeObjectId: prototype.result?.objectId });
      const { result } = await call('Runtime.callFunctionOn', {
        objectId: objects?.objectId,
        functionDeclaration: `function () { return (${source})([...this]); }`,
        awaitPromise: true,
        returnByValue: true,
      });
      return result?.value as T;
    },
    close: () => socket.close(),
  };
}
