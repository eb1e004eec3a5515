import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { DerivedKey } from '../access/master-key.ts';
import { isSigned, signatureOf } from './signature.ts';

/** Header of a request that one node sends to another. From anywhere else it says nothing. */
export const INTERNAL_HEADER = 'x-parley-internal';
/** For so long a header is accepted, ms, before and after its time: longer than clocks of machines differ. */
const ACCEPTED_MS = 60_000;
/** More than nodes send each other within that time: 16 bytes each, 1.6 MB. Above it the oldest are forgotten. */
const MAX_REMEMBERED = 100_000;

const claims = z.object({
  method: z.string(),
  /** With the query. */
  path: z.string(),
  /** What the first node knows of its client, for a request that is forwarded. */
  client: z.object({ address: z.string(), baseUrl: z.string() }).optional(),
  /** A place on the engine that gets the request. */
  reservation: z.object({ id: z.string(), fence: z.string() }).optional(),
  /** A session that this node is to expect, or to take. */
  session: z.string().optional(),
  /** A session that is to end. */
  stop: z.object({ sessionId: z.string(), reason: z.enum(['stopped_by_api', 'share_link_withdrawn']) }).optional(),
  /** Hash of the JSON body. Absent: it has none, or one that is forwarded as it is read. */
  body: z.string().optional(),
});
export type InternalClaims = z.infer<typeof claims>;

const envelope = claims.extend({
  /** ms since the epoch. */
  at: z.number(),
  /** URL of the node that it is for. */
  to: z.string(),
  /** Of this request alone. */
  id: z.string(),
});

/** Signs what nodes tell each other, with a key that only they can derive. A header counts once, and at one node. */
export class InternalRequests {
  readonly #keys: readonly DerivedKey[];
  readonly #ownUrl: () => string | null;
  readonly #now: () => number;
  /** When each id that was read may be forgotten, oldest first. */
  readonly #read = new Map<string, number>();

  /** @param keys newest first. @param ownUrl null: nobody sends requests to this node. @param now ms since the epoch. */
  constructor(keys: readonly DerivedKey[], ownUrl: () => string | null, now: () => number) {
    this.#keys = keys;
    this.#ownUrl = ownUrl;
    this.#now = now;
  }

  /** @param to URL of the node that gets it. @returns the value of the header. */
  sign(content: InternalClaims, to: string): string {
    const signed = { ...content, to, at: this.#now(), id: randomBytes(16).toString('base64url') };
    const text = Buffer.from(JSON.stringify(signed)).toString('base64url');
    return `${text}.${signatureOf(this.#keys, text)}`;
  }

  /** @returns null for a header that no node has made for this request just now, and for one that was read before. */
  read(header: unknown, method: string, path: string): InternalClaims | null {
    if (typeof header !== 'string') return null;
    const [text = '', signature = ''] = header.split('.');
    if (!isSigned(this.#keys, text, signature)) return null;
    const { at, to, id, ...content } = envelope.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    if (Math.abs(this.#now() - at) > ACCEPTED_MS || to !== this.#ownUrl()) return null;
    if (content.method !== method || content.path !== path) return null;
    return this.#isFirst(id, at) ? content : null;
  }

  #isFirst(id: string, at: number): boolean {
    const now = this.#now();
    for (const [old, until] of this.#read) {
      if (until > now && this.#read.size < MAX_REMEMBERED) break;
      this.#read.delete(old);
    }
    if (this.#read.has(id)) return false;
    this.#read.set(id, at + ACCEPTED_MS);
    return true;
  }
}

/** @param body as it was parsed, or is to be sent as JSON. */
export function bodyHash(body: unknown): string {
  return hash('sha256', JSON.stringify(body), 'base64url');
}
