import { isHostOrBelow, type MeetingProvider, type PageElement } from './provider.ts';

/** `/j/123456789`, `/s/…`, `/w/…`, and the page of the host, the web client's own addresses. */
const NUMBERED =
  /^\/(?:j|s|w|webinar|meeting|wc\/join|wc\/j|wc|launch\/jc|test)\/([\d -]{1,20})(?:\/(?:join|start))?\/?$/i;
/** Personal links. */
const PERSONAL = /^\/(?:wc\/)?my\/([\w.-]+)\/?$/;
/** A number of nine to eleven digits, as invitations write it. */
const CODE = /^(?:zoom)?[\s:,-]*(?:meeting[\s-]*(?:id|number))?[\s:#]*(\d{3}[ -]?\d{3,4}[ -]?\d{3,4})[.!]?$/i;
/** The same within an invitation without a link: "Meeting ID", "ID de reunión", "ミーティングID". */
const NUMBER_IN_TEXT =
  /\bzoom\b[\s\S]*?(?:\bID\b|会议号|會議號|会議番号)[^\d\n]{0,24}(\d{3} ?\d{3,4} ?\d{3,4})(?!\s?\d)/i;
/** The same in other languages: a line of its own, behind what it is called. */
const NUMBER_IN_LINE = /^[^\d+:：\n]{2,60}[:：]\s*(\d{3}[ -]\d{3,4}[ -]\d{4})\s*$/gm;
/** Eleven digits in this form are nobody else's, in an invitation without the word, and behind the number to dial. */
const NUMBER_ALONE =
  /(?:\bID\b|\p{L}ID\b|号|號)[^\d\n]{0,24}([89]\d{2} \d{4} \d{4})(?!\s?\d)|\+\d{7,15},,([89]\d{10})#(?!#)/iu;
/** One line with the name of the service before it, and mostly the passcode behind it. */
const NUMBER_BEHIND_NAME =
  /^[^\n]{0,40}\bzoom\b[^\d\n]{0,24}(\d{3}[ -]?\d{3,4}[ -]?\d{4})(?![\d\n]*\d{4})[^\n]{0,80}$/i;
/** Numbers to call are written alike. */
const OF_TELEPHONE = /tel|phone|call|dial|mobil|fax|тел|电话|電話|هاتف|전화/i;
const DOMAINS = ['zoom.us', 'zoom.com', 'zoomgov.com', 'zoom-x.de', 'zoom.com.cn', 'zoom.cn'];
/** Services of their own, whose meetings Zoom's page does not know. */
const APART = ['zoomgov.com', 'zoom-x.de'];
/** Parts that a meeting asks for: the passcode, and who registered. */
const KEPT = ['pwd', 'tk'];

const isHost = (hostname: string): boolean => DOMAINS.some((domain) => isHostOrBelow(hostname, domain));

function parts(url: URL): string {
  const kept = KEPT.flatMap((name) => {
    const value = url.searchParams.get(name);
    return value === null ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

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
  recognize(given) {
    // Some mail programs escape the question mark.
    const url = URL.parse(given.href.replace(/%3F/i, '?').replaceAll(/%3D/gi, '=')) ?? given;
    if (url.port !== '') return null;
    const number =
      NUMBERED.exec(decodeURI(url.pathname.replaceAll(/\/{2,}/g, '/')))?.[1] ??
      (/^\/(?:join|start)\/?$/.test(url.pathname) ? url.searchParams.get('confno') : null);
    const digits = number?.replaceAll(/\D/g, '') ?? '';
    if (isHost(url.hostname)) {
      const personal = PERSONAL.exec(url.pathname)?.[1];
      if (personal !== undefined) return `https://${url.hostname}/my/${personal}${parts(url)}`;
      if (digits === '') return null;
      return `https://${url.hostname}/j/${digits}${parts(url)}`;
    }
    // A company's own name for it, which leads to the same number.
    const isVanity = url.hostname.startsWith('zoom.') && digits.length >= 9;
    return isVanity ? `https://zoom.us/j/${digits}${parts(url)}` : null;
  },
  recognizeCode(text) {
    const isOfZoom = /\bzoom|zoom\b|会议号|會議號|会議番号/i.test(text);
    const inLine = isOfZoom ? [...text.matchAll(NUMBER_IN_LINE)].find(([line]) => !OF_TELEPHONE.test(line)) : undefined;
    const alone = NUMBER_ALONE.exec(text)?.slice(1).find(Boolean);
    const behind = OF_TELEPHONE.test(text) ? null : NUMBER_BEHIND_NAME.exec(text);
    const found = (CODE.exec(text) ?? NUMBER_IN_TEXT.exec(text) ?? behind ?? inLine)?.[1] ?? alone;
    const number = found?.replaceAll(/\D/g, '');
    return number === undefined ? null : `https://zoom.us/j/${number}`;
  },
  isHost,
  wanted:
    'This address of Zoom leads to no meeting. Paste the link to join, such as https://zoom.us/j/123456789?pwd=…; after a registration it comes by mail.',
  openAt(address) {
    const url = new URL(address);
    const number = NUMBERED.exec(url.pathname)?.[1];
    if (number === undefined) return address;
    return !APART.some((domain) => isHostOrBelow(url.hostname, domain))
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
