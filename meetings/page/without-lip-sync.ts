/**
 * @returns the description with tracks of no common stream: Chromium would hold the sound of a stream back until its
 * picture is ready, and those who watch the meeting hold it back once more.
 */
export function withoutLipSync(sdp: string): string {
  return sdp.replace(/^a=(?:msid|ssrc:\d+ msid):.*\r?\n/gm, '');
}
