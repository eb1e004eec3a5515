import type { FaceState } from '../animation/face-state.ts';
import type { FacePart } from '../rendering/prepared-avatar.ts';
import type { AvatarSpec, HairLook, HairStyle } from './avatar-spec.ts';
import { drawBackground } from './background.ts';
import { drawBrows } from './brows.ts';
import type { Composition } from './composition.ts';
import { drawEyes } from './eyes.ts';
import { drawGlasses } from './glasses.ts';
import { bobBack, bobFront } from './hair/bob.ts';
import { bunBack, bunFront } from './hair/bun.ts';
import { cropFront } from './hair/crop.ts';
import { curlsBack, curlsFront } from './hair/curls.ts';
import { graySweepFront } from './hair/gray-sweep.ts';
import { longWavesBack, longWavesFront } from './hair/long-waves.ts';
import { shortPartedFront } from './hair/short-parted.ts';
import { drawBeard, drawEars, drawFace, drawNeck, facePath } from './head.ts';
import { drawMouth } from './mouth.ts';
import { glow, inside } from './paint.ts';
import type { Ctx } from './paint.ts';
import { TORSO_LIFT, drawTorso } from './torso.ts';

/**
 * A portrait in three layers: what lies under the changing parts, the parts, and what lies over them (front hair,
 * glasses). The layers are drawn once each; only the parts are drawn in many states.
 */
interface HairDrawing {
  readonly back: ((ctx: Ctx, hair: HairLook) => void) | null;
  readonly front: ((ctx: Ctx, hair: HairLook) => void) | null;
}

const HAIR: Readonly<Record<HairStyle, HairDrawing>> = {
  'long-waves': { back: longWavesBack, front: longWavesFront },
  bob: { back: bobBack, front: bobFront },
  bun: { back: bunBack, front: bunFront },
  'short-parted': { back: null, front: shortPartedFront },
  crop: { back: null, front: cropFront },
  curls: { back: curlsBack, front: curlsFront },
  'gray-sweep': { back: null, front: graySweepFront },
};

export function drawUnder(ctx: Ctx, spec: AvatarSpec, c: Composition): void {
  drawBackground(ctx, spec, c.width, c.height);
  inFaceUnits(ctx, c, () => {
    HAIR[spec.hair.style].back?.(ctx, spec.hair);
    ctx.save();
    ctx.translate(0, -TORSO_LIFT);
    drawNeck(ctx, spec);
    drawTorso(ctx, spec);
    ctx.restore();
    drawEars(ctx, spec);
    drawFace(ctx, spec);
    drawBeard(ctx, spec);
    // The hair's shadow on the forehead.
    inside(
      ctx,
      () => facePath(ctx, spec),
      () => glow(ctx, 6, -118, 96, 34, spec.skin.deep, 0.4),
    );
  });
}

export function drawPart(ctx: Ctx, part: FacePart, spec: AvatarSpec, state: FaceState, c: Composition): void {
  inFaceUnits(ctx, c, () => {
    if (part === 'mouth') drawMouth(ctx, spec, state);
    else if (part === 'eyes') drawEyes(ctx, spec, state);
    else drawBrows(ctx, spec, state);
  });
}

export function drawOver(ctx: Ctx, spec: AvatarSpec, c: Composition): void {
  inFaceUnits(ctx, c, () => {
    HAIR[spec.hair.style].front?.(ctx, spec.hair);
    if (spec.glasses !== null) drawGlasses(ctx, spec.glasses);
  });
}

function inFaceUnits(ctx: Ctx, c: Composition, draw: () => void): void {
  ctx.save();
  ctx.translate(c.centerX, c.eyesY);
  ctx.scale(c.scale, c.scale);
  draw();
  ctx.restore();
}
