import { isHostOrBelow, type MeetingProvider, type PageElement } from './provider.ts';

/** `/j/123456789`, `/s/…`, `/w/…`, the web client's own addresses, and personal links. */
const NUMBERED = /^\/(?:j|s|w|wc\/join|wc)\/(\d{1,16})(?:\/join)?\/?$/;
const PERSONAL = /^\/my\/[\w.-]+\/?$/;

/** Zoom's web client as a guest. Everything that it shows may be in a frame. */
export const zoom: MeetingProvider = {
  id: 'zoom',
  name: 'Zoom',
  tried: 'never',
  note: 'Written from public documentation and what open connectors are known to do; never tried with Zoom.',
  conditions: [
    'The account of the host lets people join from the browser, without an account.',
    'The link carries the passcode (`?pwd=`), or there is none.',
    'Where Zoom asks for the Meeting SDK or RTMS instead of a browser, the persona cannot join.',
  ],
  recognize(url) {
    const isZoom = isHostOrBelow(url.hostname, 'zoom.us') || isHostOrBelow(url.hostname, 'zoomgov.com');
    if (!isZoom || url.port !== '' || !(NUMBERED.test(url.pathname) || PERSONAL.test(url.pathname))) return null;
    const password = url.searchParams.get('pwd');
    return `https://${url.hostname}${url.pathname}${password === null ? '' : `?pwd=${encodeURIComponent(password)}`}`;
  },
  openAt(address) {
    const url = new URL(address);
    const number = NUMBERED.exec(url.pathname)?.[1];
    if (number === undefined) return address;
    return isHostOrBelow(url.hostname, 'zoom.us')
      ? `https://app.zoom.us/wc/${number}/join${url.search}`
      : `https://${url.hostname}/wc/join/${number}${url.search}`;
  },
  inFrames: true,
  signs: [
    { shows: 'removed', find: { text: /removed you from|You have been removed|removed from the meeting/i } },
    { shows: 'ended', find: { text: /meeting has been ended by (the )?host|ended this meeting|meeting has ended/i } },
    { shows: 'denied', find: { text: /Automated bots aren[’']t allowed|must use Zoom RTMS|sign in to join/i } },
    { shows: 'invalid', find: { text: /meeting link is invalid|Invalid meeting ID/i } },
    { shows: 'password', find: { placeholder: /passcode/i } },
    { shows: 'not_started', find: { text: /Waiting for the host to start|host has not started/i } },
    { shows: 'waiting_room', find: { text: /host will let you in soon|let them know you[’']re here/i } },
    { shows: 'in_call', find: { role: 'button', name: /^Leave$/ } },
  ],
  steps: [
    { do: 'press', find: { role: 'button', name: /^Accept Cookies$/i } },
    { do: 'press', find: { role: 'link', name: /^Join from your browser$/i } },
    { do: 'fill in the name', find: { label: /Your Name/i } },
    { do: 'fill in the name', find: { placeholder: /Your Name/i } },
    { do: 'press', find: { role: 'button', name: /^Join$/ } },
  ],
  turnOn: [
    { device: 'microphone', find: { role: 'button', name: /^Join Audio( by Computer)?$/i } },
    { device: 'microphone', find: { role: 'button', name: /^(Unmute|unmute my microphone)/ } },
    { device: 'camera', find: { role: 'button', name: /^start (my )?video/i } },
  ],
  leave: [
    { role: 'button', name: /^Leave$/ },
    { role: 'button', name: /^Leave Meeting$/i },
  ],
  readRoom(_sources, ownName) {
    const page = (globalThis as unknown as { document: PageElement }).document;
    const speaker = page
      .querySelector('[class*="video-frame--active"] .video-avatar__avatar-name')
      ?.textContent?.trim();
    const names = [...page.querySelectorAll('.participants-item__display-name, .video-avatar__avatar-name')]
      .map((element) => element.textContent?.trim() ?? '')
      .filter((name) => name !== '' && name !== ownName);
    if (names.length === 0 && page.querySelector('.video-avatar__avatar') === null) return null;
    return {
      participants: [...new Set(names)].map((name) => ({
        id: name,
        name,
        sources: [],
        speaking: speaker === undefined ? null : speaker === name,
      })),
    };
  },
};
