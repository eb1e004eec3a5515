import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Habits, Reply, Served } from './served.ts';

export interface RunningServer {
  readonly url: string;
  /** Requests so far, and how many of them were refused. */
  readonly counts: { asked: number; refused: number };
  close(): void;
}

/** Starts a server with these habits on a free port of this machine. */
export async function serve(habits: Habits): Promise<RunningServer> {
  const counts = { asked: 0, refused: 0 };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += String(piece);
    counts.asked += 1;
    const body = JSON.parse(text) as Record<string, unknown>;
    const served: Served = { body, headers: request.headers, number: counts.asked };
    const refusal = habits.refuse(served);
    if (refusal !== null) {
      counts.refused += 1;
      response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(JSON.stringify(refusal.body));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(habits.write(replyOf(habits, served), served));
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The model behind each server: it calls tools when it is asked for what they know, and otherwise repeats what it read. */
function replyOf(habits: Habits, served: Served): Reply {
  const words = habits.lastWords(served);
  const results = habits.results(served);
  const offered = habits.tools(served);
  const city = /in (\w+)\?/.exec(words)?.[1] ?? 'Rome';
  const wanted = /Weather and time in \w+\?$/.test(words)
    ? ['get_weather', 'get_time']
    : words.endsWith('in the shop?')
      ? ['Shop_list_items']
      : [];
  if (results.length === 0 && wanted.length > 0 && wanted.every((name) => offered.includes(name)))
    return { kind: 'calls', calls: wanted.map((name) => ({ name, args: name.startsWith('get') ? { city } : {} })) };
  return { kind: 'text', text: `I read: ${words} ${results.join(' ')} That is all.` };
}
