import type { GlassesLook } from './avatar-spec.ts';
import { EYE_X } from './eyes.ts';
import { alpha, mixColors, mirrored } from './paint.ts';
import type { Ctx } from './paint.ts';

/** Spectacles, drawn over the eyes. */
export function drawGlasses(ctx: Ctx, look: GlassesLook): void {
  const rx = look.shape === 'round' ? 33 : 35;
  const ry = look.shape === 'round' ? 31 : 26;
  mirrored(ctx, (side) => {
    const rim = () => {
      ctx.beginPath();
      if (look.shape === 'round') ctx.ellipse(EYE_X + 1, 4, rx, ry, 0, 0, Math.PI * 2);
      else ctx.roundRect(EYE_X + 1 - rx, 4 - ry, rx * 2, ry * 2, 13);
    };
    // A reflection across each glass.
    ctx.save();
    rim();
    ctx.clip();
    const shine = ctx.createLinearGradient(EYE_X - rx, -ry, EYE_X + rx, ry);
    shine.addColorStop(0, 'rgba(255, 255, 255, 0.16)');
    shine.addColorStop(0.35, 'rgba(255, 255, 255, 0.02)');
    shine.addColorStop(0.6, 'rgba(255, 255, 255, 0.07)');
    shine.addColorStop(1, 'rgba(255, 255, 255, 0)');
    ctx.fillStyle = shine;
    ctx.fillRect(EYE_X - rx - 5, -40, rx * 2 + 10, 90);
    ctx.restore();
    ctx.save();
    ctx.shadowColor = 'rgba(40, 15, 10, 0.4)';
    ctx.shadowBlur = 5;
    ctx.shadowOffsetY = 3;
    ctx.strokeStyle = look.color;
    ctx.lineWidth = 4.2;
    rim();
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(EYE_X + rx, -4);
    ctx.lineTo(99, -8);
    ctx.stroke();
    ctx.restore();
    ctx.strokeStyle = alpha(mixColors(look.color, '#ffffff', 0.5), side < 0 ? 0.6 : 0.35);
    ctx.lineWidth = 1.1;
    ctx.save();
    ctx.translate(-0.6, -0.9);
    rim();
    ctx.stroke();
    ctx.restore();
  });
  ctx.strokeStyle = look.color;
  ctx.lineWidth = 4;
  ctx.beginPath();
  ctx.moveTo(-EYE_X + rx - 1, -1);
  ctx.quadraticCurveTo(0, -11, EYE_X - rx + 1, -1);
  ctx.stroke();
}
