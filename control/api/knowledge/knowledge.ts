import type { ExpressionBuilder } from 'kysely';
import type { KnowledgeHit, KnowledgeSearch } from '../../../actors/session-config.ts';
import type { Logger } from '../../../runtime/log.ts';
import type { Embedder } from '../../../models/ports.ts';
import { systemTimers } from '../../../runtime/clock.ts';
import { EmbeddedJobQueue } from '../../jobs/embedded-job-queue.ts';
import type { JobQueue, Outcome } from '../../jobs/job-queue.ts';
import type { Blobs } from '../../store/blobs.ts';
import { type Claims, claimsInMemory } from '../../store/claims.ts';
import type { Store } from '../../store/open.ts';
import type { Database } from '../../store/tables.ts';
import { BlobsUnavailableError } from '../../store/s3/blobs-unavailable-error.ts';
import { processDocument } from './process-document.ts';
import { READER } from './reading/reader.ts';
import { searchPassages } from './search.ts';

/** Documents worked on at a time: reading one takes a core and up to 768 MB. */
const AT_ONCE = 1;
/** Jobs that are added in one go: of a thousand documents that a process left, the rest follows. */
const STEP = 50;
/** When a document is handed out again that this process could not finish, ms: it stops, or the database went away. */
const AGAIN_MS = 1_000;

/** Documents that nobody has read yet, and those that older readers have read. */
const isToRead = (eb: ExpressionBuilder<Database, 'knowledge_documents'>) =>
  eb.or([eb('status', '=', 'PROCESSING'), eb.and([eb('status', '=', 'READY'), eb('reader', '<', READER)])]);

/** Knowledge of all organizations: searched in conversations, filled in the background. */
export class Knowledge implements KnowledgeSearch {
  readonly #store: Store;
  readonly #blobs: Blobs;
  readonly #embedder: Embedder | null;
  readonly #embedderIsZdr: boolean;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #claims: Claims;
  readonly #jobs: JobQueue;
  readonly #stopping = new AbortController();
  /** Documents that were read once more, or could not be: once in the life of this process. */
  readonly #tried = new Set<string>();
  /** How many are left, as it was told last. */
  #old: number | null = null;

  constructor(options: {
    store: Store;
    blobs: Blobs;
    embedder: Embedder | null;
    /** Whether the embedder keeps nothing of what it is sent. */
    embedderIsZdr: boolean;
    log: Logger;
    now: () => number;
    /** Of processes on one database. @defaultValue no other process uses the database */
    claims?: Claims;
    /** Of the processes that have the files. @defaultValue of this process */
    jobs?: JobQueue;
  }) {
    this.#store = options.store;
    this.#blobs = options.blobs;
    this.#embedder = options.embedder;
    this.#embedderIsZdr = options.embedderIsZdr;
    this.#log = options.log;
    this.#now = options.now;
    this.#claims = options.claims ?? claimsInMemory();
    this.#jobs = options.jobs ?? new EmbeddedJobQueue({ timers: systemTimers, log: options.log });
    this.#jobs.process('document', AT_ONCE, (id) => this.#processOnce(id));
  }

  /** Groups of other organizations are left out silently: a persona may hold the id of one that was deleted. */
  async search(request: Parameters<KnowledgeSearch['search']>[0]): Promise<readonly KnowledgeHit[]> {
    const groupIds = await this.#ownGroups(request.organizationId, request.groupIds);
    // Words are searched here; meaning is where the embedder is.
    const embedder = request.zeroDataRetention && !this.#embedderIsZdr ? null : this.#embedder;
    return searchPassages(this.#store, embedder, { ...request, groupIds });
  }

  async #ownGroups(organizationId: string, groupIds: readonly string[]): Promise<string[]> {
    if (groupIds.length === 0) return [];
    const rows = await this.#store.db
      .selectFrom('knowledge_groups')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', [...groupIds])
      .execute();
    return rows.map((row) => row.id);
  }

  /** Begins to process an uploaded document; its row says how it went. */
  process(documentId: string): void {
    void this.#jobs.add('document', documentId);
  }

  /** Does nothing when another process is at it, or when it has no need any more. */
  async #processOnce(documentId: string): Promise<Outcome> {
    if (this.#stopping.signal.aborted) return { againInMs: AGAIN_MS };
    if (this.#claims.areShared && !(await this.#hasFileOf(documentId))) return;
    const claim = await this.#claims.take(`document ${documentId}`);
    if (claim === null) return;
    const signal = AbortSignal.any([this.#stopping.signal, claim.lost]);
    try {
      await processDocument(
        {
          store: this.#store,
          blobs: this.#blobs,
          embedder: this.#embedder,
          log: this.#log,
          now: this.#now,
          signal,
        },
        documentId,
      );
    } catch (error) {
      // A stop in the middle is no failure of the document.
      if (!signal.aborted) throw error;
      return { againInMs: AGAIN_MS };
    } finally {
      await claim.release();
    }
  }

  /**
   * Adds jobs for what is not processed yet, last what a process was doing when it ended. Repeating this is harmless.
   * Where several processes share the database, each adds what it has the file of.
   * @returns how many documents.
   */
  async resume(): Promise<number> {
    const left = this.#store.db.selectFrom('knowledge_documents').select(['id', 'blob_key', 'status']).where(isToRead);
    // What nobody finds yet comes first: of two words, PROCESSING is the smaller one.
    const rows = await left.orderBy('status').orderBy('attempts').orderBy('created_at').execute();
    const old = rows.filter(({ id, status }) => status === 'READY' && !this.#tried.has(id)).length;
    if (old !== this.#old && (old > 0 || this.#old !== null))
      this.#log.info({ documents: old }, 'documents that older versions have read are read again');
    this.#old = old;
    let taken = 0;
    for (const { id, blob_key: key, status } of rows) {
      if (taken === STEP) break;
      if (status === 'READY' && this.#tried.has(id)) continue;
      if (this.#claims.areShared && !(await this.#hasFile(key))) continue;
      if (status === 'READY') this.#tried.add(id);
      await this.#jobs.add('document', id);
      taken += 1;
    }
    return taken;
  }

  async #hasFileOf(id: string): Promise<boolean> {
    const row = await this.#store.db
      .selectFrom('knowledge_documents')
      .select('blob_key')
      .where('id', '=', id)
      .where(isToRead)
      .executeTakeFirst();
    return row !== undefined && (await this.#hasFile(row.blob_key));
  }

  /** Another process may have the file on its own disk, or a bucket does not answer now. */
  async #hasFile(key: string): Promise<boolean> {
    try {
      return (await this.#blobs.size(key)) !== null;
    } catch (error) {
      if (error instanceof BlobsUnavailableError) return false;
      throw error;
    }
  }

  /** Resolves when every document that this process has to read is read. */
  async idle(): Promise<void> {
    await this.#jobs.idle('document');
  }

  /** Stops; the document in work is read again later. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#jobs.idle('document');
  }
}
