import type { MeetingProvider, PageElement } from './provider.ts';

const HOST = 'meet.google.com';
/** `abc-defg-hij`, also without its hyphens, or the nickname of a meeting in an organization. */
const PATH = /^\/(?:u\/\d+\/|_meet\/|tel\/|join\/)?(?:([a-z]{3})-?([a-z]{4})-?([a-z]{3})|(lookup\/[\w-]+))\/?$/i;
const CODE = /^([a-z]{3}-[a-z]{4}-[a-z]{3})[.!]?$/i;
/** The same in a sentence: words may be written like it ("the-only-way"). */
const CODE_IN_TEXT =
  /\b(?:google meet|code|meet\.google\.com)\b[^]{0,40}?(?<=[\s:("'])([a-z]{3}-[a-z]{4}-[a-z]{3})(?![\w-])/i;
/** Pages that lead to a meeting. */
const LEADING = /^\/(?:landing|new|_meet\/landing)\/?$/;

function addressOf(path: string): string | null {
  // Word processors make dashes of hyphens.
  const plain = path.replaceAll(/%E2%80%9[0-5]/gi, '-');
  const [, one, two, three, nickname] = PATH.exec(plain) ?? [];
  if (nickname !== undefined) return `https://${HOST}/${nickname}`;
  return one === undefined ? null : `https://${HOST}/${[one, two, three].join('-').toLowerCase()}`;
}

/**
 * Google Meet as a guest without an account. Every guest asks to be let in. The page receives the sound of the loudest
 * few participants in tracks that change their owner, so who speaks is what the page shows.
 */
export const googleMeet: MeetingProvider = {
  id: 'google_meet',
  name: 'Google Meet',
  tried: 'never',
  note: 'Written from public documentation and what open connectors are known to do; never tried with Google Meet.',
  conditions: [
    'The organizer lets people without a Google account ask to join.',
    'Somebody in the meeting admits the persona.',
    'Google may refuse guests that an automated browser brings.',
  ],
  recognize(url) {
    if (url.port !== '') return null;
    // A short link to a nickname.
    const nickname = url.hostname === 'g.co' ? /^\/meet\/([\w-]+)\/?$/.exec(url.pathname)?.[1] : undefined;
    if (nickname !== undefined) return `https://${HOST}/lookup/${nickname}`;
    // Numbers to call, below the same code.
    const code = LEADING.test(url.pathname) ? url.searchParams.get('code') : null;
    return url.hostname === HOST || url.hostname === 'tel.meet'
      ? addressOf(code === null ? url.pathname : `/${code}`)
      : null;
  },
  recognizeCode(text) {
    const code = (CODE.exec(text) ?? CODE_IN_TEXT.exec(text))?.[1];
    return code === undefined ? null : `https://${HOST}/${code.toLowerCase()}`;
  },
  isHost: (hostname) => hostname === HOST,
  wanted:
    'This address of Google Meet leads to no meeting. Paste the link of the meeting, such as https://meet.google.com/abc-defg-hij.',
  signs: [
    { shows: 'removed', find: { text: /You[’']ve been removed from the meeting/i } },
    { shows: 'ended', find: { text: /^(The )?(meeting|call) (has )?ended|ended the (meeting|call) for everyone/i } },
    {
      shows: 'denied',
      find: { text: /denied your request|weren[’']t allowed to join|can[’']t join this (video )?(call|meeting)/i },
    },
    { shows: 'denied', find: { text: /No one responded to your request/i } },
    { shows: 'invalid', find: { text: /Check your meeting code|Invalid video call name|Meeting not found/i } },
    {
      shows: 'waiting_room',
      find: { text: /Asking to be let in|when someone lets you in|wait until a meeting host brings you/i },
    },
    // The button to leave is there in the waiting room as well.
    { shows: 'in_call', find: { css: '[data-participant-id]' } },
  ],
  steps: [
    { do: 'press', find: { role: 'button', name: /^Got it$/ } },
    { do: 'fill in the name', find: { label: /Your name/i } },
    { do: 'press', find: { role: 'button', name: /^(Ask to join|Join now)$/ } },
  ],
  turnOn: [
    { device: 'microphone', find: { role: 'button', name: /^Turn on microphone/ } },
    { device: 'camera', find: { role: 'button', name: /^Turn on camera/ } },
  ],
  leave: [{ role: 'button', name: /^Leave call$/ }],
  readRoom() {
    const page = (globalThis as unknown as { document: PageElement }).document;
    const participants = new Map<string, { id: string; name: string; sources: string[]; speaking: boolean | null }>();
    for (const tile of page.querySelectorAll('[data-participant-id]')) {
      const id = tile.getAttribute('data-participant-id') ?? '';
      const name = tile.querySelector('.notranslate')?.textContent?.trim() ?? '';
      const isSelf = tile.getAttribute('data-self-name') !== null || tile.querySelector('[data-self-name]') !== null;
      if (id === '' || isSelf) continue;
      const level = tile.querySelector('[data-audio-level]')?.getAttribute('data-audio-level') ?? null;
      const known = participants.get(id);
      participants.set(id, {
        id,
        name: name === '' ? (known?.name ?? 'Guest') : name,
        sources: [],
        speaking: level === null ? (known?.speaking ?? null) : level !== '0',
      });
    }
    return participants.size === 0 ? null : { participants: [...participants.values()] };
  },
};
