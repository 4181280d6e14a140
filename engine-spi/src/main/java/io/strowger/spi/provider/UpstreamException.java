package io.strowger.spi.provider;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an attempt fails, except by an {@link EventStream}, which reports a failure as an
 * event. The kind of failure determines what the engine does next. An exception without a cause has
 * no stack trace.
 */
public final class UpstreamException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  public UpstreamException(Failure failure) {
    this(failure, null);
  }

  public UpstreamException(Failure failure, @Nullable Throwable cause) {
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
