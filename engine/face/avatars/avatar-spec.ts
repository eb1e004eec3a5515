/**
 * What defines a drawn avatar. Lengths are in face units: 100 is half the width of a typical face between the cheeks;
 * the origin lies between the eyes; y grows downwards. Colors are '#rrggbb'.
 */
export interface AvatarSpec {
  readonly engineKey: string;
  readonly displayName: string;
  readonly variantName: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly skin: SkinTones;
  readonly face: FaceShape;
  readonly eyes: EyeLook;
  readonly brows: BrowLook;
  readonly nose: NoseLook;
  readonly mouth: MouthLook;
  readonly hair: HairLook;
  readonly beard: BeardLook | null;
  readonly outfit: OutfitLook;
  readonly glasses: GlassesLook | null;
  readonly earrings: string | null;
  readonly background: BackgroundLook;
}

export interface SkinTones {
  readonly base: string;
  /** Towards the lamp. */
  readonly light: string;
  /** Turned away from it. */
  readonly shade: string;
  /** Creases, nostrils, under the chin. */
  readonly deep: string;
  readonly blush: string;
}

export interface FaceShape {
  /** Half width at cheeks and jaw. */
  readonly cheek: number;
  readonly jaw: number;
  readonly chinWidth: number;
  readonly chinY: number;
  readonly neckWidth: number;
  /** 0 young … 1 old: folds, creases, softness. */
  readonly age: number;
}

export interface EyeLook {
  readonly iris: string;
  readonly irisRim: string;
  /** 1 is typical. */
  readonly size: number;
  /** Upward tilt of the outer corner, face units. */
  readonly tilt: number;
  /** 0 bare … 1 long, dark lashes. */
  readonly lashes: number;
  /** Color on the upper lid. */
  readonly lidColor: string;
  /** 0 none … 1 a pronounced crease over the eye. */
  readonly crease: number;
}

export interface BrowLook {
  readonly color: string;
  readonly thickness: number;
  readonly arch: number;
}

export interface NoseLook {
  readonly width: number;
  readonly length: number;
  /** 0 flat … 1 strong bridge. */
  readonly bridge: number;
}

export interface MouthLook {
  readonly halfWidth: number;
  readonly fullness: number;
  readonly color: string;
  readonly shade: string;
  readonly gloss: number;
}

export type HairStyle = 'long-waves' | 'bob' | 'bun' | 'short-parted' | 'crop' | 'curls' | 'gray-sweep';

export interface HairLook {
  readonly style: HairStyle;
  readonly base: string;
  readonly shade: string;
  readonly light: string;
}

export interface BeardLook {
  readonly color: string;
  /** 0 a shadow … 1 a full short beard. */
  readonly density: number;
}

export interface OutfitLook {
  readonly kind: 'blazer' | 'shirt' | 'crew' | 'turtleneck' | 'hoodie';
  readonly base: string;
  readonly shade: string;
  readonly light: string;
  /** What is worn under a blazer, or the second color. */
  readonly inner: string;
}

export interface GlassesLook {
  readonly color: string;
  readonly shape: 'round' | 'square';
}

export interface BackgroundLook {
  readonly kind: 'office' | 'window' | 'shelves' | 'studio' | 'garden' | 'evening';
  readonly base: string;
  readonly light: string;
  readonly accent: string;
}
