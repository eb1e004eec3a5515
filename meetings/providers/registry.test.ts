import { describe, expect, it } from 'vitest';
import { neededLink, PROVIDERS, providerOf, recognizeMeeting } from './registry.ts';

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
    ['https://acme.zoom.com/j/12345678901', 'zoom', 'https://acme.zoom.com/j/12345678901'],
    ['https://zoom.acme.com/j/12345678901?pwd=a', 'zoom', 'https://zoom.us/j/12345678901?pwd=a'],
    ['https://app.zoom.us/wc/join/812345678?tk=t.1&pwd=b', 'zoom', 'https://app.zoom.us/j/812345678?pwd=b&tk=t.1'],
    ['https://app.zoom.us/wc/812345678/start', 'zoom', 'https://app.zoom.us/j/812345678'],
    ['https://zoom.us/j/812345678%3Fpwd%3Dabc', 'zoom', 'https://zoom.us/j/812345678?pwd=abc'],
    ['zoommtg://zoom.us/join?action=join&confno=812345678&pwd=x', 'zoom', 'https://zoom.us/j/812345678?pwd=x'],
    ['812 3456 7890', 'zoom', 'https://zoom.us/j/81234567890'],
    ['Meeting ID: 812 345 6789', 'zoom', 'https://zoom.us/j/8123456789'],
    ['Come to https://zoom.us/j/812345678?pwd=abc.', 'zoom', 'https://zoom.us/j/812345678?pwd=abc'],
    ['<https://zoom.us/j/812345678?pwd=abc.1>', 'zoom', 'https://zoom.us/j/812345678?pwd=abc.1'],
    ['[our call](https://zoom.us/j/812345678?pwd=a) at nine', 'zoom', 'https://zoom.us/j/812345678?pwd=a'],
    [
      'Jane is inviting you to a scheduled Zoom meeting.\n\nTopic: Talk (weekly)\nJoin Zoom Meeting\nhttps://us06web.zoom.us/j/81234567890?pwd=Ab1&amp;from=addon\n\nMeeting ID: 812 3456 7890\nPasscode: 123',
      'zoom',
      'https://us06web.zoom.us/j/81234567890?pwd=Ab1',
    ],
    ['Zoom call at nine\nMeeting ID: 812 3456 7890\nPasscode: 1', 'zoom', 'https://zoom.us/j/81234567890'],
    // The passcode was lost, and an invitation without the name of the service was none.
    [String.raw`https://zoom.us/j/812345678\?pwd\=abc`, 'zoom', 'https://zoom.us/j/812345678?pwd=abc'],
    [
      String.raw`https:\/\/zoom.us\/j\/812345678?pwd\u003dabc\u0026omn=1`,
      'zoom',
      'https://zoom.us/j/812345678?pwd=abc',
    ],
    ['ID de réunion : 812 3456 7890\nCode secret : 1', 'zoom', 'https://zoom.us/j/81234567890'],
    ['One tap mobile\n+16465588656,,81234567890#,,,,*1# US', 'zoom', 'https://zoom.us/j/81234567890'],
    ['zoom.us/j/812 3456 7890', 'zoom', 'https://zoom.us/j/81234567890'],
    ['HTTPS://ZOOM.US/J/812345678', 'zoom', 'https://zoom.us/j/812345678'],
    ['https://zoom.us./j/812345678?pwd=abc%0A', 'zoom', 'https://zoom.us/j/812345678?pwd=abc'],
    [
      'BEGIN:VCALENDAR\r\nDESCRIPTION:Join Zoom\\nhttps://us06web.zoom.us/j/812345678?p\r\n wd=Ab1\\n\\nID\r\nEND:VCALENDAR',
      'zoom',
      'https://us06web.zoom.us/j/812345678?pwd=Ab1',
    ],
    [
      'BEGIN:VCALENDAR\nLOCATION:https://meet.google.com/abc-defg-hij\nEND:VCALENDAR',
      'google_meet',
      'https://meet.google.com/abc-defg-hij',
    ],
    [
      'https://teams.microsoft.com/l/meetup-join/19:meeting_x@thread.v2/0?context={"Tid":"1","Oid":"2"}',
      'microsoft_teams',
      'https://teams.microsoft.com/l/meetup-join/19:meeting_x@thread.v2/0?context=%7B%22Tid%22%3A%221%22%2C%22Oid%22%3A%222%22%7D',
    ],
    ['abc-defg-hij', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    ['meet.google.com/abcdefghij', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    ['https://g.co/meet/team-talk', 'google_meet', 'https://meet.google.com/lookup/team-talk'],
    [
      'https://www.google.com/url?q=https%3A%2F%2Fmeet.google.com%2Fabc-defg-hij&sa=D&ust=1',
      'google_meet',
      'https://meet.google.com/abc-defg-hij',
    ],
    [
      'https://teams.microsoft.com/dl/launcher/launcher.html?url=%2F_%23%2Fl%2Fmeetup-join%2F19%3Ameeting_x%40thread.v2%2F0%3Fcontext%3D%257b%257d&type=meetup-join',
      'microsoft_teams',
      'https://teams.microsoft.com/l/meetup-join/19:meeting_x@thread.v2/0?context=%7b%7d',
    ],
    [
      'https://teams.microsoft.com/_#/l/meetup-join/19:meeting_x@thread.v2/0?context=%7b%7d',
      'microsoft_teams',
      'https://teams.microsoft.com/l/meetup-join/19:meeting_x@thread.v2/0?context=%7b%7d',
    ],
    [
      'https://teams.microsoft.com/v2/?meetingjoin=true#/meet/23456?p=abc&anon=true',
      'microsoft_teams',
      'https://teams.microsoft.com/meet/23456?p=abc&anon=true',
    ],
    [
      'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fteams.microsoft.com%2Fmeet%2F23456%3Fp%3Dabc&data=05%7C01&reserved=0',
      'microsoft_teams',
      'https://teams.microsoft.com/meet/23456?p=abc',
    ],
    [
      'https://urldefense.com/v3/__https://zoom.us/j/812345678?pwd=abc__;!!A!B$',
      'zoom',
      'https://zoom.us/j/812345678?pwd=abc',
    ],
    [
      'https://urldefense.proofpoint.com/v2/url?u=https-3A__zoom.us_j_812345678-3Fpwd-3Dabc&d=x',
      'zoom',
      'https://zoom.us/j/812345678?pwd=abc',
    ],
    ['https://zoom.us/meeting/81234567890', 'zoom', 'https://zoom.us/j/81234567890'],
    // Of the links that calendar programs know: Telekom's Zoom, webinars, governments' Teams, Jitsi's program.
    ['https://acme.zoom-x.de/j/65194487075', 'zoom', 'https://acme.zoom-x.de/j/65194487075'],
    ['https://zoom.us/webinar/123456789', 'zoom', 'https://zoom.us/j/123456789'],
    ...['teams.microsoft.us', 'gov.teams.microsoft.com'].map((host): [string, string, string] => [
      `${host}/meet/23456?p=a`,
      'microsoft_teams',
      `https://${host}/meet/23456?p=a`,
    ]),
    ['org.jitsi.meet://meet.jit.si/OurRoom', 'jitsi', 'https://meet.jit.si/OurRoom'],
    ['zoommtg://zoom.us/start?confno=812345678&zc=0', 'zoom', 'https://zoom.us/j/812345678'],
    ['https://tel.meet/abc-defg-hij?pin=1', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    [
      'BEGIN:VCALENDAR\nX-ALT-DESC;FMTTYPE=text/html:' +
        '<a href="https://us02web.zoom.us/j/812345678?pwd=a&amp;from=x">Join</a>\nEND:VCALENDAR',
      'zoom',
      'https://us02web.zoom.us/j/812345678?pwd=a',
    ],
    [
      '<p><a href=https://meet.google.com/abc-defg-hij>Join</a></p>',
      'google_meet',
      'https://meet.google.com/abc-defg-hij',
    ],
    // Signs of Chinese and Japanese texts became a part of the passcode, or of the address.
    ['请参加（https://zoom.us/j/812345678?pwd=abc）谢谢', 'zoom', 'https://zoom.us/j/812345678?pwd=abc'],
    ['https://zoom.us/j/812345678?pwd=abc，密码', 'zoom', 'https://zoom.us/j/812345678?pwd=abc'],
    ['【https://meet.google.com/abc-defg-hij】', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    ['Reunión de Zoom\nID de reunión: 812 3456 7890', 'zoom', 'https://zoom.us/j/81234567890'],
    ['Zoom-Meeting\nMeeting-ID: 812 3456 7890', 'zoom', 'https://zoom.us/j/81234567890'],
    ['Zoomミーティング\nミーティングID: 812 3456 7890', 'zoom', 'https://zoom.us/j/81234567890'],
    ['https%3A%2F%2Fzoom.us%2Fj%2F812345678%3Fpwd%3Dabc', 'zoom', 'https://zoom.us/j/812345678?pwd=abc'],
    [
      'https://secure-web.cisco.com/1abc/https%3A%2F%2Fzoom.us%2Fj%2F812345678%3Fpwd%3Dabc',
      'zoom',
      'https://zoom.us/j/812345678?pwd=abc',
    ],
    ['\u2068https://zoom.us/j/812345678?pwd=abc\u2069', 'zoom', 'https://zoom.us/j/812345678?pwd=abc'],
    ['{"join_url":"https:\\/\\/zoom.us\\/j\\/812345678?pwd=abc"}', 'zoom', 'https://zoom.us/j/812345678?pwd=abc'],
    ['_https://zoom.us/j/812345678_', 'zoom', 'https://zoom.us/j/812345678'],
    ['https：//zoom.us/j/８１２３４５６７８', 'zoom', 'https://zoom.us/j/812345678'],
    ['https://url.emailprotection.link/?bX~https://zoom.us/j/812345678', 'zoom', 'https://zoom.us/j/812345678'],
    ['https://urldefense.us/v3/__https://zoom.us/j/812345678__;!!x', 'zoom', 'https://zoom.us/j/812345678'],
    ['會議號：812 3456 7890\n密碼：123', 'zoom', 'https://zoom.us/j/81234567890'],
    ['Zoom\nID réunion : 812 3456 7890\nTél. : 646 558 8656', 'zoom', 'https://zoom.us/j/81234567890'],
    ['Zoom\nИдентификатор конференции: 812 3456 7890', 'zoom', 'https://zoom.us/j/81234567890'],
    ['https://meet.google.com/abc\u2013defg\u2013hij', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    ['https://meet.google.com/_meet/abc-defg-hij?ijlm=1', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    ['https://zoom.us//j/812345678', 'zoom', 'https://zoom.us/j/812345678'],
    // What other programs open, pages that lead to a meeting, and codes in a sentence.
    ['https://meet.google.com/landing?code=abc-defg-hij', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    ['googlemeet://abc-defg-hij', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    ['meet.google.com/abc-defg-hij&hs=1', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    ['Our Meet code is abc-defg-hij', 'google_meet', 'https://meet.google.com/abc-defg-hij'],
    ['jitsi-meet://meet.jit.si/OurRoom', 'jitsi', 'https://meet.jit.si/OurRoom'],
    ['intent://meet.jit.si/OurRoom#Intent;scheme=org.jitsi.meet;end', 'jitsi', 'https://meet.jit.si/OurRoom'],
    ['zoom://zoom.us/join?confno=812345678&pwd=x', 'zoom', 'https://zoom.us/j/812345678?pwd=x'],
    ['ms-teams://teams.microsoft.com/meet/23456?p=a', 'microsoft_teams', 'https://teams.microsoft.com/meet/23456?p=a'],
    ['Zoom 812 3456 7890 Passcode 123456', 'zoom', 'https://zoom.us/j/81234567890'],
    // Lines of calendars and mails as they are stored, and of pages.
    ['LOCATION:https://zoom.us/j/812345678', 'zoom', 'https://zoom.us/j/812345678'],
    [
      String.raw`BEGIN:VEVENT
URL:https\://zoom.us/j/812345678?pwd=a\,`,
      'zoom',
      'https://zoom.us/j/812345678?pwd=a',
    ],
    ['https://zoom.us/j/812345678?pwd=3DAbc=3D', 'zoom', 'https://zoom.us/j/812345678?pwd=Abc%3D'],
    ['https://zoom.us/j/812345678?from=x&amp;amp;pwd&#61;abc', 'zoom', 'https://zoom.us/j/812345678?pwd=abc'],
    // Typed, made harmless, hidden by a filter.
    ['https//zoom.us/j/812345678', 'zoom', 'https://zoom.us/j/812345678'],
    ['Zoom:https://zoom.us/j/812345678', 'zoom', 'https://zoom.us/j/812345678'],
    ['hxxps://zoom[.]us/j/812345678', 'zoom', 'https://zoom.us/j/812345678'],
    ['https://zoom.us/j/ 812345678?pwd= abc', 'zoom', 'https://zoom.us/j/812345678?pwd=abc'],
    ['https://isolate.menlosecurity.com/1/2/https:/zoom.us/j/812345678', 'zoom', 'https://zoom.us/j/812345678'],
    [
      `https://eu.protection.sophos.com?d=zoom.us&u=${Buffer.from('https://zoom.us/j/812345678').toString('base64')}`,
      'zoom',
      'https://zoom.us/j/812345678',
    ],
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
    'Meet at the-only-way',
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

describe('Another link of a provider', () => {
  it.each([
    ['https://zoom.us/meeting/register/abc', 'https://zoom.us/j/'],
    ['Our recording: https://us02web.zoom.us/rec/share/x', 'https://zoom.us/j/'],
    ['https://meet.google.com/landing', 'https://meet.google.com/abc-defg-hij'],
    ['https://teams.microsoft.com/v2/', 'https://teams.microsoft.com/l/meetup-join/'],
    ['234 567 890 123', 'an ID and a passcode are not enough'],
    ['Microsoft Teams meeting\nMeeting ID: 312 456 789 01\nPasscode: aB3', 'an ID and a passcode are not enough'],
    ['https://aka.ms/JoinTeamsMeeting?omkt=en-US', 'https://teams.microsoft.com/meet/'],
    ['https://acme.webex.com/meet/jane', 'Meetings of Webex cannot be joined, only those of Google Meet, Zoom'],
    ['webex.com', 'Meetings of Webex'],
    ['https://call.whatsapp.com/video/abc', 'Meetings of WhatsApp'],
    ['https://whereby.com/our-room', 'Meetings of Whereby'],
    ['https://global.gotomeeting.com/join/123', 'Meetings of GoTo Meeting'],
    ['https://protect-us.mimecast.com/s/abc?domain=zoom.us', 'hides where it leads'],
    ['https://calendly.com/jane/15min', 'the address of a calendar'],
    ['https://calendar.google.com/event?eid=x', 'the address of a calendar'],
  ])('%s: the sentence says which one is needed', (link, wanted) => {
    expect(recognizeMeeting(link, SERVERS)).toBeNull();
    expect(neededLink(link)).toContain(wanted);
  });

  it.each(['https://example.com/j/1', 'Call +49 30 1234567', 'hello', '555 0199'])('%s is nobody’s', (text) =>
    expect(neededLink(text)).toBeNull(),
  );
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
