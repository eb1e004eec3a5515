/**
 * Whether events disturb conversations: calls go on in the real service, first without events, then while so many a minute
 * are written to its outbox and sent to a receiver in this process. Prints how late frames of sound come in both, how
 * many events arrived, how often, and how soon. Exits with 1 if one is missing or came twice.
 *
 *   node bench/webhook-events.ts [--calls 10] [--perMinute 10000] [--seconds 60]
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openStore } from '../control/store/open.ts';
import { engineNow } from '../runtime/clock.ts';
import { ArrivalLateness } from './lib/arrival-lateness.ts';
import { callApi } from './lib/call-api.ts';
import { openHeadlessConversation } from './lib/headless-conversation.ts';
import { startServiceProcess } from './lib/service-process.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '10' },
    perMinute: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '60' },
  },
});
const [calls, perMinute, seconds] = [Number(args.calls), Number(args.perMinute), Number(args.seconds)];

/** Events come as in a service: some with every tick. */
const TICK_MS = 100;
/** What waits then is sent within this time, or is missing. */
const REST_MS = 30_000;

const arrived = new Map<string, number>();
const soon: number[] = [];
let twice = 0;
const receiver = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const id = String(request.headers['webhook-id']);
    twice += arrived.has(id) ? 1 : 0;
    arrived.set(id, Date.now());
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const { port } = receiver.address() as AddressInfo;

const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-events-'));
const service = await startServiceProcess(
  { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1', PARLEY_MAX_SESSIONS: String(calls) },
  dataDir,
);
const store = await openStore({ dataDir, schema: 'as it is' });
const sound = new ArrivalLateness('audio');

/** Writes a span's events, as the transactions of sessions would. @returns when each was written. */
async function write(webhookId: string): Promise<ReadonlyMap<string, number>> {
  const written = new Map<string, number>();
  const began = Date.now();
  const total = Math.round((perMinute * seconds) / 60);
  while (written.size < total) {
    const due = Math.min(total, Math.ceil(((Date.now() - began) / 1_000) * (perMinute / 60)));
    const at = new Date().toISOString();
    const rows = Array.from({ length: due - written.size }, (_, index) => `evt_bench${written.size + index}`);
    for (const id of rows) written.set(id, Date.now());
    if (rows.length > 0)
      await store.db
        .insertInto('webhook_deliveries')
        .values(
          rows.map((id) => ({
            webhook_id: webhookId,
            event_id: id,
            event_type: 'session.ended',
            session_id: id,
            persona_id: null,
            data_json: JSON.stringify({ endTime: at, exitStatus: 'NORMAL_EXIT', endReason: 'client_disconnected' }),
            status: 'pending' as const,
            attempts: 0,
            due_at: at,
            give_up_at: new Date(Date.now() + 3_600_000).toISOString(),
            last_attempt_at: null,
            last_status: null,
            last_problem: null,
            last_duration_ms: null,
            created_at: at,
          })),
        )
        .execute();
    await pause(TICK_MS);
  }
  return written;
}

try {
  const { id } = await callApi<{ id: string }>(service, 'POST', '/v1/webhooks', {
    url: `http://127.0.0.1:${port}/`,
    eventTypes: ['session.ended'],
  });
  const conversations = await Promise.all(
    Array.from({ length: calls }, () => {
      const frame = sound.stream();
      return openHeadlessConversation(service, {}, { onAudio: (packet) => frame(packet.timestamp, packet.arrivedAt) });
    }),
  );
  const talk = (over: AbortSignal) =>
    Promise.all(
      conversations.map(async (conversation) => {
        while (!over.aborted) {
          conversation.say('Tell me the hours.');
          await pause(5_000);
        }
      }),
    );
  const spans: (readonly [string, number, number])[] = [];
  async function span(name: string, work: Promise<unknown>): Promise<void> {
    const from = engineNow();
    await work;
    spans.push([name, from, engineNow()]);
  }
  const over = new AbortController();
  const talking = talk(over.signal);
  await pause(15_000);
  await span('without events', pause(seconds * 1_000));
  const writing = write(id);
  await span(`${perMinute} events a minute`, writing);
  const written = await writing;
  const until = Date.now() + REST_MS;
  while (arrived.size < written.size && Date.now() < until) await pause(100);
  over.abort();
  await talking;
  for (const conversation of conversations) conversation.close();

  for (const [event, at] of written) if (arrived.has(event)) soon.push(arrived.get(event)! - at);
  const rows = spans.map(([name, from, to]) => {
    const { frames, p50, p99, max, missed } = sound.between(from, to);
    return [name, frames, p50, p99, max, missed] as const;
  });
  printTable(['sound, ms late', 'frames', 'p50', 'p99', 'max', 'missed'], rows);
  console.log(
    `${arrived.size} of ${written.size} events arrived, ${twice} twice; after p50 ${quantile(soon, 0.5).toFixed(0)} ms, ` +
      `p99 ${quantile(soon, 0.99).toFixed(0)} ms`,
  );
  if (arrived.size < written.size || twice > 0) process.exitCode = 1;
} finally {
  await store.close();
  await service.stop();
  receiver.close();
  await rm(dataDir, { recursive: true, force: true });
}
