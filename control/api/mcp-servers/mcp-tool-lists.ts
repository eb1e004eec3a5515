import type { McpServer } from '../../../actors/session-config.ts';
import type { McpConnector, McpToolList } from '../../ports.ts';

/** A session that starts waits this long for the tools of its servers, all at once. */
const LIST_TIMEOUT_MS = 3_000;
/** Sessions start more often than servers change their tools. */
const KEPT_MS = 60_000;
/** A server that is back is tried again soon; one that is down does not delay every session. */
const FAILURE_KEPT_MS = 10_000;

interface Kept {
  readonly list: Promise<McpToolList>;
  until: number;
}

/** What MCP servers offer, remembered for a minute. */
export class McpToolLists {
  readonly #connector: McpConnector;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();

  /** @param now ms since the epoch. */
  constructor(connector: McpConnector, now: () => number) {
    this.#connector = connector;
    this.#now = now;
  }

  /** Never rejects. */
  list(server: McpServer): Promise<McpToolList> {
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
