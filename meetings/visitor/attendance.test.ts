import { expect, it } from 'vitest';
import { jitsi } from '../providers/jitsi.ts';
import type { Target } from '../providers/provider.ts';
import { Attendance } from './attendance.ts';
import type { MeetingScreen } from './screen.ts';

const [microphone, camera] = jitsi.turnOn.map(({ find }) => find);

it('tells that somebody muted the persona, and that it is heard again, but unmutes it only when it comes', async () => {
  const places: string[] = [];
  const pressed: Target[] = [];
  /** The devices that the page shows as off. */
  const off = new Set<Target>([microphone!, camera!]);
  let isOver = false;
  const screen = {
    read: async () => 'in_call' as const,
    readInCall: async () => 'in_call' as const,
    isVisible: async (target: Target) => off.has(target),
    async press(target: Target) {
      pressed.push(target);
      return off.delete(target);
    },
  };
  const attendance = new Attendance(
    jitsi,
    'Elena (AI)',
    { at: (place) => places.push(place), end: () => undefined },
    { onTheWay: 1, inCall: 1 },
  );
  attendance.devicesTaken();
  attendance.mediaSent();
  const following = attendance.follow(screen as unknown as MeetingScreen, () => isOver);
  await expect
    .poll(() => [pressed, places])
    .toEqual([
      [microphone, camera],
      ['in_call', 'media_active'],
    ]);
  for (const button of [microphone!, camera!]) off.add(button);
  await expect.poll(() => places.at(-1)).toBe('media_granted');
  off.clear();
  await expect.poll(() => places.at(-1)).toBe('media_active');
  expect(pressed).toHaveLength(2);
  isOver = true;
  await following;
});
