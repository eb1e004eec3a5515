import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DerivedKey } from './master-key.ts';

/** What a signed URL lets its holder do, and until when. */
export interface Grant {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Largest upload in bytes; null for downloads. */
  readonly limit: number | null;
  readonly contentType: string | null;
  /** File name offered to whoever downloads. */
  readonly filename: string | null;
}

/** How long signed URLs work. */
export const SIGNED_URL_MS = 3_600_000;
/** How long an upload token of the console works. */
const UPLOAD_TOKEN_MS = 900_000;

export class UrlSigner {
  readonly #keys: readonly DerivedKey[];
  readonly #now: () => number;

  constructor(keys: readonly DerivedKey[], now: () => number) {
    this.#keys = keys;
    this.#now = now;
  }

  /** @returns path and query, to be put behind the service's address. */
  sign(grant: Omit<Grant, 'expiresAt'>): string {
    const expiresAt = this.#now() + SIGNED_URL_MS;
    const query = new URLSearchParams({ expires: String(expiresAt) });
    if (grant.limit !== null) query.set('limit', String(grant.limit));
    if (grant.contentType !== null) query.set('type', grant.contentType);
    if (grant.filename !== null) query.set('name', grant.filename);
    query.set('signature', macOf(this.#keys[0]!, textOf({ ...grant, expiresAt })));
    return `${grant.path}?${query}`;
  }

  /** @param query of a request. @returns what it grants, or null when it is forged or has expired. */
  check(method: 'GET' | 'PUT', path: string, query: Readonly<Record<string, string | undefined>>): Grant | null {
    const grant: Grant = {
      method,
      path,
      expiresAt: Number(query.expires),
      limit: query.limit === undefined ? null : Number(query.limit),
      contentType: query.type ?? null,
      filename: query.name ?? null,
    };
    if (!this.#matches(textOf(grant), query.signature)) return null;
    return grant.expiresAt > this.#now() ? grant : null;
  }

  /** A token that lets a browser upload documents to one knowledge group. */
  uploadToken(organizationId: string, groupId: string): string {
    const claims = Buffer.from(
      JSON.stringify({ organizationId, groupId, expiresAt: this.#now() + UPLOAD_TOKEN_MS }),
    ).toString('base64url');
    return `${claims}.${macOf(this.#keys[0]!, `upload\n${claims}`)}`;
  }

  /** @returns the organization that may upload to this group with the token, or null. */
  checkUploadToken(token: string, groupId: string): string | null {
    const [claims, mac] = token.split('.');
    if (claims === undefined || !this.#matches(`upload\n${claims}`, mac)) return null;
    const told = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as {
      organizationId: string;
      groupId: string;
      expiresAt: number;
    };
    return told.groupId === groupId && told.expiresAt > this.#now() ? told.organizationId : null;
  }

  #matches(text: string, mac: string | undefined): boolean {
    if (mac === undefined) return false;
    const given = Buffer.from(mac);
    return this.#keys.some((key) => {
      const expected = Buffer.from(macOf(key, text));
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
  }
}

/** As JSON, so that no value can pass for the end of one and the beginning of the next. */
function textOf({ method, path, expiresAt, limit, contentType, filename }: Grant): string {
  return JSON.stringify([method, path, expiresAt, limit, contentType, filename]);
}

function macOf(key: DerivedKey, text: string): string {
  return createHmac('sha256', key.bytes).update(text).digest('base64url');
}
