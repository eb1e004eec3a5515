import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it, type ExpectStatic } from 'vitest';
import { WebSocketServer } from 'ws';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../testing/postgres.ts';
import { startKillable, type KillableService } from '../../testing/start-killable.ts';
import { STOCK } from '../../testing/stock.ts';

const INVITES = 10;
/** From the first join to the last: longer than the service needs to start twice. */
const JOINS_MS = 20_000;
/** The meeting lets nobody in before. */
const LOBBY_MS = 500;

interface Visit {
  readonly inviteId: string;
  sessionId: string | null;
  over: boolean;
}

/** A meeting that knows who is in it, and who was. */
class Meeting {
  readonly visits: Visit[] = [];
  /** Invites that were there more than once at the same time. */
  readonly doubled: string[] = [];
  readonly #server = new WebSocketServer({ host: '127.0.0.1', port: 0 });

  constructor() {
    this.#server.on('connection', (socket, request) => {
      const inviteId = new URL(request.url ?? '', 'ws://x').searchParams.get('invite')!;
      if (this.present(inviteId).length > 0) this.doubled.push(inviteId);
      const visit: Visit = { inviteId, sessionId: null, over: false };
      this.visits.push(visit);
      const lobby = setTimeout(() => socket.send('you are in'), LOBBY_MS);
      socket.on('message', (data) => (visit.sessionId = String(data)));
      socket.on('error', () => {});
      socket.on('close', () => {
        clearTimeout(lobby);
        visit.over = true;
      });
    });
  }

  async open(): Promise<void> {
    if (this.#server.address() === null) await once(this.#server, 'listening');
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  present(inviteId: string): Visit[] {
    return this.visits.filter((visit) => visit.inviteId === inviteId && !visit.over);
  }

  close(): void {
    for (const socket of this.#server.clients) socket.terminate();
    this.#server.close();
  }
}

interface Service extends KillableService {
  send(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
}

async function start(meeting: Meeting, ...place: readonly string[]): Promise<Service> {
  const service = await startKillable('killable-meetings.ts', [meeting.url, ...place]);
  return {
    ...service,
    async send(method, path, body) {
      const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
      const answer = await fetch(service.url + path, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as Record<string, unknown>;
    },
  };
}

/** @param place the data directory, and the URL of a database. */
async function checkAllAreJoinedOnce(expect: ExpectStatic, ...place: readonly string[]): Promise<void> {
  const meeting = new Meeting();
  await meeting.open();
  let service = await start(meeting, ...place);
  try {
    const ids: string[] = [];
    // The last one first: on a busy machine, a service that was just started takes seconds to answer.
    for (let i = INVITES - 1; i >= 0; i -= 1) {
      const made = await service.send('POST', '/v1/meetings/invites', {
        meetingUrl: `https://meet.example.com/room-${i}`,
        personaConfig: { avatarId: STOCK.avatar },
        joinAt: new Date(Date.now() + 2_000 + (i * JOINS_MS) / (INVITES - 1)).toISOString(),
      });
      ids.push(made['id'] as string);
    }
    const inside = () => meeting.visits.filter(({ sessionId, over }) => sessionId !== null && !over).length;
    const onTheWay = () => meeting.visits.filter(({ sessionId, over }) => sessionId === null && !over).length;
    // It is killed while all wait for their time, while some are inside, and while some are on their way.
    let torn = 0;
    for (const isTime of [() => true, () => inside() >= 2, () => onTheWay() >= 1]) {
      await expect.poll(isTime, { interval: 20 }).toBe(true);
      await service.kill();
      await expect.poll(() => meeting.visits.every(({ over }) => over)).toBe(true);
      torn = meeting.visits.length;
      service = await start(meeting, ...place);
    }

    const invites = () => Promise.all(ids.map((id) => service.send('GET', `/v1/meetings/invites/${id}`)));
    await expect
      .poll(async () => (await invites()).map(({ status }) => status), { interval: 200 })
      .toEqual(ids.map(() => 'active'));
    for (const { id, sessionId } of await invites()) {
      // The session that the invite names is the one that is in the meeting.
      expect(meeting.present(id as string)).toEqual([{ inviteId: id, sessionId, over: false }]);
    }
    expect(meeting.doubled).toEqual([]);
    // Since the last kill each came in once, and the earlier ones had brought some in.
    expect(
      meeting.visits
        .slice(torn)
        .map(({ inviteId }) => inviteId)
        .toSorted(),
    ).toEqual(ids.toSorted());
    expect(torn).toBeGreaterThan(2);
    // Of the sessions, those live on whose personas are in the meeting.
    const { active } = await service.send('GET', '/v1/sessions/concurrency');
    expect(active).toBe(INVITES);
  } finally {
    await service.kill();
    meeting.close();
  }
}

describe('scheduled meetings of a service that is killed again and again', () => {
  const folders: string[] = [];
  const folder = (): string => {
    folders.push(mkdtempSync(join(tmpdir(), 'parley-killed-meetings-')));
    return folders.at(-1)!;
  };
  let postgres: TestPostgres | null = null;
  beforeAll(async () => {
    if (postgresPrograms() !== null) postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    for (const path of folders) rmSync(path, { recursive: true, force: true });
  });

  // Both at once: most of the time they wait for a meeting to begin.
  it.concurrent('are all joined, and none twice (SQLite)', { tags: ['nightly'] }, ({ expect }) =>
    checkAllAreJoinedOnce(expect, folder()),
  );
  it.skipIf(postgresPrograms() === null).concurrent('are all joined, and none twice (PostgreSQL)', async ({ expect }) =>
    checkAllAreJoinedOnce(expect, folder(), await postgres!.createDatabase()),
  );
});
