/**
 * Cores that a file of tests takes on average, a quarter more for its peaks: processor time by wall time, from the table at
 * the end of a run. A recognizer that does not keep up with people fails tests: what needs most of the machine
 * runs beside files that wait for most of their time.
 */
const CORES: readonly (readonly [files: RegExp, cores: number])[] = [
  // Alone on two cores: parts that start anew while somebody speaks, and five services at once. Beside others,
  // dead-providers failed three times in a row.
  [/^e2e\/(dead-providers|network\/several-machines)\./, 2],
  // Beside one conversation: a recognizer that has to keep up with people, a browser for each guest of a meeting.
  [/^e2e\/(recorded-people|public-python-sdk|meetings\/(connector|invite|leaving))\./, 1.5],
  [/^e2e\/(python-client|engine-processes|meetings\/hostile-page|hostile\/second-process|network\/relay)\./, 0.8],
  // Those who mean it ill, and networks that fail: pauses, for most of the time.
  [/^e2e\/hostile\//, 0.35],
  [/^e2e\/network\//, 0.45],
];
/** A conversation in a browser, with pauses. */
const CONVERSATION = 0.5;

/** @param file from the root of the repository. */
export const coresOf = (file: string): number => CORES.find(([files]) => files.test(file))?.[1] ?? CONVERSATION;
