import { googleMeet } from './google-meet.ts';
import { janus } from './janus.ts';
import { jitsi } from './jitsi.ts';
import { microsoftTeams } from './microsoft-teams.ts';
import { otherService } from './other-services.ts';
import { linksIn } from './pasted-links.ts';
import type { MeetingProvider, MeetingServer } from './provider.ts';
import { zoom } from './zoom.ts';

/** Whose meetings can be joined. */
export const PROVIDERS: readonly MeetingProvider[] = [googleMeet, zoom, microsoftTeams, jitsi, janus];

/**
 * @param text what a person pasted: a link, whose scheme may be missing, an invitation with one in it, or only the code of
 * a meeting. @returns null when it leads to no known meeting.
 */
export function recognizeMeeting(
  text: string,
  servers: readonly MeetingServer[],
): { readonly provider: string; readonly url: string } | null {
  for (const url of linksIn(text)) {
    for (const provider of PROVIDERS) {
      const found = provider.recognize(url, servers);
      if (found !== null) return { provider: provider.id, url: found };
    }
  }
  for (const provider of PROVIDERS) {
    const url = provider.recognizeCode?.(text.trim()) ?? null;
    if (url !== null) return { provider: provider.id, url };
  }
  return null;
}

/** @returns which link is needed, where a text has something of a meeting that leads to none; null: of nobody. */
export function neededLink(text: string): string | null {
  const hosts = linksIn(text).map(({ hostname }) => hostname);
  for (const hostname of hosts)
    for (const { isHost, wanted } of PROVIDERS) if (wanted !== undefined && isHost?.(hostname) === true) return wanted;
  for (const { hintsAt, wanted } of PROVIDERS) if (wanted !== undefined && hintsAt?.test(text) === true) return wanted;
  const named = /^\s*[\w.-]+\.[a-z]{2,}\s*$/i.test(text) ? [text.trim().toLowerCase()] : [];
  for (const hostname of [...hosts, ...named]) {
    const said = otherService(hostname, JOINABLE);
    if (said !== null) return said;
  }
  return null;
}

/** Those that people have links of. */
const JOINABLE = new Intl.ListFormat('en', { type: 'conjunction' }).format(
  [googleMeet, zoom, microsoftTeams, jitsi].map(({ name }) => name),
);

/** @throws Error when there is no such provider. */
export function providerOf(id: string): MeetingProvider {
  const provider = PROVIDERS.find((one) => one.id === id);
  if (provider === undefined) throw new Error(`No provider of meetings is called ${id}.`);
  return provider;
}
