import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scheduleCores } from './core-scheduler.ts';

describe('the two cores of a machine', () => {
  let folder: string;
  let lender: Awaited<ReturnType<typeof scheduleCores>>;
  let busy: number;
  let others: number;
  let now: number;
  const files: Socket[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-lend-cores-'));
    [busy, others, now] = [0, 0, 0];
    const lent = { cores: 2, busy: () => busy, others: () => others, now: () => now };
    lender = await scheduleCores(join(folder, 'socket'), lent);
  });
  afterEach(async () => {
    for (const file of files.splice(0)) file.destroy();
    lender.server.close();
    await rm(folder, { recursive: true });
  });

  /** A file that asks. Its questions arrive in the order of the calls. */
  async function ask(cores: number, startsService = false) {
    const socket = connect(join(folder, 'socket'));
    files.push(socket);
    const got = once(socket, 'data');
    const file = { has: false, got, end: () => socket.destroy() };
    void got.then(() => (file.has = true));
    await once(socket, 'connect');
    socket.write(JSON.stringify({ cores, startsService }));
    return file;
  }

  it('are lent to the first that fits, and again when a file ends', async () => {
    const recognizer = await ask(1.5);
    await recognizer.got;
    const meeting = await ask(1);
    const pauses = await ask(0.5);
    await pauses.got;
    expect(meeting.has).toBe(false);
    recognizer.end();
    await meeting.got;
  });

  it('are lent to a file that needs more when nobody else has any', async () => {
    const first = await ask(0.1);
    await first.got;
    const cluster = await ask(3);
    const small = await ask(0.1);
    await small.got;
    expect(cluster.has).toBe(false);
    first.end();
    small.end();
    await cluster.got;
  });

  it('are not lent while other programs use them, but to one', async () => {
    busy = 0.9;
    const first = await ask(0.5);
    await first.got;
    const second = await ask(0.5);
    const third = await ask(0.5);
    first.end();
    await second.got;
    expect(third.has).toBe(false);
    busy = 0.5;
    lender.serve();
    await third.got;
  });

  it('are less where another program takes half of one: who needs most of the machine runs without others', async () => {
    others = 0.6;
    const small = await ask(0.5);
    await small.got;
    const meeting = await ask(1.5);
    const other = await ask(0.5);
    await other.got;
    small.end();
    lender.serve();
    expect(meeting.has).toBe(false);
    other.end();
    await meeting.got;
  });

  it('are not lent in the seconds in which a service starts, unless the rest of the machine is idle', async () => {
    busy = 0.3;
    const first = await ask(0.5, true);
    await first.got;
    const second = await ask(0.5, true);
    await second.got;
    const third = await ask(0.5);
    now = 2_000;
    lender.serve();
    expect(third.has).toBe(false);
    now = 4_000;
    lender.serve();
    await third.got;
  });
});
