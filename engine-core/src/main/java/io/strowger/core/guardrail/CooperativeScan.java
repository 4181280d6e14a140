package io.strowger.core.guardrail;

import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.provider.Cancellation;

/**
 * Lets other requests run while one is looked through, and stops when nobody waits for it any more.
 * For one thread.
 */
final class CooperativeScan {
  private final FairShare share;

  /** Thrown when the request is over. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super("nobody waits for the request any more", null, false, false);
    }
  }

  /** A scan of texts of no request. */
  CooperativeScan() {
    this(new Cancellation());
  }

  /**
   * @param request of which the texts are
   */
  @SuppressWarnings("ThreadPriorityCheck") // lets other threads use the carrier, no more
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
   * Notes that so many characters were looked at.
   *
   * @throws Stopped when the request is over
   */
  void did(int characters) {
    share.advance(characters);
  }
}
