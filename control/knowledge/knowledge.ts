import PQueue from 'p-queue';
import type { KnowledgeHit, KnowledgeSearch } from '../../actors/session-config.ts';
import type { Logger } from '../../engine/log.ts';
import type { Embedder } from '../../models/ports.ts';
import type { Blobs } from '../store/blobs.ts';
import { type Claims, claimsInMemory } from '../store/claims.ts';
import type { Store } from '../store/open.ts';
import { BlobsAwayError } from '../store/s3/blobs-away-error.ts';
import { processDocument } from './process-document.ts';
import { searchPassages } from './search.ts';

/** Documents worked on at a time: reading one takes a core and up to 768 MB. */
const AT_ONCE = 1;

/** Knowledge of all organizations: searched in conversations, filled in the background. */
export class Knowledge implements KnowledgeSearch {
  readonly #store: Store;
  readonly #blobs: Blobs;
  readonly #embedder: Embedder | null;
  readonly #embedderIsZdr: boolean;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #claims: Claims;
  /** Documents that wait here, and the one in work. */
  readonly #mine = new Set<string>();
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  readonly #stopping = new AbortController();

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
  }) {
    this.#store = options.store;
    this.#blobs = options.blobs;
    this.#embedder = options.embedder;
    this.#embedderIsZdr = options.embedderIsZdr;
    this.#log = options.log;
    this.#now = options.now;
    this.#claims = options.claims ?? claimsInMemory();
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
    if (this.#mine.has(documentId)) return;
    this.#mine.add(documentId);
    void this.#queue
      .add(() => this.#processOnce(documentId))
      .catch((error: unknown) => {
        // A stop in the middle is no failure of the document: it is taken up again at the next start.
        if (!this.#stopping.signal.aborted)
          this.#log.error({ err: error, documentId }, 'a document could not be processed');
      })
      .finally(() => this.#mine.delete(documentId));
  }

  /** Does nothing when another process is at it. */
  async #processOnce(documentId: string): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const claim = await this.#claims.take(`document ${documentId}`);
    if (claim === null) return;
    const signal = AbortSignal.any([this.#stopping.signal, claim.lost]);
    try {
      await processDocument(
        { store: this.#store, blobs: this.#blobs, embedder: this.#embedder, now: this.#now, signal },
        documentId,
      );
    } finally {
      await claim.release();
    }
  }

  /**
   * Takes up what a process left half done, last what that process was doing when it ended. Repeating this is harmless.
   * Where several processes share the database, each takes what it has the file of.
   * @returns how many documents.
   */
  async resume(): Promise<number> {
    const left = this.#store.db
      .selectFrom('knowledge_documents')
      .select(['id', 'blob_key'])
      .where('status', '=', 'PROCESSING');
    const rows = await left.orderBy('attempts').orderBy('created_at').execute();
    let taken = 0;
    for (const { id, blob_key: key } of rows) {
      if (this.#mine.has(id) || (this.#claims.areShared && !(await this.#hasFile(key)))) continue;
      this.process(id);
      taken += 1;
    }
    return taken;
  }

  /** Another process may have the file on its own disk, or a bucket does not answer now. */
  async #hasFile(key: string): Promise<boolean> {
    try {
      return (await this.#blobs.size(key)) !== null;
    } catch (error) {
      if (error instanceof BlobsAwayError) return false;
      throw error;
    }
  }

  /** Resolves when every document so far is processed. */
  async idle(): Promise<void> {
    await this.#queue.onIdle();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#queue.clear();
    await this.#queue.onIdle();
  }
}
