import type { McpServer } from '../../../actors/session-config.ts';
import { inThread } from '../../../runtime/in-thread.ts';
import type { Logger } from '../../../runtime/log.ts';
import type { Requests } from '../../../runtime/requests.ts';
import { SupervisedWorker } from '../../../runtime/supervised-worker.ts';
import { ToolFailure, type ToolAnswer } from '../webhook.ts';
import { McpListingError, type McpListing } from './list-mcp-tools.ts';
import type { McpCalls } from './mcp-calls.ts';
import type { FromMcpWorker, McpWorkerData, ToMcpWorker } from './mcp-messages.ts';

/**
 * MCP servers, asked in a thread of their own: the library parses and checks what strangers send, in pieces of tens of
 * milliseconds, and where media are paced everybody's sound waits for that.
 */
export interface McpThread {
  /** See `listMcpTools`. @throws McpListingError, also when `signal` aborts. */
  list(server: McpServer, signal: AbortSignal): Promise<McpListing>;
  /** The calls of one session. See `createMcpCalls`. */
  calls(): McpCalls;
  /** Starts it before it is needed, which takes half a second and 40 MB. */
  start(): void;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** After a thread that died repeatedly. */
const RETRY_AFTER_MS = 30_000;
/** Longer than any call or list may take. A thread that is silent for longer hangs. */
const SILENCE_MS = 120_000;

interface McpThreadOptions {
  /** `host` or `host:port` that it may reach although they are not public. */
  readonly allowedPrivateHosts: readonly string[];
  readonly log: Pick<Logger, 'warn'>;
}

/** The thread starts with the first request. */
export function openMcpThread(options: McpThreadOptions): McpThread {
  return new McpWorkerThread(options);
}

class McpWorkerThread implements McpThread {
  readonly #worker: SupervisedWorker<ToMcpWorker, FromMcpWorker>;
  readonly #requests: Requests<ToMcpWorker, McpListing | ToolAnswer>;
  #lastCaller = 0;

  constructor({ allowedPrivateHosts, log }: McpThreadOptions) {
    const workerData: McpWorkerData = { allowedPrivateHosts };
    this.#worker = new SupervisedWorker<ToMcpWorker, FromMcpWorker>({
      name: 'The thread of MCP servers',
      start: 'on demand',
      retryAfterMs: RETRY_AFTER_MS,
      launch: inThread(new URL('mcp-worker.ts', import.meta.url), {
        name: 'mcp',
        workerData,
        execArgv: ['--disable-warning=ExperimentalWarning'],
      }),
      message: (message) => this.#answered(message),
      ended: ({ how }, { next }) => {
        if (next !== 'stopped') log.warn({ reason: how }, 'the thread of MCP servers failed');
      },
    });
    this.#requests = this.#worker.requests();
  }

  async list(server: McpServer, signal: AbortSignal): Promise<McpListing> {
    try {
      return (await this.#ask((id) => ({ type: 'list', id, server }), signal)) as McpListing;
    } catch (error) {
      throw new McpListingError((error as ToolFailure).message, { cause: error });
    }
  }

  calls(): McpCalls {
    const caller = (this.#lastCaller += 1);
    let stage: 'open' | 'closed' = 'open';
    return {
      call: async (tool, args, signal) => {
        if (stage === 'closed' || signal.aborted) throw new ToolFailure('The call was cancelled.');
        return (await this.#ask((id) => ({ type: 'call', id, caller, tool, args }), signal)) as ToolAnswer;
      },
      close: async () => {
        stage = 'closed';
        this.#tell({ type: 'close', caller });
      },
    };
  }

  start(): void {
    this.#worker.start();
  }

  close(): Promise<void> {
    return this.#worker.stop();
  }

  /** @throws ToolFailure */
  async #ask(message: (id: number) => ToMcpWorker, signal: AbortSignal): Promise<McpListing | ToolAnswer> {
    let asked = 0;
    const abort = (): void => this.#tell({ type: 'abort', id: asked });
    try {
      const answer = this.#requests.ask((id) => message((asked = id)), { silenceMs: SILENCE_MS });
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      return await answer;
    } catch (error) {
      if (error instanceof ToolFailure) throw error;
      throw new ToolFailure('The MCP server could not be asked.', { cause: error, reason: String(error) });
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  #answered(message: FromMcpWorker): void {
    if ('value' in message) return this.#requests.resolve(message.id, message.value);
    const { message: told, reason } = message.failure;
    this.#requests.reject(message.id, new ToolFailure(told, reason === null ? {} : { reason }));
  }

  /** Does not start a thread. */
  #tell(message: ToMcpWorker): void {
    if (this.#worker.running) this.#worker.post(message);
  }
}
