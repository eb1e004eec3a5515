import { afterEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../engine/testing/browser.ts';
import { sharedBrowser } from '../../engine/testing/shared-browser.ts';
import { providerOf } from '../../meetings/providers/registry.ts';
import { Attendance } from '../../meetings/visitor/attendance.ts';
import { MeetingScreen } from '../../meetings/visitor/screen.ts';
import type { VisitEnd } from '../../meetings/visitor/visitor-messages.ts';
import { PROVIDER_PAGES } from '../support/provider-pages.ts';

const NAME = 'Elena (AI)';

const browser = sharedBrowser(() => launchBrowser());

/** A guest's way through pages of our own making: no service of these providers was ever tried. */
describe.each(Object.keys(PROVIDER_PAGES))('a guest of %s', (id) => {
  const pages = PROVIDER_PAGES[id]!;
  const provider = providerOf(id);
  let places: string[];
  let end: VisitEnd | null;
  let following: Promise<void> | null = null;
  let isOver = false;
  afterEach(async () => {
    isOver = true;
    await following;
  });

  /** The meeting is in a frame where the service has it there. @param html one after the other, as the guest goes on */
  async function open(html: readonly string[]): Promise<void> {
    const { page } = browser;
    isOver = true;
    await following;
    await page.goto('about:blank');
    await page.evaluate(`{
      const place = document.body.appendChild(document.createElement(${provider.inFrames === true ? "'iframe'" : "'main'"}));
      const pages = ${JSON.stringify(html)};
      globalThis.pressed = [];
      globalThis.names = [];
      globalThis.show = (html) => { if (place.contentDocument) place.contentDocument.body.innerHTML = html; else place.innerHTML = html; };
      globalThis.next = () => {
        const field = (place.contentDocument ?? place).querySelector('input');
        if (field) names.push(field.value);
        show(pages.shift());
      };
      next();
    }`);
    [places, end, isOver] = [[], null, false];
    const attendance = new Attendance(provider, NAME, {
      at: (place) => places.push(place),
      end(how) {
        end ??= how;
        isOver = true;
      },
    });
    attendance.devicesTaken();
    following = attendance.follow(new MeetingScreen(page, provider), () => isOver);
  }
  const show = (html: string): Promise<unknown> => browser.page.evaluate(`show(${JSON.stringify(html)})`);

  it('gives its name, waits in the lobby, turns its devices on, and sees that it was removed', async () => {
    const { page } = browser;
    await open([...pages.wayIn, pages.lobby]);
    await expect.poll(() => places).toEqual(['waiting_room']);
    expect(await page.evaluate('names')).toEqual([NAME]);
    await show(pages.call);
    await expect.poll(() => places).toEqual(['waiting_room', 'in_call', 'media_granted']);
    await expect.poll(() => page.evaluate<string[]>('pressed')).toHaveLength(provider.turnOn.length);
    if (pages.others !== null) {
      const frame = page.frames().at(-1)!;
      const room = await frame.evaluate<{ participants: { name: string }[] }>(
        `({ ${provider.readRoom.toString()} }).readRoom([], ${JSON.stringify(NAME)})`,
      );
      expect(room.participants.map((one) => one.name)).toEqual(pages.others);
    }
    // Words of the chat end no call.
    await show(`${pages.call}${pages.ended}`);
    expect(await new MeetingScreen(page, provider).readInCall()).toBe('in_call');
    await show(pages.removed);
    await expect.poll(() => end?.reason).toBe('removed_by_host');
  });

  it('sees that the meeting has ended', async () => {
    await open([pages.call]);
    await expect.poll(() => places).toContain('in_call');
    await show(pages.ended);
    await expect.poll(() => end?.reason).toBe('meeting_ended');
  });

  it('is told that it may not come in', async () => {
    await open([pages.lobby]);
    await expect.poll(() => places).toEqual(['waiting_room']);
    await show(pages.denied);
    await expect.poll(() => end).toMatchObject({ state: 'error', reason: 'join_denied' });
    if (pages.password === null) return;
    await open([pages.password]);
    await expect.poll(() => end?.message).toContain('password');
  });
});
