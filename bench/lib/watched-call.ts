import { connectSdk } from '../../e2e/support/sdk-session.ts';
import type { ClientName } from '../../e2e/support/sdk-page.ts';
import type { RunningService } from '../../e2e/support/service.ts';
import { engineNow } from '../../runtime/clock.ts';
import { silentPersona } from './conversation.ts';
import { openHeadlessConversation } from './headless-conversation.ts';

/** The longest times without a packet since `begin`, ms. */
export interface Gaps {
  readonly sound: number;
  readonly picture: number;
  /** When the one of sound began, ms since the epoch. */
  readonly since: number;
  /** When the client offered another peer connection, the same; null: it has not. */
  readonly cameBackAt: number | null;
  /** Both come now. */
  readonly isBack: boolean;
}

/** A call of which only matters whether sound and picture arrive. */
export interface WatchedCall {
  readonly sessionId: string;
  begin(): Promise<void>;
  gaps(): Promise<Gaps>;
  close(): Promise<void>;
}

/** Sound comes every 20 ms, a frame every 40: later ones are missing, ms. */
const BACK = { sound: 100, picture: 200 };
/** Chromium keeps what `getStats` answers for 50 ms. */
const LOOK_EVERY_MS = 25;

class Longest {
  #last = engineNow();
  longest = 0;
  since = 0;

  begin(): void {
    this.longest = 0;
    this.since = 0;
  }

  arrived(at: number): void {
    if (at - this.#last > this.longest) {
      this.longest = at - this.#last;
      this.since = this.#last;
    }
    this.#last = at;
  }

  isBack(withinMs: number): boolean {
    return engineNow() - this.#last < withinMs;
  }
}

/** Without a browser. It comes back when its socket closes. */
export async function watchHeadlessCall(service: RunningService): Promise<WatchedCall> {
  const sound = new Longest();
  const picture = new Longest();
  let cameBackAt: number | null = null;
  const conversation = await openHeadlessConversation(
    service,
    {},
    {
      onAudio: ({ arrivedAt }) => sound.arrived(arrivedAt),
      onVideo: ({ arrivedAt }) => picture.arrived(arrivedAt),
      onComeBack: () => (cameBackAt = engineNow()),
    },
  );
  return {
    sessionId: conversation.sessionId,
    async begin() {
      sound.begin();
      picture.begin();
      cameBackAt = null;
    },
    gaps: async () => ({
      sound: sound.longest,
      picture: picture.longest,
      since: sound.since,
      cameBackAt,
      isBack: sound.isBack(BACK.sound) && picture.isBack(BACK.picture),
    }),
    close: async () => conversation.close(),
  };
}

declare global {
  // Kept in the page.
  var watched: { last: { sound: number; picture: number }; longest: { sound: number; picture: number }; since: number };
}

/** In Chromium, with the public client or Parley's own. */
export async function watchBrowserCall(service: RunningService, client: ClientName): Promise<WatchedCall> {
  const request = { personaConfig: await silentPersona(service) };
  const session = await connectSdk(service, request, { client });
  await session.until('the session', (events) => events.some(({ event }) => event === 'SESSION_READY'));
  const { page } = session.browser;
  await page.evaluate((everyMs) => {
    const now = (): number => performance.timeOrigin + performance.now();
    const counts = { sound: 0, picture: 0 };
    const last = { sound: now(), picture: now() };
    globalThis.watched = { last, longest: { sound: 0, picture: 0 }, since: 0 };
    const look = async (): Promise<void> => {
      const { audio, video } = (await globalThis.stats()) as Record<string, { packetsReceived?: number } | undefined>;
      const seen = { sound: audio?.packetsReceived ?? 0, picture: video?.packetsReceived ?? 0 };
      for (const kind of ['sound', 'picture'] as const) {
        if (seen[kind] === counts[kind]) continue;
        counts[kind] = seen[kind];
        const { longest } = globalThis.watched;
        if (kind === 'sound' && now() - last[kind] > longest[kind]) globalThis.watched.since = last[kind];
        longest[kind] = Math.max(longest[kind], now() - last[kind]);
        last[kind] = now();
      }
      setTimeout(() => void look(), everyMs);
    };
    void look();
  }, LOOK_EVERY_MS);
  return {
    sessionId: session.sessionId,
    begin: () =>
      page.evaluate(() => {
        globalThis.watched.longest = { sound: 0, picture: 0 };
      }),
    async gaps() {
      const { last, longest, since } = await page.evaluate(() => globalThis.watched);
      const now = await page.evaluate(() => performance.timeOrigin + performance.now());
      const isBack = now - last.sound < BACK.sound + BACK.picture && now - last.picture < 2 * BACK.picture;
      const offers = (await session.signals()).filter(({ actionType }) => actionType === 'offer');
      return { ...longest, since, cameBackAt: offers.at(-1)?.at ?? null, isBack };
    },
    close: () => session.close(),
  };
}
