export type MeetingProvider = 'google_meet' | 'zoom' | 'microsoft_teams';

/** @returns the provider and the address with https, or null if it is not a meeting that the service can join. */
export function parseMeetingUrl(text: string): { provider: MeetingProvider; url: string } | null {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.port !== '')
    return null;
  const provider = providerOf(url.hostname.toLowerCase(), url.pathname);
  if (provider === null) return null;
  url.protocol = 'https:';
  return { provider, url: url.href };
}

function providerOf(host: string, path: string): MeetingProvider | null {
  if (path === '/' || path === '') return null;
  if (host === 'meet.google.com') return 'google_meet';
  if (isOrUnder(host, 'zoom.us') || isOrUnder(host, 'zoomgov.com')) return 'zoom';
  if (host === 'teams.microsoft.com' || host === 'teams.live.com' || host === 'gov.teams.microsoft.us')
    return 'microsoft_teams';
  return null;
}

function isOrUnder(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
