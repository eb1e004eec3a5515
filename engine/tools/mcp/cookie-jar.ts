const MAX_COOKIES = 16;
/** Characters, as browsers have it. */
const MAX_COOKIE_LENGTH = 4_096;

/** Cookies of one connection: a load balancer finds the process with the session by one. They go to their origin only. */
export class CookieJar {
  readonly #byOrigin = new Map<string, Map<string, string>>();

  /** @returns the request with the cookies of its origin. */
  add(url: string | URL, init: RequestInit | undefined): RequestInit {
    const cookies = this.#byOrigin.get(new URL(url).origin);
    if (cookies === undefined) return { ...init };
    const headers = new Headers(init?.headers);
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    return { ...init, headers };
  }

  /** Remembers what an answer sets. */
  take(url: string | URL, { headers }: Response): void {
    for (const line of headers.getSetCookie().slice(0, MAX_COOKIES)) {
      const [, name, value] = /^\s*([^=;\s]+)=([^;]*)/.exec(line) ?? [];
      if (name === undefined || value === undefined || line.length > MAX_COOKIE_LENGTH) continue;
      const { origin } = new URL(url);
      const cookies = this.#byOrigin.get(origin) ?? new Map<string, string>();
      if (cookies.size < MAX_COOKIES) this.#byOrigin.set(origin, cookies.set(name, value));
    }
  }
}
