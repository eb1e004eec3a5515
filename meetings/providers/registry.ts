import { googleMeet } from './google-meet.ts';
import { janus } from './janus.ts';
import { jitsi } from './jitsi.ts';
import { microsoftTeams } from './microsoft-teams.ts';
import type { MeetingProvider, MeetingServer } from './provider.ts';
import { zoom } from './zoom.ts';

/** Whose meetings can be joined. */
export const PROVIDERS: readonly MeetingProvider[] = [googleMeet, zoom, microsoftTeams, jitsi, janus];

/** Longer links are refused before they are parsed. */
const LONGEST_LINK = 2_048;

/** @param link as a person wrote it; the scheme may be missing. @returns null when it leads to no known meeting. */
export function recognizeMeeting(
  link: string,
  servers: readonly MeetingServer[],
): { readonly provider: string; readonly url: string } | null {
  const text = link.trim();
  if (text.length > LONGEST_LINK) return null;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  for (const provider of PROVIDERS) {
    const found = provider.recognize(url, servers);
    if (found !== null) return { provider: provider.id, url: found };
  }
  return null;
}

/** @throws Error when there is no such provider. */
export function providerOf(id: string): MeetingProvider {
  const provider = PROVIDERS.find((one) => one.id === id);
  if (provider === undefined) throw new Error(`No provider of meetings is called ${id}.`);
  return provider;
}
