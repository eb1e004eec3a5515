import type { MeetingConnector, MeetingEnd, MeetingHandlers, MeetingVisitRequest } from '../ports.ts';

const HOSTS: Readonly<Record<string, string>> = {
  'meet.google.com': 'google_meet',
  'zoom.us': 'zoom',
  'us02web.zoom.us': 'zoom',
  'teams.microsoft.com': 'microsoft_teams',
  'jitsi.internal': 'jitsi',
};

export interface FakeVisit {
  readonly request: MeetingVisitRequest;
  /** Reports as the meeting would. */
  readonly handlers: MeetingHandlers;
  readonly over: boolean;
}

/** A connector whose meetings are played by the test. It ends a visit only when it is asked to leave. */
export class FakeMeetings implements MeetingConnector {
  /** What personas in meetings see. */
  picture: Uint8Array = new Uint8Array([0xff, 0xd8]);
  readonly visits: FakeVisit[] = [];
  readonly providers = [
    { id: 'google_meet', name: 'Google Meet', tried: 'never', note: 'Not tried.', conditions: ['Guests may ask.'] },
    { id: 'zoom', name: 'Zoom', tried: 'never', note: 'Not tried.', conditions: [] },
    { id: 'microsoft_teams', name: 'Microsoft Teams', tried: 'never', note: 'Not tried.', conditions: [] },
  ] as const;

  neededLink = (): null => null;

  recognize(link: string): { provider: string; url: string } | null {
    const url = URL.parse(link.includes('://') ? link : `https://${link}`);
    const provider = HOSTS[url?.hostname ?? ''];
    if (url === null || provider === undefined || url.pathname === '/' || !/^https?:$/.test(url.protocol)) return null;
    url.protocol = 'https:';
    return { provider, url: url.href };
  }

  join(request: MeetingVisitRequest, handlers: MeetingHandlers) {
    const visit = { request, handlers: { ...handlers, ended: (how: MeetingEnd) => end(how) }, over: false };
    const end = (how: MeetingEnd): void => {
      if (visit.over) return;
      visit.over = true;
      handlers.ended(how);
    };
    this.visits.push(visit);
    return {
      async leave() {
        end({ state: 'left', reason: 'left_call', message: 'The persona left the meeting.' });
      },
      picture: async () => (visit.over ? null : this.picture),
    };
  }

  async close(): Promise<void> {}
}
