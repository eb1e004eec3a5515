import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { DerivedKey } from '../access/master-key.ts';

/** Header of a request that one node sends to another. From anywhere else it says nothing. */
export const INTERNAL_HEADER = 'x-parley-internal';
/**
 * For so long a header is accepted, ms, before and after its time: longer than clocks of machines differ. What must happen
 * only once does not depend on it: Redis gives a reserved place once, and a session ends once.
 */
const ACCEPTED_MS = 60_000;

const claims = z.object({
  method: z.string(),
  /** With the query. */
  path: z.string(),
  /** ms since the epoch. */
  at: z.number(),
  /** What the first node knows of its client, for a request that is passed on. */
  client: z.object({ address: z.string(), baseUrl: z.string() }).optional(),
  /** A place on the engine that gets the request. */
  reservation: z.object({ id: z.string(), fence: z.string() }).optional(),
  /** A session that this node is to expect, or to take. */
  session: z.string().optional(),
  /** A session that is to end. */
  stop: z.object({ sessionId: z.string(), reason: z.enum(['stopped_by_api', 'share_link_withdrawn']) }).optional(),
});
export type InternalClaims = Omit<z.infer<typeof claims>, 'at'>;

/** Signs what nodes tell each other, with a key that only they can derive. */
export class InternalRequests {
  readonly #keys: readonly DerivedKey[];
  readonly #now: () => number;

  /** @param keys newest first. @param now ms since the epoch. */
  constructor(keys: readonly DerivedKey[], now: () => number) {
    this.#keys = keys;
    this.#now = now;
  }

  /** @returns the value of the header. */
  sign(content: InternalClaims): string {
    const text = Buffer.from(JSON.stringify({ ...content, at: this.#now() })).toString('base64url');
    return `${text}.${macOf(this.#keys[0]!, text).toString('base64url')}`;
  }

  /** @returns null for a header that no node has made for this request just now. */
  read(header: unknown, method: string, path: string): InternalClaims | null {
    if (typeof header !== 'string') return null;
    const [text = '', signature = ''] = header.split('.');
    const given = Buffer.from(signature, 'base64url');
    const isSigned = this.#keys.some((key) => {
      const mac = macOf(key, text);
      return given.length === mac.length && timingSafeEqual(given, mac);
    });
    if (!isSigned) return null;
    const { at, ...content } = claims.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    if (Math.abs(this.#now() - at) > ACCEPTED_MS) return null;
    return content.method === method && content.path === path ? content : null;
  }
}

function macOf({ bytes }: DerivedKey, text: string): Buffer {
  return createHmac('sha256', bytes).update(text).digest();
}
