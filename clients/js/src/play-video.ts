/**
 * Plays a stream with its sound. Browsers refuse sound on a page that the user has not touched, for example after a
 * reload: then it plays without, and the first click or key turns the sound on.
 */
export async function playVideo(
  video: HTMLVideoElement,
  stream: MediaStream,
  tell: { readonly started: () => void; readonly soundBlocked: () => void },
): Promise<void> {
  video.srcObject = stream;
  video.playsInline = true;
  if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(() => tell.started());
  else (video as HTMLVideoElement).addEventListener('playing', () => tell.started(), { once: true });
  try {
    await video.play();
  } catch (error) {
    // Other errors: the element was given another stream or left the page meanwhile.
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
    video.muted = true;
    tell.soundBlocked();
    const unmute = (): void => {
      video.muted = false;
      for (const gesture of ['pointerdown', 'keydown']) document.removeEventListener(gesture, unmute);
    };
    for (const gesture of ['pointerdown', 'keydown']) document.addEventListener(gesture, unmute);
    await video.play().catch(() => undefined);
  }
}
