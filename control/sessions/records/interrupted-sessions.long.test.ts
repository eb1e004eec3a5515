import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { endInterruptedSessions, endLostSessions, endSessions } from './interrupted-sessions.ts';
import { call, turn } from './testing/records.ts';
import { sessionRequests } from '../../api/sessions/testing/session-requests.ts';

const HOUR_MS = 3_600_000;

describeOnBothDatabases('sessions that a crash cut off', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());
  const { start } = sessionRequests(() => service);
  const read = async (id: string) => (await service.send('GET', `/v1/sessions/${id}`)).body;
  const restartAfter = (ms: number) => endInterruptedSessions(service, ['main'], service.clock.now + ms);
  const lengthOf = async (id: string) => {
    const { startTime, endTime } = await read(id);
    return Date.parse(endTime) - Date.parse(startTime);
  };

  it('get their end from the engine of the same name', async () => {
    const { sessionId } = await start();
    expect(await endInterruptedSessions(service, ['another-engine'], service.clock.now)).toBe(0);
    expect((await read(sessionId)).endTime).toBeNull();
    expect(await restartAfter(0)).toBeGreaterThan(0);
    expect(await read(sessionId)).toMatchObject({ exitStatus: 'ERROR', end_reason: 'engine_error' });
  });

  /** A service that was killed in the evening and started in the morning reported, and billed, sessions of nine hours. */
  it('have ended when the last of them was stored, however late the next start is', async () => {
    const message = (at: number) =>
      ({ messageId: `m${at}`, role: 'user', text: 'hi', at, speakingMs: 1, interrupted: false }) as const;
    const cases: readonly [number, (id: string) => unknown][] = [
      [0, () => {}],
      [4000, (id) => service.engine.report(id, { kind: 'message', message: message(4000) })],
      [5050, (id) => service.engine.report(id, { kind: 'turn', turn: turn() })],
      [2700, (id) => service.engine.report(id, { kind: 'toolCall', call: call() })],
      [1234, (id) => service.engine.report(id, { kind: 'warning', at: 1234, code: 'slow' })],
      [
        8250.5,
        (id) => service.sessions.log(id, '{"log":"parley-session"}\n[10,"a"]\n[8250.5,"w",0,-60,1]\n["!","x","0"]\n'),
      ],
      [9000, (id) => service.sessions.noteRecording(id, { path: 'unused', durationMs: 9000, bytes: 1 })],
    ];
    const ids: string[] = [];
    for (const [, happen] of cases) {
      const { sessionId } = await start();
      ids.push(sessionId);
      await happen(sessionId);
    }
    await service.sessions.flush();
    const usedBefore = (await service.send('GET', '/v1/sessions/usage?days=2')).body.total;
    await restartAfter(9 * HOUR_MS);
    expect(await Promise.all(ids.map(lengthOf))).toEqual(cases.map(([at]) => Math.floor(at)));
    service.clock.now += 9 * HOUR_MS;
    const used = (await service.send('GET', '/v1/sessions/usage?days=2')).body.total;
    expect(used.minutes - usedBefore.minutes).toBeLessThan(1);
  });

  it('never end after the start that finds them, nor before their own, when the clock was set back', async () => {
    const [{ sessionId: first }, { sessionId: second }] = [await start(), await start()];
    service.engine.report(first, { kind: 'warning', at: 60_000, code: 'slow' });
    await service.sessions.flush();
    await restartAfter(10_000);
    expect([await lengthOf(first), await lengthOf(second)]).toEqual([10_000, 0]);
    const { sessionId: third } = await start();
    await restartAfter(-HOUR_MS);
    expect(await lengthOf(third)).toBe(0);
  });

  /** They were missing in the metric, so the alert about sessions that break said nothing of crashes. */
  it('are counted in the metrics, each once', async () => {
    const counted = async () => {
      const { text } = await service.send('GET', '/metrics', undefined, null);
      return Number(/^parley_sessions_ended_total\{reason="engine_error"\} (\d+)$/m.exec(text)![1]);
    };
    await restartAfter(0);
    const before = await counted();
    const ids: string[] = [];
    for (let each = 0; each < 3; each += 1) ids.push((await start()).sessionId);
    const parts = { ...service, log: service.app.log as never };
    await endSessions(parts, 'main', [ids[0]!], service.clock.now);
    await endLostSessions(parts, [ids[0]!, ids[1]!], service.clock.now);
    await restartAfter(HOUR_MS);
    expect(await counted()).toBe(before + 3);
  });
});

describeOnBothDatabases('the metric of ended sessions', (stores) => {
  /** A counter that appears with its first value does not rise for Prometheus: the crash before a start was not seen. */
  it('has all reasons before the first end', async () => {
    const service = await startTestService(await stores.open());
    const { text } = await service.send('GET', '/metrics', undefined, null);
    await service.close();
    expect(text).toContain('parley_sessions_ended_total{reason="engine_error"} 0');
  });
});
