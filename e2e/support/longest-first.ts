import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { coresOf } from '../../scripts/testing/cores-of-file.ts';

/**
 * Files that take 20 s or more on two cores, longest first. When one of them begins last, it runs alone at
 * the end while the other workers have nothing to do. All other files are in Vitest's own order behind these.
 */
const LONGEST = [
  'engine/session/host/speech-model-call.long',
  'control/api/knowledge/reading/read-document.long',
  'control/api/knowledge/upload-routes.long',
  'models/stt/pocketsphinx.long',
  'engine/session/host/going-on-elsewhere.long',
  'engine/simulation/spoken-conversation.long',
  'engine/transport/chromium.long',
  'control/store/killed.long',
  'engine/face/face.long',
  'control/api/session-grades/session-grades.long',
  'control/jobs/killed-process.long',
  'engine/audio-in/audio-in.long',
  'control/migration/takeover.long',
  'control/api/meetings/killed-service.long',
  'control/api/meetings/meeting-calendar.long',
  'runtime/orphan-reaper.long',
  'models/tts/stream/half-dead.long',
  'engine/transport/going-on-elsewhere.long',
  'e2e/dead-providers',
  'e2e/speech-to-speech',
  'e2e/client-features',
  'e2e/way-back',
  'e2e/console-charts',
  'e2e/meetings/connector',
  'e2e/widget',
  'e2e/python-client',
  'e2e/own-client',
  'e2e/console-tour',
  'e2e/console-journey',
  'e2e/console-accessibility',
  'e2e/public-sdk',
  'e2e/proxies',
  'e2e/network/blocked',
  'e2e/several-nodes',
  'e2e/moving-sessions',
  'e2e/console',
  'e2e/first-run',
  'e2e/network/outages',
  'e2e/console-pages',
  'e2e/console-voices',
  'e2e/hostile/full-disk',
  'e2e/network/tcp-path',
  'e2e/public-python-sdk',
  'e2e/drain',
  'e2e/hostile/killed-recording',
  'e2e/hostile/message-flood',
  'e2e/firefox',
].map((file) => `${file}.test.ts`);

const fileOf = ({ moduleId }: TestSpecification): string => relative(process.cwd(), moduleId);

const rankOf = (file: TestSpecification): number => {
  const rank = LONGEST.indexOf(fileOf(file));
  return rank === -1 ? LONGEST.length : rank;
};

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

/** At most two of these run at a time: in a row they would keep all workers waiting. */
const needsMostOfTheMachine = (file: TestSpecification): boolean => coresOf(fileOf(file)) > 0.7;

/** @returns all files in their order, with those of `few` spread evenly among the others, the first one first. */
function spread<File>(few: readonly File[], many: readonly File[]): File[] {
  const step = many.length / Math.max(1, few.length);
  const places = [
    ...few.map((file, index) => ({ file, place: index * step })),
    ...many.map((file, index) => ({ file, place: index + 0.5 })),
  ];
  return places.toSorted((a, b) => a.place - b.place).map(({ file }) => file);
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
    const few = sorted.filter(needsMostOfTheMachine);
    const many = sorted.filter((file) => !needsMostOfTheMachine(file));
    return spread(few, many).toSorted((a, b) => groupOf(a) - groupOf(b));
  }
}
