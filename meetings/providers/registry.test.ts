import { describe, expect, it } from 'vitest';
import { PROVIDERS, providerOf, recognizeMeeting } from './registry.ts';

const SERVERS = [
  { provider: 'jitsi', origin: 'https://meet.example.org' },
  { provider: 'janus', origin: 'http://127.0.0.1:8100' },
];

describe('A meeting link', () => {
  it.each([
    ['meet.google.com/abc-defg-hij?authuser=1', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    [' http://meet.google.com/abc-defg-hij ', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    ['https://meet.google.com/lookup/team-talk', 'google_meet', 'https://meet.google.com/lookup/team-talk'],
    ['https://us02web.zoom.us/j/123456789?pwd=a.1&from=x', 'zoom', 'https://us02web.zoom.us/j/123456789?pwd=a.1'],
    ['zoom.us/my/jane.doe', 'zoom', 'https://zoom.us/my/jane.doe'],
    ['https://agency.zoomgov.com/j/161', 'zoom', 'https://agency.zoomgov.com/j/161'],
    [
      'https://teams.microsoft.com/l/meetup-join/19%3ameeting_x%40thread.v2/0?context=%7b%7d',
      'microsoft_teams',
      'https://teams.microsoft.com/l/meetup-join/19%3ameeting_x%40thread.v2/0?context=%7b%7d',
    ],
    ['teams.live.com/meet/9312?p=abc', 'microsoft_teams', 'https://teams.live.com/meet/9312?p=abc'],
    ['meet.jit.si/OurRoom#config.x=1', 'jitsi', 'https://meet.jit.si/OurRoom'],
    ['https://meet.example.org/team/room', 'jitsi', 'https://meet.example.org/team/room'],
    ['http://127.0.0.1:8100/videoroomtest.html?room=5', 'janus', 'http://127.0.0.1:8100/videoroomtest.html?room=5'],
  ])('%s is one of %s', (link, provider, url) => expect(recognizeMeeting(link, SERVERS)).toEqual({ provider, url }));

  it.each([
    'https://example.com/abc-defg-hij',
    'https://meet.google.com/',
    'https://meet.google.com/landing',
    'https://meet.google.com.evil.example/abc-defg-hij',
    'https://evilzoom.us/j/1',
    'https://zoom.us/profile',
    'https://user:secret@zoom.us/j/1',
    'https://zoom.us:8443/j/1',
    'ftp://zoom.us/j/1',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://meet.example.org/',
    'http://meet.example.org/room',
    'http://127.0.0.1:8101/videoroomtest.html',
    'http://127.0.0.1:8100/admin.html',
    `https://zoom.us/j/1?pwd=${'x'.repeat(3000)}`,
    '',
  ])('%s is none', (link) => expect(recognizeMeeting(link, SERVERS)).toBeNull());
});

describe('A provider', () => {
  it('opens its web client', () => {
    const open = (id: string, url: string): string => providerOf(id).openAt?.(url) ?? url;
    expect(open('zoom', 'https://us02web.zoom.us/j/123?pwd=a')).toBe('https://app.zoom.us/wc/123/join?pwd=a');
    expect(open('zoom', 'https://agency.zoomgov.com/j/161')).toBe('https://agency.zoomgov.com/wc/join/161');
    expect(open('zoom', 'https://zoom.us/my/jane')).toBe('https://zoom.us/my/jane');
    expect(open('microsoft_teams', 'https://teams.live.com/meet/9?p=a')).toBe(
      'https://teams.live.com/meet/9?p=a&msLaunch=false&directDl=false&suppressPrompt=true',
    );
  });

  it('takes the name as it is, except where the page refuses it', () => {
    expect(PROVIDERS.map(({ id, nameFor }) => [id, nameFor?.('Elena María (AI)')])).toEqual([
      ['google_meet', undefined],
      ['zoom', undefined],
      ['microsoft_teams', undefined],
      ['jitsi', undefined],
      ['janus', 'ElenaMaraAI'],
    ]);
  });

  it('says honestly whether it was tried', () =>
    expect(PROVIDERS.filter(({ tried }) => tried === 'yes').map(({ id }) => id)).toEqual(['janus']));

  it('reads a room with nothing but its arguments and the page', () => {
    // It goes into the page as text: what it would take from its file is not there.
    for (const { id, readRoom } of PROVIDERS) {
      const source = String(readRoom);
      const reader = new Function(
        `return ({ ${source.startsWith('readRoom') ? '' : 'readRoom: '}${source} }).readRoom`,
      )();
      const page = { querySelector: () => null, querySelectorAll: () => [] };
      const globals = globalThis as unknown as { document?: unknown };
      globals.document = page;
      expect(reader([], 'Elena'), id).toBeNull();
      delete globals.document;
    }
  });
});
