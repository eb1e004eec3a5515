import type { RefObject } from 'preact';
import type { ViewProps } from './view-props.ts';

/** The persona: its picture while it waits, then the live one. */
export function PersonaVideo({
  conversation,
  video,
}: ViewProps & {
  video: RefObject<HTMLVideoElement | null>;
}) {
  const look = conversation.look.value;
  const image = look?.persona.avatarImageUrl ?? null;
  const idle = look?.persona.avatarVideoUrl ?? null;
  const shown = conversation.pictureShown.value;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return (
    <div class="pictures">
      {!shown && image !== null && <img class="picture" src={image} alt="" />}
      {!shown && idle !== null && !still && (
        <video class="picture" src={idle} autoplay loop muted playsInline aria-hidden="true" tabIndex={-1} />
      )}
      <video
        ref={video}
        class="picture live"
        autoplay
        playsInline
        hidden={!shown}
        aria-label={look?.persona.name}
        disablePictureInPicture
      />
    </div>
  );
}
