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
  const { dataDir, servers, allowedPrivateHosts, memoryMb, warn } = options;
  const chromium = await findChromium(options.chromium);
  if (chromium === null)
    return {
      missing:
        options.chromium === undefined
          ? 'Chromium is not installed (Debian: the package chromium).'
          : `There is no program at ${options.chromium}: correct PARLEY_CHROMIUM, or leave it unset.`,
    };
  if (
    !(await access(PAGE_SCRIPT).then(
      () => true,
      () => false,
    ))
  )
    return { missing: 'The script for meeting pages is not built (vite build meetings/page).' };
  const folders = await VisitFolders.open(dataDir).catch((error: Error) => error.message);
  if (typeof folders === 'string') return { missing: folders };
  if (!(await canEnter(chromium, folders.base)))
    return { missing: `${folders.base} is closed to the user that Chromium runs as. Set TMPDIR to an open folder.` };
  if (!chromium.sandbox)
    warn('This machine gives no user namespaces, so the browsers of meetings run without their sandbox.');
  const limits = { ...DEFAULT_VISIT_LIMITS, ...options.limits };
  const visits = new Set<Visit>();

  const join = (request: MeetingVisitRequest, handlers: MeetingHandlers): Visit => {
    const folder = folders.make();
    const visit: Visit = new Visit({
      request,
      handlers,
      limits,
      clock: systemTimers,
      warn,
      settings: {
        provider: request.provider,
        meetingUrl: request.meetingUrl,
        displayName: request.displayName,
        chromium,
        folder,
        allowedPrivateHosts,
        memoryMb,
        loadWithinMs: limits.loadMs,
      },
      launch: inProcess<ToVisitor, FromVisitor>(new URL('visitor/visitor-process.ts', import.meta.url), [folder], {
        // Nothing else of the service's environment: it holds secrets.
        environment: { PATH: process.env['PATH'] },
        execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
      }),
      async gone() {
        await folders.remove(folder);
        visits.delete(visit);
      },
    });
    visits.add(visit);
    return visit;
  };

  return {
    connector: {
      providers: PROVIDERS.map(({ id, name, tried, note, conditions }) => ({ id, name, tried, note, conditions })),
      recognize: (link) => recognizeMeeting(link, servers),
      neededLink,
      join(request, handlers) {
        try {
          return join(request, handlers);
        } catch {
          // No room on the disk.
          handlers.ended({ state: 'error', reason: 'provider_error', message: 'No browser could be started.' });
          return { leave: async () => undefined, picture: async () => null };
        }
      },
      async close() {
        await Promise.all([...visits].map((visit) => visit.leave()));
      },
    },
  };
}
