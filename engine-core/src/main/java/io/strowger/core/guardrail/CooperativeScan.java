package io.strowger.core.guardrail;

import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.provider.Cancellation;

/**
 * Lets other requests run while one is scanned, and stops the scan when that request is cancelled.
 * Confined to one thread.
 */
final class CooperativeScan {
  private final FairShare share;

  /** Thrown when the request whose texts are scanned was cancelled. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super("nobody waits for the request any more", null, false, false);
    }
  }

  /** Creates a scan that is never cancelled. */
  CooperativeScan() {
    this(new Cancellation());
  }

  /**
   * @param request the cancellation of the request whose texts are scanned
   */
  @SuppressWarnings("ThreadPriorityCheck") // only lets other threads use the carrier
  CooperativeScan(Cancellation request) {
    this.share =
        new FairShare(
            FairShare.READ_BYTES,
            () -> {
              Thread.yield();
              if (request.isCancelled()) {
                throw new Stopped();
              }
            });
  }

  /**
   * Records that this many characters were scanned.
   *
   * @throws Stopped when the request was cancelled
   */
  void advance(int characters) {
    share.advance(characters);
  }
}
