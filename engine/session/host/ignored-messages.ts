/**
 * A client in a loop would fill the log and its own console. It is told this many times; after that, its messages are
 * only ignored.
 */
const TOLD_AT_MOST = 10;

/** Tells the client and the log about data-channel messages that cannot be used, but never their content. */
export function createIgnoredMessages(tell: {
  readonly warn: (text: string) => void;
  readonly log: (problem: string) => void;
}): (problem: string) => void {
  let told = 0;
  return (problem) => {
    if (told >= TOLD_AT_MOST) return;
    told += 1;
    tell.log(problem);
    tell.warn(`A message on the data channel was ignored: ${problem}.`);
  };
}
