import type { MeetingProvider, PageElement } from './provider.ts';

const HOSTS = [
  'teams.microsoft.com',
  'teams.live.com',
  'teams.cloud.microsoft',
  'gov.teams.microsoft.us',
  'dod.teams.microsoft.us',
  'teams.microsoft.us',
  'gov.teams.microsoft.com',
];
/** Other addresses of its invitations: how to join, and numbers to call. */
const HELP_HOSTS = ['dialin.teams.microsoft.com', 'aka.ms'];
/** "Meeting ID: 234 567 890 123": of twelve digits or more, or beside the name. The link has more than it. */
const MEETING_ID = /^\D{0,40}\d{3}(?: ?\d{3}){3}(?: ?\d{1,3})?(?!\d)|\bteams\b[\s\S]*\bmeeting id\b/i;

/** Where it stands in the addresses of pages that lead to it: `/_#/l/…`, `/v2/?…#/meet/…`, the launcher's `?url=`. */
const PATH = /^\/(?:_#\/)?((?:l\/meetup-join|meet)\/[^/].*)$/;

function pathOf(url: URL): string | null {
  const places = [url.pathname + url.search, url.hash.slice(1), url.searchParams.get('url') ?? ''];
  for (const place of places) {
    const path = PATH.exec(place)?.[1];
    if (path !== undefined) return path;
  }
  return null;
}

/** Microsoft Teams in the browser as a guest. */
export const microsoftTeams: MeetingProvider = {
  id: 'microsoft_teams',
  name: 'Microsoft Teams',
  tried: 'never',
  note: 'Written from public documentation and what open connectors are known to do; never tried with Microsoft Teams.',
  conditions: [
    'The organization lets anonymous people join its meetings.',
    'Somebody in the meeting admits the persona from the lobby.',
    'Where the organization checks for people with a puzzle, the persona cannot join.',
  ],
  recognize(url) {
    const path = HOSTS.includes(url.hostname) && url.port === '' ? pathOf(url) : null;
    return path === null ? null : (URL.parse(`https://${url.hostname}/${path}`)?.href ?? null);
  },
  isHost: (hostname) => HOSTS.includes(hostname) || HELP_HOSTS.includes(hostname),
  hintsAt: MEETING_ID,
  wanted:
    'This leads to no meeting of Microsoft Teams, for which an ID and a passcode are not enough. Paste the link behind ' +
    '"Join the meeting" of the invitation, which begins with https://teams.microsoft.com/l/meetup-join/ or ' +
    'https://teams.microsoft.com/meet/.',
  openAt(address) {
    const url = new URL(address);
    // Without these the page first offers its programs.
    for (const name of ['msLaunch', 'directDl']) url.searchParams.set(name, 'false');
    url.searchParams.set('suppressPrompt', 'true');
    return url.href;
  },
  signs: [
    { shows: 'removed', find: { text: /You[’']ve been removed from (this|the) meeting|Removed from meeting/i } },
    { shows: 'ended', find: { text: /^(The )?(meeting|call) (has )?ended/i } },
    { shows: 'denied', find: { text: /you were denied access|You were denied entry|Request denied/i } },
    { shows: 'invalid', find: { text: /Meeting not found|couldn[’']t find (this|the) meeting/i } },
    { shows: 'not_started', find: { text: /let people in when the meeting starts|the meeting hasn[’']t started/i } },
    {
      shows: 'waiting_room',
      find: { text: /Someone will let you in|let you in shortly|should let you in soon|You[’']re in the lobby/i },
    },
    { shows: 'in_call', find: { css: '#hangup-button, [data-tid="hangup-main-btn"]' } },
  ],
  steps: [
    { do: 'press', find: { role: 'button', name: /^Continue on this browser/i } },
    { do: 'fill in the name', find: { placeholder: /(type|enter) your name/i } },
    { do: 'press', find: { role: 'button', name: /^Join now$/i } },
  ],
  turnOn: [
    { device: 'microphone', find: { role: 'button', name: /^Unmute( mic)?/i } },
    { device: 'camera', find: { role: 'button', name: /^Turn (camera on|on camera)/i } },
  ],
  leave: [{ css: '#hangup-button, [data-tid="hangup-main-btn"]' }],
  readRoom(_sources, ownName) {
    const page = (globalThis as unknown as { document: PageElement }).document;
    const tiles = [...page.querySelectorAll('[data-stream-type="Video"][data-tid]')];
    if (page.querySelector('#hangup-button, [data-tid="hangup-main-btn"]') === null) return null;
    return {
      participants: tiles
        .map((tile) => ({ tile, name: tile.getAttribute('data-tid') ?? '' }))
        .filter(({ name }) => name !== '' && name !== ownName)
        .map(({ tile, name }) => {
          const outline = tile.querySelector('[data-tid="voice-level-stream-outline"]');
          return {
            id: name,
            name,
            sources: [],
            speaking: outline === null ? null : (outline.getAttribute('class') ?? '').includes('vdi-frame-occlusion'),
          };
        }),
    };
  },
};
