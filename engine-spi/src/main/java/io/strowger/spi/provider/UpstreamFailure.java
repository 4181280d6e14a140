package io.strowger.spi.provider;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that failed before its stream existed. The kind decides what follows; there is no
 * stack to read.
 */
public final class UpstreamFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  public UpstreamFailure(Failure failure) {
    this(failure, null);
  }

  public UpstreamFailure(Failure failure, @Nullable Throwable cause) {
    super(failure.kind() + ": " + failure.message(), cause, false, cause != null);
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }

  public FailureKind kind() {
    return failure.kind();
  }
}
