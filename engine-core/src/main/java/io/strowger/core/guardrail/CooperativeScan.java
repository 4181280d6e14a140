package io.strowger.core.guardrail;

import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import java.util.List;

/**
 * Lets other requests run while the texts of one request are scanned, and stops the scan when that
 * request is cancelled. Confined to one thread.
 */
final class CooperativeScan {
  private static final String CANCELLED = "the request was cancelled";

  private final FairShare fairShare;

  /** Thrown when the request whose texts are scanned was cancelled. */
  static final class ScanCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScanCancelledException() {
      super(CANCELLED, null, false, false);
    }
  }

  /** Creates a scan that is never cancelled. */
  CooperativeScan() {
    this(new Cancellation());
  }

  /**
   * @param cancellation the cancellation of the request whose texts are scanned
   */
  @SuppressWarnings("ThreadPriorityCheck") // only lets other threads use the carrier
  CooperativeScan(Cancellation cancellation) {
    this.fairShare =
        new FairShare(
            FairShare.READ_BYTES,
            () -> {
              Thread.yield();
              if (cancellation.isCancelled()) {
                throw new ScanCancelledException();
              }
            });
  }

  /** Returns the answer to a request that was cancelled during its scan. */
  static EventStream cancelledAnswer() {
    return EventStream.of(
        List.of(Event.Failed.upstream(Failure.of(FailureKind.CANCELLED, CANCELLED))));
  }

  /**
   * Records that this many characters were scanned.
   *
   * @throws ScanCancelledException when the request was cancelled
   */
  void advance(int characters) {
    fairShare.advance(characters);
  }
}
