/** 0…1 of the packets. Random loss up to here is the network's normal weather; retransmissions that are asked for mend it. */
export const TOLERABLE_LOSS = 0.02;
/** Above this, retransmissions and concealment no longer hide what is lost. */
export const HEAVY_LOSS = 0.1;
