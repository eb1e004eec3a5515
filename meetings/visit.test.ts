import { SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import type { MeetingSession } from '../control/ports.ts';
import { DEFAULT_VISIT_LIMITS as LIMITS } from './visit-limits.ts';
import { Visit } from './visit.ts';
import type { FromVisitor, ToVisitor, VisitorSettings } from './visitor/visitor-messages.ts';

const SESSION: MeetingSession = { sessionId: 's1', signalingUrl: 'ws://127.0.0.1/ws', iceServers: [] };
const MAX_MS = 3_600_000;

/** A visit whose process is played by the test. */
function visit(admitted: () => Promise<MeetingSession | null> = async () => SESSION) {
  const clock = new SimulatedClock();
  const told: string[] = [];
  const sent: ToVisitor[] = [];
  let heard: (message: FromVisitor) => void = () => undefined;
  let die: (how: string) => void = () => undefined;
  const made = new Visit({
    request: { inviteId: 'i', provider: 'janus', meetingUrl: 'u', displayName: 'Elena (AI)', longestMs: MAX_MS },
    handlers: {
      state: (state) => told.push(state),
      admitted,
      leaving: ({ reason }) => told.push(`leaving: ${reason}`),
      ended: ({ state, reason }) => told.push(`${state} ${reason}`),
    },
    settings: {} as VisitorSettings,
    limits: LIMITS,
    clock,
    launch(handlers) {
      heard = handlers.message;
      die = (how) => handlers.ended({ how, error: null });
      return { post: (message) => sent.push(message), kill: () => queueMicrotask(() => die('SIGKILL')) };
    },
    warn: (message) => told.push(`warned: ${message}`),
    async gone() {
      told.push('gone');
    },
  });
  const others = (count: number): void => heard({ type: 'others', count });
  return { made, clock, told, sent, others, tell: (message: FromVisitor) => heard(message), die: () => die('exit 0') };
}

const types = (sent: readonly ToVisitor[]): string[] => sent.map(({ type }) => type);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('A visit', () => {
  it('starts the session when the persona is in, once', async () => {
    const { told, sent, tell, others } = visit();
    tell({ type: 'at', place: 'waiting_room' });
    expect(types(sent)).toEqual(['go']);
    tell({ type: 'at', place: 'in_call' });
    tell({ type: 'at', place: 'in_call' });
    others(1);
    await settled();
    expect(sent.slice(1)).toEqual([{ type: 'session', session: SESSION }]);
    tell({ type: 'at', place: 'media_active' });
    expect(told).toEqual(['joining', 'waiting_room', 'in_call', 'in_call', 'media_active']);
  });

  it.each([async () => null, () => Promise.reject(new Error('no place'))])(
    'leaves when there is no session for it',
    async (admitted) => {
      const { told, sent, tell, die } = visit(admitted);
      tell({ type: 'at', place: 'in_call' });
      await settled();
      expect(types(sent)).toEqual(['go', 'leave']);
      tell({ type: 'over', end: null });
      die();
      await settled();
      expect(told.slice(-2)).toEqual(['left left_call', 'gone']);
    },
  );

  it.each([
    ['the way in takes too long', [], LIMITS.joinMs, 'error provider_error'],
    ['nobody lets it in', ['waiting_room'], LIMITS.waitingRoomMs, 'error not_admitted'],
    ['nobody opens the meeting', ['not_started'], LIMITS.notStartedMs, 'error meeting_not_started'],
    ['nobody else comes', ['in_call'], LIMITS.aloneMs, 'done idle_timeout'],
  ] as const)('leaves when %s', async (_name, places, ms, end) => {
    const { told, sent, tell, clock, die } = visit();
    for (const place of places) tell({ type: 'at', place });
    await settled();
    clock.increment(ms - 1);
    expect(types(sent)).not.toContain('leave');
    clock.increment(1);
    expect(types(sent).at(-1)).toBe('leave');
    tell({ type: 'over', end: null });
    die();
    await settled();
    expect(told.slice(-2)).toEqual([end, 'gone']);
  });

  it('waits anew for each place', () => {
    const { sent, tell, clock } = visit();
    clock.increment(LIMITS.joinMs - 1);
    tell({ type: 'at', place: 'not_started' });
    clock.increment(LIMITS.notStartedMs - 1);
    tell({ type: 'at', place: 'waiting_room' });
    clock.increment(LIMITS.waitingRoomMs - 1);
    tell({ type: 'at', place: 'in_call' });
    clock.increment(LIMITS.aloneMs - 1);
    expect(types(sent)).not.toContain('leave');
  });

  it('leaves two minutes after the last other one, and not when somebody comes back', async () => {
    const { sent, tell, others, clock } = visit();
    tell({ type: 'at', place: 'in_call' });
    others(1);
    clock.increment(10 * LIMITS.aloneMs);
    others(0);
    clock.increment(LIMITS.aloneMs - 1);
    others(1);
    clock.increment(LIMITS.aloneMs);
    others(0);
    await settled();
    expect(types(sent)).not.toContain('leave');
    clock.increment(LIMITS.aloneMs);
    expect(types(sent).at(-1)).toBe('leave');
  });

  it('leaves when its longest time is over, also in the meeting', async () => {
    const { told, tell, others, clock, die } = visit();
    tell({ type: 'at', place: 'in_call' });
    others(1);
    clock.increment(MAX_MS);
    tell({ type: 'over', end: null });
    die();
    await settled();
    expect(told.slice(-2)).toEqual(['done left_call', 'gone']);
  });

  it('tells what the process has seen rather than what was asked of it', async () => {
    const { made, told, tell, die } = visit();
    const left = made.leave();
    tell({ type: 'over', end: { state: 'left', reason: 'removed_by_host', message: '' } });
    die();
    await left;
    expect(told).toEqual(['joining', 'leaving: left_call', 'left removed_by_host', 'gone']);
  });

  it('keeps the reason of the service when the end of the session is what the process saw', async () => {
    const { told, tell, clock, die } = visit();
    tell({ type: 'at', place: 'in_call' });
    clock.increment(LIMITS.aloneMs);
    tell({ type: 'over', end: { state: 'left', reason: 'left_call', message: 'The conversation has ended.' } });
    die();
    await settled();
    expect(told).toContain('done idle_timeout');
  });

  it('says that it leaves before its connection is lost, once, whoever decided it', async () => {
    const { made, told, tell } = visit();
    tell({ type: 'leaving', end: { state: 'left', reason: 'meeting_ended', message: 'Over.' } });
    expect(told).toEqual(['joining', 'leaving: meeting_ended']);
    void made.leave();
    expect(told).toHaveLength(2);
  });

  it('kills a process that does not leave', async () => {
    const { made, told, clock } = visit();
    const left = made.leave();
    clock.increment(LIMITS.leaveMs);
    await left;
    expect(told).toEqual(['joining', 'leaving: left_call', 'left left_call', 'gone']);
  });

  it('ends when its process dies', async () => {
    const { made, told, die } = visit();
    die();
    await made.leave();
    expect(told).toEqual(['joining', 'error provider_error', 'gone']);
  });

  it('shows what the persona sees', async () => {
    const { made, sent, tell, die } = visit();
    const jpeg = new Uint8Array([0xff, 0xd8]);
    const picture = made.picture();
    tell({ type: 'picture', id: (sent[1] as { id: number }).id, jpeg });
    expect(await picture).toBe(jpeg);
    const never = made.picture();
    die();
    expect(await never).toBeNull();
    expect(await made.picture()).toBeNull();
  });
});
