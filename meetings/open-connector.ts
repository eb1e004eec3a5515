import { access } from 'node:fs/promises';
import type { MeetingConnector, MeetingHandlers, MeetingVisitRequest } from '../control/ports.ts';
import { systemTimers } from '../runtime/clock.ts';
import { inProcess } from '../runtime/in-process.ts';
import { canEnter, findChromium } from './browser/find-chromium.ts';
import { VisitFolders } from './browser/visit-folders.ts';
import type { MeetingServer } from './providers/provider.ts';
import { neededLink, PROVIDERS, recognizeMeeting } from './providers/registry.ts';
import { DEFAULT_VISIT_LIMITS, type VisitLimits } from './visit-limits.ts';
import { Visit } from './visit.ts';
import { PAGE_SCRIPT } from './visitor/page-script.ts';
import type { FromVisitor, ToVisitor } from './visitor/visitor-messages.ts';

/** MB of JavaScript objects of a visit's process, which holds no media. */
const HEAP_MB = 256;

export interface MeetingConnectorOptions {
  /** Whose visits these are: two services on one machine do not touch each other's. */
  readonly dataDir: string;
  /** Chromium's path. Undefined: one on the PATH. */
  readonly chromium: string | undefined;
  /** Meeting servers that the operator names. */
  readonly servers: readonly MeetingServer[];
  /** As `PARLEY_ALLOWED_PRIVATE_HOSTS`. */
  readonly allowedPrivateHosts: readonly string[];
  /** MB that one visit may hold. */
  readonly memoryMb: number;
  readonly limits?: Partial<VisitLimits>;
  warn(message: string): void;
}

/** @returns the connector, or why there is none: a sentence for the operator. */
export async function openMeetingConnector(
  options: MeetingConnectorOptions,
): Promise<{ readonly connector: MeetingConnector } | { readonly missing: string }> {
  const { servers } = options;
  const ready = await findBrowser(options);
  if ('missing' in ready) return ready;
  if (!ready.chromium.sandbox)
    options.warn('This machine gives no user namespaces, so the browsers of meetings run without their sandbox.');
  const visits = new Visits(options, ready);
  return {
    connector: {
      providers: PROVIDERS.map(({ id, name, tried, note, conditions }) => ({ id, name, tried, note, conditions })),
      recognize: (link) => recognizeMeeting(link, servers),
      neededLink,
      join(request, handlers) {
        try {
          return visits.join(request, handlers);
        } catch {
          // No room on the disk.
          handlers.ended({ state: 'error', reason: 'provider_error', message: 'No browser could be started.' });
          return { leave: async () => undefined, picture: async () => null };
        }
      },
      close: () => visits.close(),
    },
  };
}

interface Browser {
  readonly chromium: NonNullable<Awaited<ReturnType<typeof findChromium>>>;
  readonly folders: VisitFolders;
}

/** @returns what a visit needs of this machine, or what is missing. */
async function findBrowser({
  chromium: path,
  dataDir,
}: MeetingConnectorOptions): Promise<Browser | { readonly missing: string }> {
  const chromium = await findChromium(path);
  if (chromium === null)
    return {
      missing:
        path === undefined
          ? 'Chromium is not installed (Debian: the package chromium).'
          : `There is no program at ${path}: correct PARLEY_CHROMIUM, or leave it unset.`,
    };
  const isBuilt = await access(PAGE_SCRIPT).then(
    () => true,
    () => false,
  );
  if (!isBuilt) return { missing: 'The script for meeting pages is not built (vite build meetings/page).' };
  const folders = await VisitFolders.open(dataDir).catch((error: Error) => error.message);
  if (typeof folders === 'string') return { missing: folders };
  if (!(await canEnter(chromium, folders.base)))
    return { missing: `${folders.base} is closed to the user that Chromium runs as. Set TMPDIR to an open folder.` };
  return { chromium, folders };
}

/** The visits that are going on, each with a folder and a process of its own. */
class Visits {
  readonly #options: MeetingConnectorOptions;
  readonly #browser: Browser;
  readonly #limits: VisitLimits;
  readonly #visits = new Set<Visit>();

  constructor(options: MeetingConnectorOptions, browser: Browser) {
    this.#options = options;
    this.#browser = browser;
    this.#limits = { ...DEFAULT_VISIT_LIMITS, ...options.limits };
  }

  /** @throws Error of the system when there is no room for its folder. */
  join(request: MeetingVisitRequest, handlers: MeetingHandlers): Visit {
    const { allowedPrivateHosts, memoryMb, warn } = this.#options;
    const { chromium, folders } = this.#browser;
    const folder = folders.make();
    const { provider, meetingUrl, displayName } = request;
    const loadWithinMs = this.#limits.loadMs;
    const visit: Visit = new Visit({
      request,
      handlers,
      limits: this.#limits,
      clock: systemTimers,
      warn,
      settings: { provider, meetingUrl, displayName, chromium, folder, allowedPrivateHosts, memoryMb, loadWithinMs },
      launch: inProcess<ToVisitor, FromVisitor>(new URL('visitor/visitor-process.ts', import.meta.url), [folder], {
        // Nothing else of the service's environment: it holds secrets.
        environment: { PATH: process.env['PATH'] },
        execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
      }),
      gone: async () => {
        await folders.remove(folder);
        this.#visits.delete(visit);
      },
    });
    this.#visits.add(visit);
    return visit;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#visits].map((visit) => visit.leave()));
  }
}
