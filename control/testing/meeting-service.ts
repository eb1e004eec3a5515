import { setImmediate } from 'node:timers/promises';
import { SimulatedClock } from 'xstate';
import type { Store } from '../store/open.ts';
import { FakeMeetings, type FakeVisit } from './fake-meetings.ts';
import { startTestService, type TestService } from './service.ts';
import { STOCK } from './stock.ts';

export const START = Date.parse('2026-03-01T10:00:00.000Z');
export const MINUTE = 60_000;
/** Turns of the event loop without a query after which nothing more happens by itself. */
const QUIET_TURNS = 5;

export interface MeetingService extends TestService {
  readonly meetings: FakeMeetings;
  readonly queries: Queries;
  /** Invites a persona. @returns the answer's body. */
  invite(body?: object, key?: string): Promise<{ id: string; [field: string]: unknown }>;
  read(id: string): Promise<Record<string, unknown>>;
  /** Lets time pass, a second at a time, and everything happen that is due. */
  pass(ms: number): Promise<void>;
  settled(): Promise<void>;
  /** The visit of an invite that began last. */
  visitOf(id: string): FakeVisit;
  /** Lets the persona of an invite in. @returns the id of its session. */
  admit(id: string): Promise<string>;
  endOf(sessionId: string): Promise<{ end_reason: string | null; end_time: string | null }>;
}

export interface MeetingServiceOptions {
  readonly settings?: Record<string, string>;
  readonly now?: number;
  readonly sharedNow?: () => Promise<number>;
  readonly consoleFolder?: string;
}

const INVITE = {
  meetingUrl: 'https://zoom.us/j/1',
  personaConfig: { name: 'Guide', avatarId: STOCK.avatar, voiceId: STOCK.voice },
};

/** A listening service whose time the test moves, and whose meetings it plays. */
export async function startMeetingService(store: Store, options: MeetingServiceOptions = {}): Promise<MeetingService> {
  const queries = watchQueries(store);
  const meetings = new FakeMeetings();
  const timers = new SimulatedClock();
  const service = await startTestService(store, {
    ports: { meetings },
    timers,
    ...(options.sharedNow && { sharedNow: options.sharedNow }),
    consoleFolder: options.consoleFolder,
    settings: {
      PARLEY_MEETING_INVITES_PER_MINUTE: '10000',
      PARLEY_MEETING_INVITES_PER_HOUR: '100000',
      ...options.settings,
    },
  });
  service.clock.now = options.now ?? START;
  await service.app.listen({ host: '127.0.0.1', port: 0 });

  async function settled(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet = queries.pending === 0 ? quiet + 1 : 0) await setImmediate();
  }
  const visitOf = (id: string): FakeVisit => {
    const visit = meetings.visits.findLast(({ request }) => request.inviteId === id);
    if (visit === undefined) throw new Error('The persona is not on its way');
    return visit;
  };
  return {
    ...service,
    meetings,
    queries,
    settled,
    visitOf,
    async invite(body = {}, key = service.key) {
      const answer = await service.send('POST', '/v1/meetings/invites', { ...INVITE, ...body }, key);
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      await settled();
      return answer.body;
    },
    read: async (id) => (await service.send('GET', `/v1/meetings/invites/${id}`)).body,
    async pass(ms) {
      for (let left = ms; left > 0; left -= 1_000) {
        const step = Math.min(left, 1_000);
        service.clock.now += step;
        timers.increment(step);
        await settled();
      }
    },
    async admit(id) {
      const session = await visitOf(id).handlers.admitted();
      if (session === null) throw new Error('The persona got no session');
      await settled();
      return session.sessionId;
    },
    async endOf(sessionId) {
      await service.sessions.flush();
      const rows = store.db.selectFrom('sessions').select(['end_reason', 'end_time']).where('id', '=', sessionId);
      return rows.executeTakeFirstOrThrow();
    },
  };
}

interface Queries {
  pending: number;
  /** They are refused, as by a database that cannot be reached. */
  failing: boolean;
}

function watchQueries(store: Store): Queries {
  const queries: Queries = { pending: 0, failing: false };
  const executor = store.db.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = async (query) => {
    if (queries.failing) throw new Error('no connection');
    queries.pending += 1;
    try {
      return await execute(query as never);
    } finally {
      queries.pending -= 1;
    }
  };
  return queries;
}
