import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take half a minute or more on two cores, longest first. When one of them begins last, it runs alone at
 * the end while the other workers have nothing to do. Conversations of the project "e2e" are not among them: they use
 * all of two cores, and the heaviest ones would starve each other. All other files are in Vitest's own order behind these.
 */
const LONGEST = [
  'control/api/meetings/killed-service.long',
  'engine/transport/chromium.long',
  'models/stt/pocketsphinx.long',
  'engine/face/face.long',
  'e2e/network/outages',
  'e2e/hostile/documents',
  'e2e/network/coming-back',
  'e2e/network/python-outages',
  'e2e/network/tcp-path',
  'e2e/network/relay',
  'e2e/hostile/tcp-flood',
].map((file) => `${file}.test.ts`);

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST.indexOf(relative(process.cwd(), moduleId));
  return rank === -1 ? LONGEST.length : rank;
};

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b));
  }
}
