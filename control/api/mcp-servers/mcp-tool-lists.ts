import type { McpServer } from '../../../actors/session-config.ts';
import { systemTimers, type Timers } from '../../../runtime/clock.ts';
import type { McpConnector, McpToolList } from '../../ports.ts';

/** A session that starts waits this long for the tools of its servers, all at once. */
const WAIT_MS = 3_000;
/** A server that sleeps while nobody asks takes longer to wake: the sessions after this one have its tools. */
const LIST_TIMEOUT_MS = 20_000;
/** Sessions start more often than servers change their tools. */
const KEPT_MS = 60_000;
/** A server that is back is tried again soon; one that is down does not delay every session. */
const FAILURE_KEPT_MS = 10_000;

const LATE: McpToolList = { ok: false, message: 'The MCP server did not answer in time.' };

interface Kept {
  readonly list: Promise<McpToolList>;
  until: number;
}

/** What MCP servers offer, remembered for a minute. */
export class McpToolLists {
  readonly #connector: McpConnector;
  readonly #now: () => number;
  readonly #timers: Pick<Timers, 'setTimeout' | 'clearTimeout'>;
  readonly #kept = new Map<string, Kept>();

  /** @param now ms since the epoch. */
  constructor(
    connector: McpConnector,
    now: () => number,
    timers: Pick<Timers, 'setTimeout' | 'clearTimeout'> = systemTimers,
  ) {
    this.#connector = connector;
    this.#now = now;
    this.#timers = timers;
  }

  /** Never rejects, and waits three seconds at most. */
  async list(server: McpServer): Promise<McpToolList> {
    let timer: unknown;
    const late = new Promise<McpToolList>((resolve) => {
      timer = this.#timers.setTimeout(() => resolve(LATE), WAIT_MS);
    });
    return Promise.race([this.#listed(server), late]).finally(() => this.#timers.clearTimeout(timer));
  }

  #listed(server: McpServer): Promise<McpToolList> {
    const now = this.#now();
    for (const [id, { until }] of this.#kept) if (until <= now) this.#kept.delete(id);
    const existing = this.#kept.get(server.id);
    if (existing !== undefined) return existing.list;
    const list = this.#connector.list(server, AbortSignal.timeout(LIST_TIMEOUT_MS));
    const kept: Kept = { list, until: now + KEPT_MS };
    this.#kept.set(server.id, kept);
    void list.then(
      ({ ok }) => {
        if (!ok) kept.until = now + FAILURE_KEPT_MS;
      },
      () => this.#kept.delete(server.id),
    );
    return list;
  }

  /** The server was changed or deleted. */
  forget(serverId: string): void {
    this.#kept.delete(serverId);
  }
}
