/**
 * Cores that a file of tests takes on average, a quarter more for its peaks: processor time by wall time, from the table at
 * the end of a run. A recognizer that does not keep up with people fails tests: what needs most of the machine
 * runs beside files that wait for most of their time.
 */
const CORES: readonly (readonly [files: RegExp, cores: number])[] = [
  // Alone on two cores: a recognizer that has to keep up with people, and five services at once. Beside others, one sentence
  // of a person became two turns.
  [/^e2e\/(recorded-people|network\/several-machines)\./, 2],
  // Beside one conversation: parts that start anew while somebody speaks, and a browser for each guest of a meeting. Beside
  // two, sentences were lost, and what one guest said became two turns.
  [/^e2e\/(dead-providers|meetings\/(connector|leaving|invite))\./, 1.5],
  [/^e2e\/(takeover|python-client|engine-processes|first-run|meetings\/hostile-page|network\/relay)\./, 0.8],
  [/^e2e\/hostile\/second-process\./, 0.8],
  // They mostly wait: for programs of Python, for meetings that are written down, for what is not answered.
  [/^e2e\/(public-python-sdk|client-guides|livekit-room|console-meetings)\./, 0.3],
  [/^e2e\/(meetings\/provider-pages|network\/blocked)\./, 0.3],
  // Those who mean it ill, and networks that fail: pauses, for most of the time.
  [/^e2e\/hostile\//, 0.35],
  [/^e2e\/network\//, 0.45],
];
/** A conversation in a browser, with pauses. With 0.4, five at a time instead of four, a whole run took as long. */
const CONVERSATION = 0.5;

/** @param file from the root of the repository. */
export const coresOf = (file: string): number => CORES.find(([files]) => files.test(file))?.[1] ?? CONVERSATION;
