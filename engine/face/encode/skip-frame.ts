import { NAL, START_CODE, nalType, splitAnnexB } from '../../media/annex-b.ts';
import { BitReader, BitWriter } from './bits.ts';

const BASELINE = 66;
/** P, of which all slices of the frame are. */
const SLICE_TYPE_P = 5;
/** Header of a slice of a non-reference frame: nal_ref_idc 0, no IDR. */
const NON_REFERENCE_SLICE = 1;
const NO_DEBLOCKING = 1;

/** What the beginning of a slice depends on. */
interface Syntax {
  readonly frameNumberBits: number;
  readonly macroblocks: number;
  readonly pictureParameterSet: number;
  readonly saysDeblocking: boolean;
}

/**
 * Makes skip frames of an H.264 stream without its encoder: a dozen bytes that say that every macroblock is skipped, so
 * that the frame before is shown again. x264 takes two thirds of the time of a talking face for such a frame, and in a
 * conversation every fourth can be made here. They are non-reference frames, so the encoder need not know of them.
 */
export class SkipFrames {
  #syntax: Syntax | null = null;
  /** Of the encoder's last frame. */
  #frameNumber = 0;
  #last: 'encoded' | 'skipped' = 'encoded';

  /** @param data what the encoder has made: Annex B, parameter sets before each keyframe. */
  encoded(data: Uint8Array, keyframe: boolean): void {
    this.#last = 'encoded';
    if (keyframe) {
      this.#syntax = readSyntax(data);
      this.#frameNumber = 0;
    } else if (this.#syntax !== null) this.#frameNumber = this.#next(this.#syntax);
  }

  /**
   * @returns the frame; null when the encoder has to make it: after a skip frame (non-reference frames do not follow each
   * other where pic_order_cnt_type is 2, 7.4.2.1.1), or in a stream that is not understood.
   */
  make(): Uint8Array | null {
    const syntax = this.#syntax;
    if (syntax === null || this.#last === 'skipped') return null;
    this.#last = 'skipped';
    const slice = new BitWriter()
      .unsigned(0) // first_mb_in_slice
      .unsigned(SLICE_TYPE_P)
      .unsigned(syntax.pictureParameterSet)
      .bits(this.#next(syntax), syntax.frameNumberBits)
      .bits(0, 1) // num_ref_idx_active_override_flag
      .bits(0, 1) // ref_pic_list_modification_flag_l0
      .unsigned(0); // slice_qp_delta
    if (syntax.saysDeblocking) slice.unsigned(NO_DEBLOCKING);
    slice.unsigned(syntax.macroblocks); // mb_skip_run
    // There are never 16 zeros in a row, so nothing has to be escaped.
    return Uint8Array.from([...START_CODE, NON_REFERENCE_SLICE, ...slice.bytes()]);
  }

  #next({ frameNumberBits }: Syntax): number {
    return (this.#frameNumber + 1) % 2 ** frameNumberBits;
  }
}

/** @returns null when a slice would begin in another way than is known here. */
function readSyntax(data: Uint8Array): Syntax | null {
  const units = splitAnnexB(data);
  const sequence = units.find((unit) => nalType(unit) === NAL.sequenceParameters);
  const picture = units.find((unit) => nalType(unit) === NAL.pictureParameters);
  if (sequence === undefined || picture === undefined) return null;
  const s = new BitReader(sequence);
  const profile = s.bits(8);
  s.bits(16); // constraints, level
  s.unsigned(); // seq_parameter_set_id
  const frameNumberBits = s.unsigned() + 4;
  const orderCountType = s.unsigned();
  s.unsigned(); // max_num_ref_frames
  s.bits(1); // gaps_in_frame_num_value_allowed_flag
  const macroblocks = (s.unsigned() + 1) * (s.unsigned() + 1);
  const framesOnly = s.bits(1) === 1;
  const p = new BitReader(picture);
  const pictureParameterSet = p.unsigned();
  p.unsigned(); // seq_parameter_set_id
  const isCabac = p.bits(1) === 1;
  const bottomOrder = p.bits(1) === 1;
  const groups = p.unsigned() + 1;
  p.unsigned(); // num_ref_idx_l0_default_active_minus1
  p.unsigned(); // num_ref_idx_l1_default_active_minus1
  const isWeighted = p.bits(1) === 1;
  p.bits(2); // weighted_bipred_idc
  // se(v) is as long as ue(v), and only the place of what follows counts.
  p.unsigned(); // pic_init_qp_minus26
  p.unsigned(); // pic_init_qs_minus26
  p.unsigned(); // chroma_qp_index_offset
  const saysDeblocking = p.bits(1) === 1;
  p.bits(1); // constrained_intra_pred_flag
  const isRedundant = p.bits(1) === 1;
  const isKnown =
    profile === BASELINE &&
    orderCountType === 2 &&
    framesOnly &&
    groups === 1 &&
    !isCabac &&
    !bottomOrder &&
    !isWeighted &&
    !isRedundant;
  return isKnown ? { frameNumberBits, macroblocks, pictureParameterSet, saysDeblocking } : null;
}
